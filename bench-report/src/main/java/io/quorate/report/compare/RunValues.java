package io.quorate.report.compare;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.StepUsage;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.Metric;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The values of a database in one run, by the rows of a comparison. The run is the unit of all
 * statistics: seconds of one run depend on each other.
 *
 * @param directory directory of the run
 * @param values values in the units of their metrics; without unknown ones
 * @param delayed percentiles of which more than a tenth is the load generator's delay
 * @param late whether the load generator sent requests late in some step
 * @param othersCores CPUs that other processes of the load generator's machine used on average;
 *     empty if unknown
 */
public record RunValues(
    Path directory,
    Manifest manifest,
    Map<Row, Double> values,
    List<Percentile> delayed,
    boolean late,
    OptionalDouble othersCores) {
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double BYTES_PER_MB = 1e6;
  private static final double SECTOR_BYTES = 512;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A row of a comparison. The rows of a group are one family of the correction over metrics.
   *
   * @param step number of the step; empty for values of the whole run
   * @param operation id of the operation; empty for all operations together
   */
  public record Row(String group, OptionalInt step, Optional<String> operation, Metric metric) {}

  /** Returns the values of a complete run. */
  static RunValues of(DatabaseFigures database) {
    DatabaseRun run = database.run();
    Map<Row, Double> values = new LinkedHashMap<>();
    for (StepFigures step : database.steps()) {
      String where = where(database, step);
      boolean mixed = step.operations().size() > 1;
      add(values, step, where, step.requests(), mixed);
      if (mixed) {
        step.operations().forEach(each -> add(values, step, where, each, false));
      }
    }
    addMachines(values, database);
    return new RunValues(
        run.directory().path(),
        run.manifest(),
        values,
        database.requests().basis().generator().delayed().stream().sorted().toList(),
        database.steps().stream().anyMatch(StepFigures::isLate),
        othersCores(database));
  }

  private static String where(DatabaseFigures database, StepFigures step) {
    return (database.steps().size() > 1 ? "step " + step.number() + ": " : "")
        + step.asked().load();
  }

  private static void add(
      Map<Row, Double> values, StepFigures step, String where, RequestFigures of, boolean all) {
    Optional<String> operation = all ? Optional.empty() : of.operation();
    String group =
        where
            + ", "
            + (all
                ? "all operations"
                : operation.orElseGet(() -> step.operations().get(0).operation().orElse("")));
    Function<Metric, Row> row =
        metric -> new Row(group, OptionalInt.of(step.number()), operation, metric);
    put(values, row.apply(Metric.THROUGHPUT), of.requestsPerSecond());
    put(values, row.apply(Metric.P50), of.percentileMs(Percentile.P50));
    put(values, row.apply(Metric.P90), of.percentileMs(Percentile.P90));
    put(values, row.apply(Metric.P99), of.percentileMs(Percentile.P99));
    if (Percentile.P99_9.isCarriedBy(of.succeeded())) {
      put(values, row.apply(Metric.P99_9), of.percentileMs(Percentile.P99_9));
    }
    if (of.response().getTotalCount() > 0) {
      values.put(row.apply(Metric.MAX), of.response().getMaxValue() / 1e6);
    }
    put(values, row.apply(Metric.ERRORS), asDouble(of.failed()));
    if (step.asked().isOpen()) {
      put(values, row.apply(Metric.DROPPED), asDouble(of.dropped()));
    }
  }

  private static void addMachines(Map<Row, Double> values, DatabaseFigures database) {
    Map<HostFigure, Double> host = database.host().map(each -> each.figures()).orElse(Map.of());
    double successes = database.requests().succeeded();
    Function<Metric, Row> row =
        metric -> new Row("machines", OptionalInt.empty(), Optional.empty(), metric);
    known(host, HostFigure.SERVER_CPU_SECONDS)
        .ifPresent(
            seconds ->
                values.put(row.apply(Metric.SERVER_CPU), seconds * MICROS_PER_SECOND / successes));
    known(host, HostFigure.SERVER_MAX_MEMORY_BYTES)
        .ifPresent(bytes -> values.put(row.apply(Metric.SERVER_MEMORY), bytes / BYTES_PER_MB));
    known(host, HostFigure.SERVER_SECTORS_WRITTEN)
        .ifPresent(
            sectors ->
                values.put(row.apply(Metric.DISK_WRITTEN), sectors * SECTOR_BYTES / BYTES_PER_MB));
    List<StepUsage> costs = database.run().manifest().costs();
    if (!costs.isEmpty() && successes > 0) {
      double nanos = costs.stream().mapToLong(StepUsage::cpuNanos).sum();
      values.put(row.apply(Metric.GENERATOR_CPU), nanos / 1e3 / successes);
    }
  }

  /** Returns the CPUs that neither the load generator nor members on its machine used. */
  private static OptionalDouble othersCores(DatabaseFigures database) {
    Map<HostFigure, Double> host = database.host().map(each -> each.figures()).orElse(Map.of());
    List<StepUsage> costs = database.run().manifest().costs();
    OptionalDouble servers = known(host, HostFigure.SERVER_CPU_SECONDS);
    double seconds = costs.stream().mapToLong(StepUsage::elapsedNanos).sum() / NANOS_PER_SECOND;
    boolean known = costs.stream().allMatch(each -> each.machineLoad().isPresent());
    if (servers.isEmpty() || seconds <= 0 || !known) {
      return OptionalDouble.empty();
    }
    double all =
        costs.stream()
            .mapToDouble(
                each -> each.machineLoad().getAsDouble() * each.elapsedNanos() / NANOS_PER_SECOND)
            .sum();
    double own = costs.stream().mapToLong(StepUsage::cpuNanos).sum() / NANOS_PER_SECOND;
    int cores = database.run().manifest().host().cores();
    return OptionalDouble.of((all * cores - own - servers.getAsDouble()) / seconds);
  }

  private static OptionalDouble known(Map<HostFigure, Double> host, HostFigure figure) {
    double value = host.getOrDefault(figure, Double.NaN);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  private static OptionalDouble asDouble(OptionalLong count) {
    return count.isPresent() ? OptionalDouble.of(count.getAsLong()) : OptionalDouble.empty();
  }

  private static void put(Map<Row, Double> values, Row row, OptionalDouble value) {
    value.ifPresent(known -> values.put(row, known));
  }

  public Instant start() {
    return manifest.start();
  }

  /** Returns the conditions that have to be the same for a comparison, by their names. */
  public Map<String, String> conditions() {
    LoadInfo load = manifest.load();
    HostInfo host = manifest.host();
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("operations", load.mix().toString());
    conditions.put(
        "load", load.steps().stream().map(RunValues::text).collect(Collectors.joining("; ")));
    conditions.put("scale", Double.toString(manifest.scenario().scale()));
    conditions.put("keys", text(load.keys()));
    conditions.put("value size", load.valueBytes() + " bytes");
    conditions.put("reads", load.consistency().toString());
    conditions.put("routing", load.routing().toString());
    conditions.put("timeout", load.requestTimeout().toMillis() + " ms");
    conditions.put("real-time priority", load.realTimeText());
    conditions.put("client", load.client().name());
    conditions.put("host", host.host().orElse("unknown") + ", " + host.cores() + " cores");
    conditions.put("operating system", host.os() + ", kernel " + host.kernel());
    conditions.put("Java", host.jvmVersion());
    conditions.put("memory options of Java", heap(host));
    conditions.put(
        "version of Quorate",
        manifest.suite().version().orElse("unknown")
            + manifest
                .suite()
                .commit()
                .map(id -> " (" + id.substring(0, Math.min(8, id.length())) + ")")
                .orElse(""));
    return conditions;
  }

  private static String text(KeySpace keys) {
    String order =
        keys.order() == KeySpace.Order.HOT_SET
            ? "hot set of %d%% with %d%% of the requests"
                .formatted(keys.hotSet().keysPercent(), keys.hotSet().requestsPercent())
            : keys.order().id();
    return "%s of %d bytes, from %s, %s%s"
        .formatted(
            NumberFormats.count(keys.count(), "key"),
            keys.sizeBytes(),
            NumberFormats.commas(keys.first()),
            order,
            keys.prepared() ? ", written before" : "");
  }

  private static String text(Step step) {
    return step.load()
        + step.duration().map(length -> " for " + length.toSeconds() + " s").orElse("")
        + (step.endsByTime() ? "" : ", " + step.requests() + " requests");
  }

  private static String heap(HostInfo host) {
    return host.jvmFlags().stream()
        .filter(flag -> flag.matches("-X(m[sxn]|ss|X:(New|Max|Use.*GC|.*Heap)).*"))
        .collect(Collectors.joining(" "));
  }
}
