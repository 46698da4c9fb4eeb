// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.humanizedBytes;
import static io.quorate.format.NumberFormats.shortest;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.Fact;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Ramp;
import io.quorate.scenario.Step;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collects the facts of a run from its manifests, as readable text. */
final class RunInfo {
  private static final double MICROS_PER_MILLI = 1000;
  private static final double MILLIS_PER_SECOND = 1000;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String UNKNOWN = "-";
  private final ExperimentRun run;
  private final Map<String, List<String>> byName = new LinkedHashMap<>();

  RunInfo(ExperimentRun run) {
    this.run = run;
    List<Map<String, String>> columns = run.databases().stream().map(this::facts).toList();
    columns.stream()
        .limit(1)
        .flatMap(column -> column.keySet().stream())
        .forEach(
            name -> byName.put(name, columns.stream().map(column -> column.get(name)).toList()));
  }

  /**
   * Returns operation, sizes and load in one line, such as {@code put, 256-byte keys, 1,024-byte
   * values, 1 to 100 clients}; empty if they differ between databases.
   */
  String parameters() {
    List<String> all =
        run.databases().stream()
            .map(each -> parameters(each.manifest().load()))
            .distinct()
            .toList();
    return all.size() == 1 && !run.isSearch() ? all.get(0) : "";
  }

  /** Returns the load generator's machines, each once. */
  List<String> machines() {
    return run.databases().stream()
        .map(each -> machine(each.manifest().host()))
        .distinct()
        .toList();
  }

  /** Returns when and where it was measured, and the versions. */
  List<String> chips() {
    List<String> chips = new ArrayList<>();
    if (!run.databases().isEmpty()) {
      Manifest manifest = run.databases().get(0).manifest();
      chips.add(MINUTE.format(manifest.start()));
      chips.add(machine(manifest.host()));
    }
    String versions =
        run.databases().stream()
            .map(each -> shown(each.manifest().store().titleAndVersion()))
            .distinct()
            .collect(Collectors.joining(" \u00b7 "));
    if (!versions.isEmpty()) {
      chips.add(versions);
    }
    return chips;
  }

  private static String parameters(LoadInfo load) {
    List<String> parts = new ArrayList<>(List.of(load.operations()));
    if (load.mix().usesKeys()) {
      parts.add(commas(load.keyBytes()) + "-byte keys");
      parts.add(
          commas(load.valueBytes())
              + "-byte values"
              + (load.values().isFixed() ? "" : " on average"));
    }
    List<Step> steps = load.steps();
    Step only = steps.get(0);
    if (only.isPhase() || only.model() instanceof LoadModel.Open open && open.ramp().isPresent()) {
      parts.add(only.isPhase() ? NumberFormats.count(steps.size(), "phase") : only.load());
      return String.join(", ", parts);
    }
    LongSummaryStatistics loads = steps.stream().mapToLong(StepFigures::load).summaryStatistics();
    String most = commas(loads.getMax());
    String unit = only.isOpen() ? "/s" : most.equals("1") ? " client" : " clients";
    parts.add(
        (loads.getMin() == loads.getMax() ? most : commas(loads.getMin()) + " to " + most) + unit);
    return String.join(", ", parts);
  }

  List<Fact> identity() {
    List<Fact> identity = new ArrayList<>();
    run.databases().stream()
        .limit(1)
        .map(each -> VisibleText.of(each.manifest().scenario().name()))
        .forEach(name -> identity.add(new Fact("scenario", name)));
    identity.add(new Fact("run", VisibleText.of(run.directory().id())));
    names("databases", run.databases().stream().map(each -> each.manifest().store().id()))
        .ifPresent(identity::add);
    names("imported", run.imports().stream().map(ImportedRun::tag)).ifPresent(identity::add);
    return identity;
  }

  private static Optional<Fact> names(String what, Stream<String> names) {
    return names
        .map(VisibleText::of)
        .reduce((one, other) -> one + ", " + other)
        .map(list -> new Fact(what, list));
  }

  List<Fact> common() {
    List<Fact> common = new ArrayList<>();
    byName.forEach(
        (name, values) -> {
          if (isCommon(values) && !values.get(0).equals(UNKNOWN)) {
            common.add(new Fact(name, values.get(0)));
          }
        });
    return common;
  }

