package io.quorate.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.measure.EventCounts;
import io.quorate.report.analysis.CheckedLimit;
import io.quorate.report.analysis.ErrorSummary;
import io.quorate.report.analysis.HostAnalysis;
import io.quorate.report.analysis.HostFigure;
import io.quorate.report.analysis.OperationFigures;
import io.quorate.report.analysis.StepFigures;
import io.quorate.report.analysis.ThroughputRange;
import io.quorate.report.analysis.WatchFigures;
import io.quorate.run.ClientResults;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.DatabaseRun;
import io.quorate.run.EtcdBenchmarkReport;
import io.quorate.run.ExperimentRun;
import io.quorate.run.ImportedRun;
import io.quorate.run.JsonText;
import io.quorate.run.Manifest;
import io.quorate.run.NumberFormats;
import io.quorate.run.Percentile;
import io.quorate.run.WatchRow;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes {@code result.json}: the results of a run, for programs. Raw numbers with their units in
 * the names; what was not measured is not there. The format is that of {@code
 * result-2.schema.json}.
 */
final class ResultJson {
  /**
   * Version of the format, raised when a reader of the version before would misunderstand a file.
   */
  private static final int FORMAT_VERSION = 2;

  private static final double NANOS_PER_SECOND = 1e9;

  private final ExperimentRun run;
  private final Map<DatabaseDirectory, HostAnalysis> hosts;

  /**
   * @param hosts of the databases in the table
   */
  ResultJson(ExperimentRun run, Map<DatabaseDirectory, HostAnalysis> hosts) {
    this.run = run;
    this.hosts = hosts;
  }

