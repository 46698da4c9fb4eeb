// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.Verification;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.ThroughputRange;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultAction.ProcessAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Lists the notes below the result table, which are necessary to read it correctly. */
public final class Footnotes {
  /** results/scenario/run/database */
  private static final int SHOWN_NAMES = 4;

  /** Time in seconds whose tenths matter. */
  private static final int SHORT = 120;

  private Footnotes() {}

  /** Returns the notes, each a line without a full stop. */
  public static List<String> of(RunFigures figures) {
    List<String> notes = new ArrayList<>();
    figures.databases().stream()
        .limit(1)
        .flatMap(each -> scaled(each.run()).stream())
        .forEach(notes::add);
    boolean measured =
        figures.databases().stream()
            .flatMap(each -> each.host().stream())
            .anyMatch(HostAnalysis::isMeasured);
    for (DatabaseFigures each : figures.databases()) {
      DatabaseRun database = each.run();
      if (!each.isComplete()) {
        notes.add(
            ending(each)
                + (each.total().isPresent() ? "" : ", not in the table: " + shown(database)));
      }
      notes.addAll(searches(each));
      incomplete(each).ifPresent(notes::add);
      if (each.host().isPresent()) {
        range(each).ifPresent(notes::add);
      }
      sharedMachine(each).ifPresent(notes::add);
      each.host()
          .filter(any -> measured)
          .ifPresent(host -> host.missing().forEach(what -> notes.add(each.name() + ": " + what)));
      Optional<Verification> found = database.manifest().verification();
      found.ifPresent(
          it -> notes.add(each.name() + ": " + VisibleText.of(it.text(each.violated()))));
      notes.addAll(ShardNotes.of(database));
      notes.addAll(zones(each));
      notes.addAll(preparations(each));
      notes.addAll(LoadGeneratorNotes.of(each));
      notes.addAll(StepNotes.of(each));
      database.unreadable().forEach(it -> notes.add(each.name() + ": " + it.text()));
      truncated(database)
          .forEach(
              file ->
                  notes.add(
                      "%s: the incomplete last line of %s was left out"
                          .formatted(each.name(), file)));
    }
    notes.addAll(withoutManifest(figures));
    figures.run().imports().forEach(imported -> notes.add(origin(imported)));
    notes.addAll(brokenLimits(figures.databases()));
    notes.addAll(undecidedLimits(figures.databases()));
    return notes;
  }

  /** Returns which databases are a shard alone or merged from shards, a line for each. */
  public static List<String> shards(RunFigures figures) {
    return figures.databases().stream()
        .flatMap(each -> ShardNotes.of(each.run()).stream().limit(1))
        .toList();
  }

  /** Returns the databases whose runs were killed before they wrote a manifest, a line for each. */
  public static List<String> withoutManifest(RunFigures figures) {
    return figures.run().directory().withoutManifest().stream()
        .map(
            path ->
                VisibleText.of(path.getFileName().toString())
                    + ": not in the table: manifest.json is missing")
        .toList();
  }

  private static Stream<String> truncated(DatabaseRun database) {
    return Stream.concat(
        Stream.of("latency.hlog").filter(any -> database.latencies().truncated()),
        database.clients().stream().flatMap(clients -> clients.truncated().stream()));
  }

  /** Returns the limits of the scenario that were broken, a line without a full stop for each. */
  public static List<String> brokenLimits(List<DatabaseFigures> databases) {
    return limits(databases, "was broken", DatabaseFigures::brokenLimits);
  }

  /** Returns the limits that only the load generator broke, a line without a full stop for each. */
  public static List<String> undecidedLimits(List<DatabaseFigures> databases) {
    return limits(databases, "is undecided", DatabaseFigures::undecidedLimits);
  }

  private static List<String> limits(
      List<DatabaseFigures> databases,
      String what,
      Function<DatabaseFigures, List<LimitResult>> which) {
    return databases.stream()
        .flatMap(
            database ->
                which.apply(database).stream()
                    .map(
                        each ->
                            "%s: the threshold %s %s: %s"
                                .formatted(database.name(), each.limit(), what, each.reason())))
        .toList();
  }

  public static List<String> of(DatabaseFigures database) {
    List<String> notes = new ArrayList<>();
    scaled(database.run()).ifPresent(notes::add);
    if (!database.isComplete()) {
      notes.add(ending(database));
    }
    notes.addAll(searches(database));
    range(database).ifPresent(notes::add);
    return notes;
  }

  private static List<String> searches(DatabaseFigures database) {
    List<String> notes = new ArrayList<>();
    database.capacities().forEach(each -> notes.add(VisibleText.of(each.headline())));
    database.run().searches().stream()
        .map(CapacityStatement::load)
        .forEach(load -> notes.add(database.name() + ": " + load));
    if (!notes.isEmpty()) {
      notes.add(database.name() + ": all other values are from the probe before the search");
    }
    return notes;
  }

  private static Optional<String> range(DatabaseFigures database) {
    return database
        .range()
        .flatMap(ThroughputRange::note)
        .map(note -> database.name() + ": " + note);
  }

  private static List<String> zones(DatabaseFigures database) {
    OptionalDouble relay =
        database.host().map(HostAnalysis::relaySeconds).orElse(OptionalDouble.empty());
    Optional<RunZones> zones = database.run().zones();
    return zones
        .map(each -> zones(database.name(), each, relay))
        .orElseGet(() -> relay.stream().mapToObj(each -> relayed(database.name(), each)).toList());
  }