  /**
   * Returns the facts that differ, a column for each database; all facts if there is one database.
   */
  Table differing() {
    List<Row> rows = new ArrayList<>();
    byName.forEach(
        (name, values) -> {
          if (!isCommon(values)) {
            rows.add(new Row(name, values.stream().map(text -> new Cell(text, false)).toList()));
          }
        });
    return new Table(
        run.databases().stream()
            .map(each -> VisibleText.of(each.manifest().store().tag()))
            .toList(),
        rows);
  }

  /**
   * Returns whether a fact is the same for all. The outcome of a run is always in the table, as
   * columns without rows would be useless.
   */
  private boolean isCommon(List<String> values) {
    return values != byName.get("status") && values.stream().distinct().count() == 1;
  }

  Table shards() {
    return Table.of(
        run.databases().stream()
            .map(DatabaseRun::manifest)
            .flatMap(
                manifest ->
                    manifest.shards().stream().map(shard -> shard(manifest.store().id(), shard)))
            .toList());
  }

  private static Map<String, String> shard(String name, MergedShard shard) {
    Optional<ShardStart> first =
        shard.starts().stream().filter(start -> start.step() == 1).findFirst();
    OptionalDouble busy =
        shard.costs().stream().mapToDouble(cost -> cost.machineLoad().orElse(0)).max();
    Map<String, String> row = new LinkedHashMap<>();
    row.put("", "%s, %d of %d".formatted(shown(name), shard.number(), shard.count()));
    row.put("run", shard.run().map(RunInfo::shown).orElse(UNKNOWN));
    row.put(
        "status",
        shard
            .status()
            .map(status -> status.id() + shard.reason().map(why -> ": " + shown(why)).orElse(""))
            .orElse("missing"));
    row.put("load generator", shard.host().map(RunInfo::shown).orElse(UNKNOWN));
    row.put("its machine", shard.machine().map(RunInfo::machine).orElse(UNKNOWN));
    row.put("its Java", shard.machine().map(host -> shown(host.jvmVersion())).orElse(UNKNOWN));
    row.put("succeeded", count(shard, shard.succeeded()));
    row.put("failed", count(shard, shard.failed()));
    row.put("dropped", count(shard, shard.dropped()));
    row.put("began step 1", first.map(start -> start.sharedTime().toString()).orElse(UNKNOWN));
    row.put(
        "clock ahead",
        first
            .flatMap(ShardStart::clock)
            .map(
                clock ->
                    "%s ms, \u00b1 %s"
                        .formatted(
                            fixed(clock.aheadMicros() / MICROS_PER_MILLI, 1),
                            fixed(clock.uncertaintyMicros() / MICROS_PER_MILLI, 1)))
            .orElse("not known"));
    row.put(
        "machine busy at most",
        busy.isPresent() ? NumberFormats.wholePercent(busy.getAsDouble()) : UNKNOWN);
    return row;
  }

  private static String machine(HostInfo host) {
    String memory =
        host.memoryBytes().isPresent() ? ", " + humanizedBytes(host.memoryBytes().getAsLong()) : "";
    return NumberFormats.count(host.cores(), "core") + memory + ", " + shown(host.os());
  }

  private static String count(MergedShard shard, long count) {
    return shard.isMerged() ? commas(count) : UNKNOWN;
  }