  String text() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("formatVersion", FORMAT_VERSION);
    root.put("run", run.directory().id());
    run.databases().stream()
        .limit(1)
        .forEach(first -> scenario(root.putObject("scenario"), first.manifest().experiment()));
    ArrayNode databases = root.putArray("databases");
    run.databases().forEach(database -> database(databases.addObject(), database));
    if (!run.imports().isEmpty()) {
      ArrayNode imports = root.putArray("imports");
      run.imports().forEach(imported -> imported(imports.addObject(), imported));
    }
    return JsonText.of(root);
  }

  private static void scenario(ObjectNode to, Manifest.Experiment experiment) {
    to.put("name", experiment.name());
    to.put("title", experiment.title());
    number(to, "scale", experiment.scale());
    experiment.databases().forEach(to.putArray("databases")::add);
  }

  private static void imported(ObjectNode to, ImportedRun imported) {
    EtcdBenchmarkReport report = imported.report();
    to.put("tag", imported.tag());
    to.put("origin", ImportedRun.ORIGIN);
    to.put("source", imported.source());
    ObjectNode figures = to.putObject("figures");
    report.totalSeconds().ifPresent(value -> number(figures, "totalSeconds", value));
    report.requests().ifPresent(value -> figures.put("requestsAsked", value));
    report.successes().ifPresent(value -> figures.put("requestsSucceeded", value));
    report
        .requestsPerSecond()
        .ifPresent(value -> number(figures, "requestsPerSecondAverage", value));
    report.latency().ifPresent(latency -> latency(figures.putObject("latencyMs"), latency));
    report
        .errors()
        .ifPresent(
            errors -> {
              ArrayNode nodes = to.putArray("errors");
              errors.forEach(
                  error ->
                      nodes
                          .addObject()
                          .put("message", error.message())
                          .put("count", error.count()));
            });
  }

  private void database(ObjectNode to, DatabaseRun database) {
    Manifest manifest = database.manifest();
    to.put("id", manifest.store().id());
    to.put("tag", manifest.store().tag());
    to.put("directory", database.directory().id());
    to.put("status", manifest.status().label());
    manifest.reason().ifPresent(reason -> to.put("reason", reason));
    to.put("inTable", hosts.containsKey(database.directory()));
    to.put("start", manifest.start().toString());
    manifest.end().ifPresent(end -> to.put("end", end.toString()));
    manifest.store().version().ifPresent(version -> to.put("version", version));
    if (!manifest.store().settings().isEmpty()) {
      manifest.store().settings().forEach(to.putObject("settings")::put);
    }
    manifest.store().members().forEach(to.putArray("members")::add);
    manifest.store().leader().ifPresent(leader -> to.put("leaderAtStart", leader));
    manifest
        .store()
        .secured()
        .ifPresent(
            secured -> {
              to.put("security", secured.security());
              secured.authentication().forEach(to.putArray("authentication")::add);
            });
    ObjectNode known = manifest.json();
    to.set("suite", known.get("suite"));
    load(to.putObject("load"), manifest.load());
    to.set("loadGenerator", known.get("loadGenerator"));
    limits(to, database);
    if (known.has("verification")) {
      to.set("verification", known.get("verification"));
    }
    List<StepFigures> steps = StepFigures.of(database);
    database
        .clients()
        .ifPresent(results -> figures(to.putObject("figures"), manifest, steps, results));
    HostAnalysis host = hosts.get(database.directory());
    if (host != null && !host.figures().isEmpty()) {
      ObjectNode machines = to.putObject("machines");
      host.figures().forEach((figure, value) -> number(machines, name(figure), value));
    }
    database.clients().ifPresent(results -> errors(to.putArray("errors"), results));
    for (int i = 0; i < steps.size(); i++) {
      step(to.withArray("steps").addObject(), database, i + 1, steps.get(i));
    }
    List<String> missing = new ArrayList<>();
    database
        .clients()
        .flatMap(results -> new ThroughputRange(steps, results).missing())
        .ifPresent(missing::add);
    if (host != null) {
      missing.addAll(host.missing());
    }
    if (host != null || !missing.isEmpty()) {
      missing.forEach(to.putArray("notMeasured")::add);
    }
  }

  /** Writes the limits of the scenario, with values in the unit in which they are shown. */
  private static void limits(ObjectNode to, DatabaseRun database) {
    for (CheckedLimit each : CheckedLimit.of(database)) {
      ObjectNode limit = to.withArray("limits").addObject();
      limit.put("limit", each.limit().toString());
      each.found().ifPresent(found -> number(limit, "found", rounded(found)));
      limit.put("unit", each.limit().withUnit("").strip());
      limit.put("kept", each.isKept());
    }
  }

  private static void load(ObjectNode to, Manifest.Load load) {
    to.put("operation", load.mix().toString());
    ArrayNode operations = to.putArray("operations");
    for (OperationMix.Share share : load.mix().shares()) {
      operations.addObject().put("operation", share.operation().id()).put("weight", share.weight());
    }
    to.put("consistency", label(load.consistency()));
    to.put("routing", label(load.routing()));
    to.put("requestTimeoutMs", load.requestTimeout().toMillis());
    to.put("seed", load.seed());
    to.put("keyBytes", load.keyBytes());
    to.put("valueBytes", load.valueBytes());
  }

  private static void figures(
      ObjectNode to, Manifest manifest, List<StepFigures> steps, ClientResults results) {
    number(to, "totalSeconds", results.totalSeconds());
    to.put("requestsAsked", manifest.load().requests());
    to.put("requestsSucceeded", results.successCount());
    to.put("requestsFailed", results.errorCount());
    results.requestsPerSecond().ifPresent(value -> number(to, "requestsPerSecondAverage", value));
    ThroughputRange range = new ThroughputRange(steps, results);
    range.max().ifPresent(value -> to.put("requestsPerSecondMax", value));
    range.min().ifPresent(value -> to.put("requestsPerSecondMin", value));
    results.latency().ifPresent(latency -> latency(to.putObject("latencyMs"), latency));
  }

  private static void latency(ObjectNode to, ClientResults.Latency latency) {
    number(to, "fastest", latency.fastestMs());
    number(to, "average", latency.averageMs());
    number(to, "slowest", latency.slowestMs());
    number(to, "standardDeviation", latency.standardDeviationMs());
    percentiles(to, latency.percentilesMs());
  }

  private static void percentiles(ObjectNode to, Map<Percentile, Double> percentiles) {
    percentiles.forEach((percentile, value) -> number(to, percentile.label(), value));
  }

  private static void errors(ArrayNode to, ClientResults results) {
    for (ErrorSummary error : ErrorSummary.all(results)) {
      ObjectNode node = to.addObject();
      error.kind().ifPresent(kind -> node.put("kind", kind));
      node.put("message", error.message());
      node.put("count", error.count());
      number(node, "totalMs", error.totalMs());
    }
  }

  private static void step(ObjectNode to, DatabaseRun run, int number, StepFigures step) {
    to.put("step", number);
    if (!step.asked().isOpen()) {
      to.put("clients", step.asked().clients());
    }
    to.put("connections", step.asked().connections());
    to.put("requestsAsked", step.asked().requests());
    step.successes().ifPresent(count -> to.put("requestsSucceeded", count));
    step.errors().ifPresent(count -> to.put("requestsFailed", count));
    step.durationSeconds().ifPresent(value -> number(to, "durationSeconds", value));
    step.requestsPerSecond()
        .ifPresent(value -> number(to, "requestsPerSecondAverage", rounded(value)));
    step.maxThroughput().ifPresent(value -> to.put("requestsPerSecondMax", value));
    step.minThroughput().ifPresent(value -> to.put("requestsPerSecondMin", value));
    step.longestWithoutSuccess()
        .ifPresent(value -> number(to, "longestSecondsWithoutSuccess", value));
    step.stalledSeconds().ifPresent(value -> number(to, "stalledSeconds", value));
    if (!step.percentilesMs().isEmpty()) {
      ObjectNode latency = to.putObject("latencyMs");
      step.slowestMs().ifPresent(value -> number(latency, "slowest", rounded(value)));
      percentiles(latency, step.percentilesMs());
    }
    model(to.putObject("load"), step.asked().model());
    WatchFigures.of(run).stream()
        .filter(watch -> watch.row().step() == number)
        .forEach(watch -> watch(to.putObject("watch"), watch));
    OperationFigures.of(run, number)
        .forEach(
            operation -> {
              ObjectNode node = to.withArray("operations").addObject();
              operation(node, operation);
              attempts(node, run, number, operation.counts().operation());
            });
    percentiles(to, "lagMs", OperationFigures.lagMs(run, number));
  }

  private static void watch(ObjectNode to, WatchFigures watch) {
    WatchRow row = watch.row();
    EventCounts counts = row.counts();
    to.put("watchers", row.watchers());
    to.put("streams", row.streams());
    number(to, "createdSeconds", row.createdNanos() / NANOS_PER_SECOND);
    to.put("eventsExpected", counts.expected());
    to.put("eventsDelivered", counts.delivered());
    to.put("eventsCoalesced", counts.coalesced());
    to.put("eventsLost", counts.lost());
    to.put("eventsDuplicated", counts.duplicated());
    to.put("eventsReordered", counts.reordered());
    to.put("eventsBeforeAcknowledgement", counts.early());
    to.put("interruptions", counts.interruptions());
    number(to, "drainSeconds", row.drainNanos() / NANOS_PER_SECOND);
    percentiles(to, "firstMs", watch.firstMs());
    percentiles(to, "medianMs", watch.medianMs());
    percentiles(to, "lastMs", watch.lastMs());
  }

  private static void model(ObjectNode to, LoadModel model) {
    if (model instanceof LoadModel.Open open) {
      to.put("ratePerSecond", open.ratePerSecond());
      to.put("arrivals", label(open.arrivals()));
      to.put("maxOutstanding", open.maxOutstanding());
    } else if (model instanceof LoadModel.Closed closed) {
      to.put("clients", closed.clients());
      closed.limitPerSecond().ifPresent(limit -> to.put("limitPerSecond", limit));
    }
  }

  private static void operation(ObjectNode to, OperationFigures operation) {
    to.put("operation", operation.counts().operation());
    to.put("requestsIntended", operation.counts().intended());
    to.put("requestsShed", operation.counts().shed());
    to.put("requestsSucceeded", operation.counts().succeeded());
    to.put("requestsFailed", operation.counts().failed());
    operation
        .requestsPerSecond()
        .ifPresent(value -> number(to, "requestsPerSecondAverage", rounded(value)));
    percentiles(to, "latencyMs", operation.percentilesMs());
    percentiles(to, "serviceMs", operation.serviceMs());
  }

  private static void attempts(ObjectNode to, DatabaseRun run, int step, String operation) {
    run.clients().stream()
        .flatMap(results -> results.attempts().stream())
        .filter(counts -> counts.step() == step && counts.operation().equals(operation))
        .forEach(
            counts -> to.put("attempts", counts.attempts()).put("conflicts", counts.conflicts()));
  }

  private static void percentiles(ObjectNode to, String name, Map<Percentile, Double> percentiles) {
    if (!percentiles.isEmpty()) {
      percentiles(to.putObject(name), percentiles);
    }
  }

  /** Rounds as the figures of the whole run and the files beside the plots do. */
  private static double rounded(double value) {
    return Double.parseDouble(NumberFormats.fixed(value, 4));
  }

  /** Converts {@code SERVER_MAX_CPU_PERCENT} to {@code serverMaxCpuPercent}. */
  private static String name(HostFigure figure) {
    StringBuilder name = new StringBuilder();
    for (String word : figure.name().toLowerCase(Locale.ROOT).split("_")) {
      name.append(name.isEmpty() ? word.charAt(0) : Character.toUpperCase(word.charAt(0)));
      name.append(word.substring(1));
    }
    return name.toString();
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Writes a number as its shortest decimal; nothing if there is no such number. */
  private static void number(ObjectNode to, String name, double value) {
    if (Double.isFinite(value)) {
      to.put(name, new BigDecimal(NumberFormats.shortest(value)));
    }
  }
}
