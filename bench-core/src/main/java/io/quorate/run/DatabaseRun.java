package io.quorate.run;

import io.quorate.QuorateException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All that the files of one database of a run say.
 *
 * @param clients empty only if the run broke off before anything was measured
 * @param latencies in nanoseconds
 */
public record DatabaseRun(
    DatabaseDirectory directory,
    Manifest manifest,
    Optional<ClientResults> clients,
    LatencyLog.Contents latencies) {

  /**
   * Reads the directory of a database. The files of a complete run must all be there and agree with
   * each other; of another one, those that were not yet written may be missing.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static DatabaseRun read(Path path) {
    DatabaseDirectory directory = new DatabaseDirectory(path);
    Manifest manifest = Manifest.read(directory.manifest());
    boolean complete = manifest.status() == RunStatus.COMPLETE;
    boolean measured = complete || Files.exists(directory.file(ClientFile.SUMMARY));
    boolean logged = complete || Files.exists(directory.latencyLog());
    Problems problems = new Problems();
    Optional<ClientResults> clients =
        measured
            ? problems.attempt(new ClientResultsReader(directory.clientFiles())::read)
            : Optional.empty();
    Optional<LatencyLog.Contents> latencies =
        logged
            ? problems.attempt(() -> LatencyLog.read(directory.latencyLog()))
            : Optional.of(LatencyLog.Contents.NONE);
    problems.throwIfAny();
    DatabaseRun run = new DatabaseRun(directory, manifest, clients, latencies.get());
    if (complete) {
      run.clients.ifPresent(run::checkAgreement);
    }
    return run;
  }

  private void checkAgreement(ClientResults results) {
    long successes = results.successCount();
    Path series = directory.file(ClientFile.TIME_SERIES);
    check(
        directory.file(ClientFile.DISTRIBUTION),
        results.distribution().stream().mapToLong(ClientResults.Bucket::count).sum(),
        successes,
        series);
    check(directory.latencyLog(), latencies.all().getTotalCount(), successes, series);
    check(
        directory.file(ClientFile.ERRORS),
        results.errorRows().stream().mapToLong(ClientResults.ErrorRow::count).sum(),
        results.errorCount(),
        directory.file(ClientFile.SUMMARY));
  }

  private static void check(Path file, long found, long expected, Path other) {
    if (found != expected) {
      throw new QuorateException(
          file + ": found " + found + " requests, expected " + expected + " as in " + other);
    }
  }
}