  private Map<String, String> facts(DatabaseRun database) {
    Manifest manifest = database.manifest();
    ServerInfo servers = manifest.store().servers();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "status",
        manifest.statusText() + manifest.reason().map(why -> ": " + shown(why)).orElse(""));
    facts.put("version", servers.version().map(RunInfo::shown).orElse(UNKNOWN));
    facts.put("members", list(servers.members()));
    facts.put("members without a vote", servers.nonVoters().map(RunInfo::list).orElse(UNKNOWN));
    facts.put("leader at the start", servers.leader().map(RunInfo::shown).orElse(UNKNOWN));
    facts.put(
        "servers", servers.hosting().map(it -> it.name().toLowerCase(Locale.ROOT)).orElse(UNKNOWN));
    facts.put(
        "keys in the cluster", servers.keys().map(keys -> shown(keys.text())).orElse(UNKNOWN));
    facts.put("settings of the servers", list(manifest.store().settingTexts()));
    facts.put("agents", list(servers.agents().stream().map(RunInfo::agent).toList()));
    facts.put("started", time(Optional.of(manifest.start())));
    facts.put("ended", time(manifest.end()));
    load(facts, database);
    facts.put("seed", Long.toString(manifest.load().seed()));
    host(facts, manifest.host());
    facts.put("Quorate", suite(manifest.suite()));
    return facts;
  }

  private static String agent(ServerInfo.Agent agent) {
    return "%s on %s, clock %s ms ahead"
        .formatted(
            agent.address(),
            agent.host().orElse("a host without a name"),
            fixed(agent.clockAheadMicros() / MICROS_PER_MILLI, 3));
  }

  private void load(Map<String, String> facts, DatabaseRun database) {
    LoadInfo load = database.manifest().load();
    facts.put("operation", load.operations());
    facts.put("promise of reads", load.mix().reads() ? load.consistency().id() : UNKNOWN);
    facts.put(
        "requests go to",
        load.routing().id()
            + (load.onFailure() == ConnectionBinding.FAILOVER ? ", others on failure" : ""));
    facts.put("request timeout", load.requestTimeout().toMillis() + " ms");
    facts.put(
        "real-time priority",
        load.realTime()
            .map(granted -> granted ? "granted to the load generator" : "refused by the system")
            .orElse(UNKNOWN));
    boolean keys = load.mix().usesKeys();
    facts.put("size of keys", keys ? load.keyBytes() + " bytes" + load.keys().ends() : UNKNOWN);
    facts.put("size of values", keys ? load.values().toString() : UNKNOWN);
    facts.put("leases", load.mix().usesLeases() ? leases(load.mix().leases()) : UNKNOWN);
    String steps = load.steps().stream().map(RunInfo::step).collect(Collectors.joining("; "));
    if (run.isSearch()) {
      facts.put("load", list(searches(database), "; "));
      facts.put("probe before the search", steps);
    } else {
      facts.put("steps", steps);
    }
  }

  private static List<String> searches(DatabaseRun database) {
    return database.searches().stream().map(CapacityStatement::load).toList();
  }

  private static String leases(OperationMix.Leases leases) {
    return "%s, which end after %d s".formatted(commas(leases.count()), leases.ttlSeconds());
  }

  private static String step(Step step) {
    if (step.isPhase()) {
      return step.load()
          + step.duration().map(time -> " for " + time.toSeconds() + " s").orElse("");
    }
    String connections =
        step.isOneShot()
            ? ", a connection for each"
            : step.connections() == step.clients()
                ? ""
                : " on " + commas(step.connections()) + " connections";
    if (step.model() instanceof LoadModel.Open open) {
      return "%s requests at %s%s"
          .formatted(
              commas(step.requests()),
              open.ramp().map(Ramp::toString).orElseGet(() -> commas(open.ratePerSecond()) + "/s"),
              " on " + commas(step.connections()) + " connections");
    }
    return "%s by %s%s"
        .formatted(
            step.duration()
                .map(time -> time.toMillis() / MILLIS_PER_SECOND)
                .map(seconds -> "requests for " + shortest(seconds) + " s")
                .orElseGet(() -> commas(step.requests()) + " requests"),
            NumberFormats.count(step.clients(), "client"),
            connections);
  }

  private static void host(Map<String, String> facts, HostInfo host) {
    facts.put("load generator", host.host().map(RunInfo::shown).orElse(UNKNOWN));
    facts.put("its system", shown(host.os()) + ", kernel " + shown(host.kernel()));
    facts.put("its cores", Integer.toString(host.cores()));
    facts.put("its CPU", host.cpuModel().map(RunInfo::shown).orElse(UNKNOWN));
    facts.put(
        "its memory",
        host.memoryBytes().isPresent() ? humanizedBytes(host.memoryBytes().getAsLong()) : UNKNOWN);
    facts.put("its disk", host.disk().map(RunInfo::shown).orElse(UNKNOWN));
    facts.put("its JVM", shown(host.jvmVersion()) + " (" + shown(host.jvmVendor()) + ")");
    facts.put("its JVM's flags", list(host.jvmFlags(), " "));
  }

  private static String suite(BuildInfo suite) {
    return suite.version().map(RunInfo::shown).orElse("version unknown")
        + suite.commit().map(commit -> ", commit " + shown(commit)).orElse("")
        + (suite.dirty() ? ", with changes that are not in it" : "");
  }

  private static String time(Optional<Instant> instant) {
    return instant.map(TIME::format).orElse(UNKNOWN);
  }

  private static String list(List<String> texts) {
    return list(texts, ", ");
  }

  private static String list(List<String> texts, String separator) {
    return texts.isEmpty()
        ? UNKNOWN
        : texts.stream().map(RunInfo::shown).collect(Collectors.joining(separator));
  }

  private static String shown(String text) {
    return VisibleText.of(text);
  }
}
