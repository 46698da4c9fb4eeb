package io.quorate.run;

import io.quorate.QuorateException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The content of the files of one database of a run.
 *
 * @param clients empty only if the run broke off before anything was measured
 * @param latencies in nanoseconds
 * @param watches what the watchers of each step received, in the order of the steps as far as they
 *     have begun; empty if there were none
 * @param searches for its capacity; empty if there were none
 */
public record DatabaseRun(
    DatabaseDirectory directory,
    Manifest manifest,
    Optional<ClientResults> clients,
    LatencyLog.Contents latencies,
    List<WatchRow> watches,
    List<SearchRecord> searches) {
  public DatabaseRun {
    watches = List.copyOf(watches);
    searches = List.copyOf(searches);
  }

  /**
   * Reads the directory of a database. The files of a complete run must all be there and agree with
   * each other; of another one, those that were not yet written may be missing.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static DatabaseRun read(Path path) {
    DatabaseDirectory directory = new DatabaseDirectory(path);
    ManifestReader.Versioned versioned = ManifestReader.read(directory.manifest());
    Manifest manifest = versioned.manifest();
    if (!manifest.store().id().equals(directory.id())) {
      throw new QuorateException(
          "%s: database.id: found %s, expected %s as its directory is named"
              .formatted(
                  directory.manifest(),
                  GoText.shortened(GoText.quoted(manifest.store().id())),
                  GoText.quoted(directory.id())));
    }
    boolean complete = manifest.status() == RunStatus.COMPLETE;
    boolean measured = complete || Files.exists(directory.file(ClientFile.SUMMARY));
    boolean logged = complete || Files.exists(directory.latencyLog());
    Problems problems = new Problems();
    Optional<ClientResults> clients =
        measured
            ? problems.attempt(
                new ClientResultsReader(
                        directory.clientFiles(),
                        Optional.of(AskedLoad.of(manifest.load(), versioned.formatVersion())))
                    ::read)
            : Optional.empty();
    Optional<LatencyLog.Contents> latencies =
        logged
            ? problems.attempt(() -> LatencyLog.read(directory.latencyLog(), manifest.load()))
            : Optional.of(LatencyLog.Contents.NONE);
    Optional<List<WatchRow>> watches =
        problems.attempt(() -> watches(directory, manifest.load(), complete));
    Optional<List<SearchRecord>> searches = problems.attempt(() -> TrialsReader.read(directory));
    problems.throwIfAny();
    if (!complete) {
      return new DatabaseRun(
          directory,
          manifest,
          clients.map(DatabaseRun::asFarAsWritten),
          latencies.get(),
          watches.get(),
          searches.get());
    }
    DatabaseRun run =
        new DatabaseRun(
            directory, manifest, clients, latencies.get(), watches.get(), searches.get());
    WatchCsv.checkTimes(directory.file(ClientFile.WATCH), watches.get(), latencies.get());
    clients.ifPresent(
        results ->
            new FileAgreement(
                    directory, manifest.load(), versioned.formatVersion(), latencies.get().counts())
                .check(results));
    return run;
  }

  /** Returns this run with another heading of its column. */
  DatabaseRun withHeading(String heading) {
    return new DatabaseRun(
        directory, manifest.withTag(heading), clients, latencies, watches, searches);
  }

  private static List<WatchRow> watches(
      DatabaseDirectory directory, LoadFacts load, boolean complete) {
    Path file = directory.file(ClientFile.WATCH);
    boolean asked = load.steps().stream().anyMatch(step -> step.watch().isPresent());
    return asked && (complete || Files.exists(file))
        ? WatchCsv.read(file, load.steps())
        : List.of();
  }

  /**
   * Returns how many requests a complete run of this load has: as many as were asked for or, if it
   * ends by time, as many as were made.
   */
  public long requests() {
    return manifest.load().endsByTime()
        ? clients.map(ClientResults::requestCount).orElse(0L)
        : manifest.load().requests();
  }

  /**
   * Returns the results as far as they were written: a run may be killed after the time series was
   * written and before its steps were.
   */
  private static ClientResults asFarAsWritten(ClientResults results) {
    return FileAgreement.isOfOneTime(results) ? results : results.withoutSteps();
  }
}
