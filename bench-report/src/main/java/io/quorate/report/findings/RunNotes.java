package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.CheckedLimit;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.ThroughputRange;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists the notes below the result table, which are needed to read it correctly. */
public final class RunNotes {
  /** results/scenario/run/database */
  private static final int SHOWN_NAMES = 4;

  private final ExperimentRun run;
  private final Map<DatabaseDirectory, HostAnalysis> hosts;

  /**
   * @param hosts of the databases in the table
   */
  public RunNotes(ExperimentRun run, Map<DatabaseDirectory, HostAnalysis> hosts) {
    this.run = run;
    this.hosts = hosts;
  }

  /** Returns the notes, each a line without a full stop. */
  public List<String> all() {
    List<String> notes = new ArrayList<>();
    run.databases().stream().limit(1).flatMap(each -> scaled(each).stream()).forEach(notes::add);
    for (DatabaseRun database : run.databases()) {
      if (database.manifest().status() != RunStatus.COMPLETE) {
        notes.add(ending(database) + ", not in the table: " + shown(database));
      }
      notes.addAll(searches(database));
      incomplete(database).ifPresent(notes::add);
      if (hosts.containsKey(database.directory())) {
        range(database).ifPresent(notes::add);
      }
      sharedMachine(database).ifPresent(notes::add);
      if (hosts.values().stream().anyMatch(HostAnalysis::isMeasured)) {
        Optional.ofNullable(hosts.get(database.directory()))
            .ifPresent(
                host -> host.missing().forEach(what -> notes.add(id(database) + ": " + what)));
      }
      verification(database).ifPresent(notes::add);
      notes.addAll(ShardNotes.of(database));
      notes.addAll(ZoneNotes.of(database, Optional.ofNullable(hosts.get(database.directory()))));
      notes.addAll(LoadGeneratorNotes.of(database));
      notes.addAll(OpenLoopNotes.of(database));
      notes.addAll(WatchNotes.of(database));
      notes.addAll(AttemptNotes.of(database));
      notes.addAll(ConnectNotes.of(database));
      database.unreadable().forEach(each -> notes.add(id(database) + ": " + each.text()));
      truncated(database)
          .forEach(
              file ->
                  notes.add(
                      "%s: the incomplete last line of %s was left out"
                          .formatted(id(database), file)));
    }
    for (Path without : run.directory().withoutManifest()) {
      notes.add(
          VisibleText.of(without.getFileName().toString())
              + ": not in the table, since its manifest.json is not there");
    }
    run.imports().forEach(imported -> notes.add(origin(imported)));
    notes.addAll(brokenLimits(run));
    return notes;
  }

  /** Returns the names of the files that end within a line, as after a kill. */
  private static Stream<String> truncated(DatabaseRun database) {
    return Stream.concat(
        Stream.of("latency.hlog").filter(any -> database.latencies().truncated()),
        database.clients().stream().flatMap(clients -> clients.truncated().stream()));
  }

  /** Returns the limits of the scenario that were broken, a line without a full stop for each. */
  public static List<String> brokenLimits(ExperimentRun run) {
    return run.databases().stream()
        .flatMap(
            database ->
                CheckedLimit.of(database).stream()
                    .filter(each -> !each.isKept())
                    .map(each -> id(database) + ": " + broken(each)))
        .toList();
  }

  private static String broken(CheckedLimit limit) {
    return "the limit %s was broken: %s".formatted(limit.limit(), limit.reason());
  }

  /** Returns the notes that are needed to read the figures of one database. */
  public static List<String> of(DatabaseRun database) {
    List<String> notes = new ArrayList<>();
    scaled(database).ifPresent(notes::add);
    if (database.manifest().status() != RunStatus.COMPLETE) {
      notes.add(ending(database));
    }
    notes.addAll(searches(database));
    range(database).ifPresent(notes::add);
    return notes;
  }

