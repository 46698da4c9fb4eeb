// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static io.quorate.format.NumberFormats.commas;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.GoText;
import io.quorate.format.Problems;
import io.quorate.format.Unreadable;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.requests.ClientFiles;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.SecondRow;
import io.quorate.results.requests.TenthRow;
import io.quorate.results.requests.WatchRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The content of the files of one database of a run.
 *
 * @param clients results of the clients; empty only if the run was stopped before the measurement,
 *     or if necessary files are unreadable
 * @param tenths response times in tenths of seconds, in the order in which they were recorded;
 *     empty if no request succeeded; a search has only those of the load before its first trial
 * @param watches events that the watchers of each step received, in the order of the steps that
 *     have begun; empty if there were none
 * @param searches searches for its capacity; empty if there were none
 * @param events events of the run; empty if nothing happened
 * @param zones zones of the members; empty if there were none
 * @param machines what was measured of the machines, and what members reported; read when needed
 * @param unreadable unreadable files, or lines of files, whose values are missing here
 */
public record DatabaseRun(
    DatabaseDirectory directory,
    Manifest manifest,
    Optional<ClientResults> clients,
    LatencyLog.Contents latencies,
    List<TenthRow> tenths,
    List<WatchRow> watches,
    List<SearchRecord> searches,
    List<RunEvent> events,
    Optional<RunZones> zones,
    Journals journals,
    HostMeasurements machines,
    List<Unreadable> unreadable) {
  /**
   * Reads the directory of a database. A complete run must have all files; files of an incomplete
   * run may be missing. One that goes on is read as if it ended now. Unreadable files and lines are
   * in {@link #unreadable}, and values that depend on them are missing. So are files of another
   * size than at the end of the run.
   *
   * @throws QuorateException if the manifest cannot be read, with line, what was found and what was
   *     expected
   */
  public static DatabaseRun read(Path path) {
    DatabaseDirectory directory = new DatabaseDirectory(path);
    Manifest manifest = Manifest.read(directory.manifest()).soFar();
    if (!manifest.store().id().equals(directory.id())) {
      throw new QuorateException(
          "%s: database.id: found %s, expected %s as its directory is named"
              .formatted(
                  directory.manifest(),
                  VisibleText.line(GoText.quoted(manifest.store().id())),
                  GoText.quoted(directory.id())));
    }
    boolean complete = manifest.status() == RunStatus.COMPLETE;
    boolean logged = complete || Files.exists(directory.latencyLog());
    Problems problems = new Problems(manifest::requireWhole);
    LatencyLog.Contents latencies =
        logged ? LatencyLog.read(directory.latencyLog(), problems) : LatencyLog.Contents.NONE;
    ClientFiles files = new ClientFiles(directory);
    List<TenthRow> tenths = files.readTenths(manifest, problems);
    List<WatchRow> watches = files.readWatches(manifest, problems);
    Optional<ClientResults> clients =
        complete || files.exist() ? files.read(manifest, problems) : Optional.empty();
    if (complete && clients.isPresent()) {
      Optional<Unreadable> cut = cut(directory, clients.get(), latencies, problems.unreadable());
      if (cut.isPresent()) {
        problems.add(cut.get());
        boolean ofLatencies = cut.get().file().equals(directory.latencyLog());
        latencies = ofLatencies ? LatencyLog.Contents.NONE : latencies;
        clients = ofLatencies ? clients : Optional.empty();
      }
    }
    Optional<List<SearchRecord>> searches =
        problems.attempt(
            TrialsJournal.file(directory),
            "the search for the capacity is left out",
            () -> TrialsJournal.read(directory));
    Optional<List<RunEvent>> events =
        problems.attempt(
            RunEvent.FILE.file(directory),
            "stalls of the load generator are not distinguished from stalls of the servers",
            () -> RunEvent.FILE.read(directory));
    Optional<Optional<RunZones>> zones =
        problems.attempt(
            RunZones.file(directory),
            "the zones of the members are left out",
            () -> RunZones.read(directory, manifest.store().servers().members().size()));
    return new DatabaseRun(
        directory,
        manifest,
        clients,
        latencies,
        tenths,
        watches,
        searches.orElse(List.of()),
        events.orElse(List.of()),
        zones.orElse(Optional.empty()),
        Journals.read(directory, problems),
        new HostMeasurements(directory, manifest::requireWhole),
        problems.unreadable());
  }

  /** Returns which file of a complete run has fewer successes than the other; empty if none. */
  private static Optional<Unreadable> cut(
      DatabaseDirectory directory,
      ClientResults clients,
      LatencyLog.Contents latencies,
      List<Unreadable> known) {
    long logged = latencies.all().getTotalCount();
    long counted = clients.successCount();
    Path log = directory.latencyLog();
    if (logged == counted || known.stream().anyMatch(each -> each.file().equals(log))) {
      return Optional.empty();
    }
    Path seconds = SecondRow.FILE.in(directory.path());
    Path file = logged < counted ? log : seconds;
    return Optional.of(
        new Unreadable(
            file,
            "%s: found %s latencies, expected %s as in %s: the file was changed or cut"
                .formatted(
                    file,
                    commas(Math.min(logged, counted)),
                    commas(Math.max(logged, counted)),
                    (logged < counted ? seconds : log).getFileName()),
            logged < counted ? LatencyLog.WITHOUT_HISTOGRAMS : ClientFiles.WITHOUT_REQUESTS));
  }

  DatabaseRun withHeading(String heading) {
    return with(manifest.withTag(heading));
  }

  /** Returns this run as a column with another id, next to other runs of its store. */
  public DatabaseRun asColumn(String id, String heading) {
    return with(manifest.asColumn(id, heading));
  }

  private DatabaseRun with(Manifest other) {
    return new DatabaseRun(
        directory,
        other,
        clients,
        latencies,
        tenths,
        watches,
        searches,
        events,
        zones,
        journals,
        machines,
        unreadable);
  }

  /**
   * Returns how many requests a complete run of this load has: the planned number or, if it ends by
   * time or was ended early, the actual number.
   */
  public long requests() {
    return manifest.load().endsByTime() || manifest.status() == RunStatus.ENDED_EARLY
        ? clients.map(results -> results.counts().intended()).orElse(0L)
        : manifest.load().requests();
  }
}