  /** Returns what the members of a run had only for its faults, and what makes them unsafe. */
  private static List<String> preparations(DatabaseFigures database) {
    List<String> notes = new ArrayList<>();
    if (planned(database, fault -> fault.action() == ProcessAction.BLOCKED_LOG)) {
      notes.add("the members logged every request (debug) through pipes, for blocked-log");
    }
    if (planned(database, Fault::needsPowerCutDisk)) {
      notes.add("the data was on a file system that can lose power, which makes each write slower");
    }
    List<String> unsafe = database.run().manifest().store().serverSettings().unsafe();
    if (unsafe.isEmpty() && planned(database, fault -> fault.action() == ProcessAction.POWER_CUT)) {
      database
          .run()
          .manifest()
          .store()
          .knowledge()
          .promise()
          .ifPresent(
              what -> notes.add("before it acknowledges a write, it " + what + " of its members"));
    }
    for (String setting : unsafe) {
      notes.add(setting + " acknowledges writes before they are on a disk: a power cut loses them");
    }
    return notes.stream().map(note -> database.name() + ": " + note).toList();
  }

  private static boolean planned(DatabaseFigures database, Predicate<Fault> which) {
    return database.run().manifest().store().servers().are(ServerInfo.Hosting.LOCAL)
        && database.faults().stream()
            .flatMap(faults -> faults.outages().stream())
            .anyMatch(each -> which.test(each.fault().kind().fault()));
  }

  private static String relayed(String id, double seconds) {
    return "%s: all data of members and clients passed a relay, for network faults; it used %s s of CPU"
        .formatted(id, fixed(seconds, 2));
  }

  static List<String> zones(String id, RunZones zones, OptionalDouble relaySeconds) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "topology %s, members in %s%s"
            .formatted(
                zones.topology(),
                String.join(", ", zones.members()),
                zones.loadGenerator().map(zone -> ", the load generator in " + zone).orElse("")));
    zones.links().forEach(link -> notes.add(link.text()));
    relaySeconds.ifPresent(
        seconds ->
            notes.add(
                ("the relay between zones used %s s of CPU in the measured steps, in addition "
                        + "to servers and load generator")
                    .formatted(fixed(seconds, 2))));
    return notes.stream().map(note -> id + ": " + VisibleText.of(note)).toList();
  }

  private static String origin(ImportedRun imported) {
    String successes =
        imported.report().successes().isPresent()
            ? ", %s requests succeeded".formatted(commas(imported.report().successes().getAsLong()))
            : "";
    return VisibleText.of(
        "%s: imported from %s (%s)%s; values and precision come from the imported text"
            .formatted(imported.tag(), ImportedRun.ORIGIN, imported.source(), successes));
  }

  /**
   * Returns a note about members that share a machine, whose values of the network cover the whole
   * machine.
   */
  private static Optional<String> sharedMachine(DatabaseFigures database) {
    ServerInfo servers = database.run().manifest().store().servers();
    List<String> members = servers.members();
    long machines = servers.machines().stream().distinct().count();
    return database.host().filter(HostAnalysis::knowsServers).isEmpty()
            || machines == members.size()
        ? Optional.empty()
        : Optional.of(
            "%s: %d members share %s: sums over members count a shared network once, and disk bytes of the members only"
                .formatted(
                    database.name(), members.size(), NumberFormats.count(machines, "machine")));
  }

  private static Optional<String> scaled(DatabaseRun database) {
    double scale = database.manifest().scenario().scale();
    return scale == 1
        ? Optional.empty()
        : Optional.of(
            "scaled to " + NumberFormats.shortest(100 * scale) + "% of the scenario's requests");
  }

  private static String time(double seconds) {
    return seconds < SHORT ? fixed(seconds, 1) + " s" : NumberFormats.duration(seconds);
  }

  /** Returns how the run of a database ended, and after how long. */
  public static String ending(DatabaseFigures figures) {
    DatabaseRun database = figures.run();
    String after =
        database
            .clients()
            .map(results -> " after " + time(results.totalSeconds()))
            .orElse(
                figures.unreadableRequests().isEmpty()
                    ? " before the first request was measured"
                    : "");
    String reason =
        database.manifest().reason().map(why -> " (" + VisibleText.of(why) + ")").orElse("");
    return figures.name() + ": " + database.manifest().statusText() + after + reason;
  }

  /**
   * Returns a note about a run that is marked as complete, but lacks requests. If a step ends by
   * time, fewer requests than the maximum are not an error.
   */
  private static Optional<String> incomplete(DatabaseFigures figures) {
    DatabaseRun database = figures.run();
    long expected = database.requests();
    return database
        .clients()
        .filter(results -> figures.isComplete())
        .filter(results -> database.unreadable().isEmpty())
        .map(results -> results.counts().intended())
        .filter(measured -> measured != expected)
        .map(
            measured ->
                "%s: %s of %s requests were measured"
                    .formatted(figures.name(), commas(measured), commas(expected)));
  }

  private static String shown(DatabaseRun database) {
    Path path = database.directory().path();
    int names = path.getNameCount();
    return VisibleText.of(path.subpath(Math.max(0, names - SHOWN_NAMES), names).toString());
  }
}