  /** Returns the results of searches, and that the rest is about the probe before them. */
  private static List<String> searches(DatabaseRun database) {
    List<String> notes = new ArrayList<>();
    CapacityStatement.all(database).forEach(each -> notes.add(VisibleText.of(each.headline())));
    database.searches().stream()
        .map(CapacityStatement::load)
        .forEach(load -> notes.add(id(database) + ": " + load));
    if (!notes.isEmpty()) {
      notes.add(id(database) + ": all other values are from the probe before the search");
    }
    return notes;
  }

  private static Optional<String> verification(DatabaseRun database) {
    return database
        .manifest()
        .verification()
        .map(found -> id(database) + ": " + VisibleText.of(found.text()));
  }

  private static Optional<String> range(DatabaseRun database) {
    return database
        .clients()
        .flatMap(results -> new ThroughputRange(StepFigures.of(database), results).note())
        .map(note -> id(database) + ": " + note);
  }

  private static String origin(ImportedRun imported) {
    String successes =
        imported.report().successes().isPresent()
            ? ", %s requests succeeded"
                .formatted(NumberFormats.commas(imported.report().successes().getAsLong()))
            : "";
    return VisibleText.of(
        "%s: imported from %s (%s)%s; only figures of that text are shown, as precise as they are there"
            .formatted(imported.tag(), ImportedRun.ORIGIN, imported.source(), successes));
  }

  /**
   * Returns a note about members that share a machine: network and disk are the whole machine's, so
   * they are counted several times.
   */
  private Optional<String> sharedMachine(DatabaseRun database) {
    List<String> members = database.manifest().store().servers().members();
    long machines = database.manifest().store().servers().machines().stream().distinct().count();
    HostAnalysis host = hosts.get(database.directory());
    return host == null || !host.knowsServers() || machines == members.size()
        ? Optional.empty()
        : Optional.of(
            "%s: %d members share %d machine%s, and each counts all of its network and disk"
                .formatted(id(database), members.size(), machines, machines == 1 ? "" : "s"));
  }

  private static Optional<String> scaled(DatabaseRun database) {
    double scale = database.manifest().scenario().scale();
    BigDecimal percent =
        new BigDecimal(Double.toString(scale)).movePointRight(2).stripTrailingZeros();
    return scale == 1
        ? Optional.empty()
        : Optional.of("scaled to " + percent.toPlainString() + " % of the scenario's requests");
  }

  private static String ending(DatabaseRun database) {
    String after =
        database
            .clients()
            .map(results -> " after " + NumberFormats.fixed(results.totalSeconds(), 1) + " s")
            .orElse(" before the first request was measured");
    String reason =
        database.manifest().reason().map(why -> " (" + VisibleText.of(why) + ")").orElse("");
    return id(database) + ": " + database.manifest().status().label() + after + reason;
  }

  /**
   * Returns a note about a run that claims to be complete, but of which requests are missing. Where
   * a step ends by time, fewer requests than it might make are no fault.
   */
  private static Optional<String> incomplete(DatabaseRun database) {
    long expected = database.requests();
    return database
        .clients()
        .filter(results -> database.manifest().status() == RunStatus.COMPLETE)
        .filter(results -> database.unreadable().isEmpty())
        .map(ClientResults::requestCount)
        .filter(measured -> measured != expected)
        .map(
            measured ->
                "%s: %s of %s requests were measured"
                    .formatted(
                        id(database),
                        NumberFormats.commas(measured),
                        NumberFormats.commas(expected)));
  }

  private static String id(DatabaseRun database) {
    return VisibleText.of(database.manifest().store().id());
  }

  /** Returns the end of the path, the same wherever the report is made. */
  private static String shown(DatabaseRun database) {
    Path path = database.directory().path();
    int names = path.getNameCount();
    List<String> shown = new ArrayList<>();
    path.subpath(Math.max(0, names - SHOWN_NAMES), names)
        .forEach(name -> shown.add(name.toString()));
    return VisibleText.of(String.join("/", shown));
  }
}
