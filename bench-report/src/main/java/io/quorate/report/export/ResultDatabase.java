// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.format.Unreadable;
import io.quorate.measure.EventCounts;
import io.quorate.measure.Verification;
import io.quorate.report.export.ResultJson.ResultFigures;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.DatabaseFigures.ErrorSummary;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.WatchRow;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Metric;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.ValueSizes;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.ReadConsistency;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A database in {@code result.json}, with its fields in their order. */
record ResultDatabase(
    String id,
    String tag,
    String directory,
    RunStatus status,
    Optional<String> reason,
    boolean inTable,
    Instant start,
    Optional<Instant> end,
    Optional<String> version,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> settings,
    List<String> members,
    Optional<String> leaderAtStart,
    @JsonUnwrapped Optional<ServerInfo.Secured> secured,
    BuildInfo suite,
    LoadEntry load,
    HostInfo loadGenerator,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<LimitEntry> thresholds,
    Optional<Verification> verification,
    Optional<ResultFigures> figures,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> machines,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> costs,
    Optional<List<ErrorEntry>> errors,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResultStep> steps,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResultCapacity> capacity,
    Optional<List<String>> notMeasured) {

  record LoadEntry(
      String operation,
      List<OperationMix.Share> operations,
      ReadConsistency consistency,
      Routing routing,
      long requestTimeoutMs,
      long seed,
      int keyBytes,
      int valueBytes,
      Optional<List<ValueSizes.Share>> valueSizes) {
    static LoadEntry of(LoadInfo load) {
      return new LoadEntry(
          load.operations(),
          load.mix().shares(),
          load.consistency(),
          load.routing(),
          load.requestTimeout().toMillis(),
          load.seed(),
          load.keyBytes(),
          load.valueBytes(),
          load.valueSizes().map(ValueSizes::shares));
    }
  }

  /** A threshold of the scenario, with the found value in the unit in which it is shown. */
  record LimitEntry(
      String threshold,
      Optional<BigDecimal> found,
      Optional<BigDecimal> withoutDelay,
      Optional<String> disturbance,
      String unit,
      boolean kept) {
    static LimitEntry of(LimitResult checked) {
      return new LimitEntry(
          checked.limit().toString(),
          Decimals.rounded(checked.found()),
          Decimals.rounded(checked.withoutDelay()),
          checked.disturbance(),
          checked.limit().withUnit("").strip(),
          checked.isKept());
    }
  }

  /** An error, its number, and the time of the failed requests. */
  record ErrorEntry(
      Optional<String> kind, String message, long count, Optional<BigDecimal> totalMs) {
    static ErrorEntry of(ErrorSummary error) {
      return new ErrorEntry(
          error.kind(), error.message(), error.count(), Decimals.shortest(error.totalMs()));
    }
  }

  static ResultDatabase of(DatabaseFigures figures) {
    DatabaseRun database = figures.run();
    Optional<HostAnalysis> host = figures.host();
    Manifest manifest = database.manifest();
    ServerInfo servers = manifest.store().servers();
    return new ResultDatabase(
        manifest.store().id(),
        manifest.store().tag(),
        database.directory().id(),
        manifest.status(),
        manifest.reason(),
        host.isPresent(),
        manifest.start(),
        manifest.end(),
        servers.version(),
        manifest.store().settings(),
        servers.members(),
        servers.leader(),
        servers.secured(),
        manifest.suite(),
        LoadEntry.of(manifest.load()),
        manifest.host(),
        figures.limits().stream().map(LimitEntry::of).toList(),
        manifest.verification(),
        database.clients().map(results -> ResultFigures.of(figures, results)),
        machines(host),
        costs(figures.costs()),
        database.clients().map(results -> figures.errors().stream().map(ErrorEntry::of).toList()),
        figures.steps().stream()
            .map(
                step ->
                    ResultStep.of(
                        step, figures.costsOfSteps().getOrDefault(step.number(), Map.of())))
            .toList(),
        ResultCapacity.all(figures),
        notMeasured(figures));
  }

  private static Map<String, BigDecimal> machines(Optional<HostAnalysis> host) {
    return Decimals.named(
        host.stream()
            .flatMap(each -> each.figures().entrySet().stream())
            .map(each -> Decimals.figure(name(each.getKey()), each.getValue())));
  }

  private static Map<String, BigDecimal> costs(Map<Metric, Double> costs) {
    Map<Metric, String> names = new EnumMap<>(Metric.class);
    names.put(Metric.SERVER_CPU, "serverCpuMicrosPerRequest");
    names.put(Metric.WRITE_AMPLIFICATION, "diskBytesPerValueByte");
    names.put(Metric.MEMBER_TRAFFIC, "memberBytesPerRequest");
    names.put(Metric.ZONE_TRAFFIC, "zoneBytesPerRequest");
    names.put(Metric.MEMORY_PER_KEY, "memoryBytesPerKey");
    names.put(Metric.PRICE, "pricePerMillionRequests");
    return Decimals.named(
        names.entrySet().stream()
            .flatMap(
                each ->
                    Stream.ofNullable(costs.get(each.getKey()))
                        .map(Decimals::significant)
                        .map(value -> Map.entry(each.getValue(), Optional.of(value)))));
  }

  /** Converts {@code SERVER_MAX_CPU_PERCENT} to {@code serverMaxCpuPercent}. */
  private static String name(HostFigure figure) {
    return Pattern.compile("_(.)")
        .matcher(figure.name().toLowerCase(Locale.ROOT))
        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the values that were not measured or cannot be read; empty if that was not recorded.
   */
  private static Optional<List<String>> notMeasured(DatabaseFigures figures) {
    List<String> missing =
        Stream.of(
                figures.run().unreadable().stream().map(Unreadable::text),
                figures.range().stream().flatMap(range -> range.missing().stream()),
                figures.host().stream().flatMap(each -> each.missing().stream()))
            .flatMap(each -> each)
            .toList();
    return figures.host().isPresent() || !missing.isEmpty()
        ? Optional.of(missing)
        : Optional.empty();
  }

  /** A step in {@code result.json}, with its fields in their order. */
  record ResultStep(
      int step,
      OptionalInt clients,
      int connections,
      long requestsAsked,
      OptionalLong requestsSucceeded,
      OptionalLong requestsFailed,
      Optional<BigDecimal> durationSeconds,
      Optional<BigDecimal> requestsPerSecondAverage,
      OptionalLong requestsPerSecondMax,
      OptionalLong requestsPerSecondMin,
      Optional<BigDecimal> longestSecondsWithoutSuccess,
      Optional<BigDecimal> stalledSeconds,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> latencyMs,
      LoadModel load,
      Optional<WatchEntry> watch,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<OperationEntry> operations,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> lagMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> queueMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> receiveDelayMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> connectMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> costs) {

    /**
     * The values of an operation; with attempts and conflicts if its requests are repeated until
     * they succeed.
     */
    record OperationEntry(
        String operation,
        long requestsIntended,
        long requestsDropped,
        long requestsSucceeded,
        long requestsFailed,
        Optional<BigDecimal> requestsPerSecondAverage,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> latencyMs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> serviceMs,
        OptionalLong attempts,
        OptionalLong conflicts) {
      static OperationEntry of(RequestFigures figures, List<AttemptCounts> all) {
        OperationCounts counts = figures.counts().orElseThrow();
        Optional<AttemptCounts> attempts =
            all.stream().filter(each -> each.operation().equals(counts.operation())).findFirst();
        return new OperationEntry(
            counts.operation(),
            counts.intended(),
            counts.dropped(),
            counts.succeeded(),
            counts.failed(),
            Decimals.rounded(figures.requestsPerSecond()),
            Decimals.percentiles(figures.percentilesMs()),
            Decimals.percentiles(figures.serviceMs()),
            attempts.stream().mapToLong(AttemptCounts::attempts).findFirst(),
            attempts.stream().mapToLong(AttemptCounts::conflicts).findFirst());
      }
    }

    record WatchEntry(
        int watchers,
        int streams,
        OptionalInt history,
        Optional<BigDecimal> createdSeconds,
        long eventsExpected,
        long eventsDelivered,
        long eventsCoalesced,
        long eventsLost,
        long eventsDuplicated,
        long eventsReordered,
        long eventsBeforeAcknowledgement,
        long interruptions,
        Optional<BigDecimal> drainSeconds,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> firstMs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> medianMs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> lastMs) {
      private static final double NANOS_PER_SECOND = 1e9;

      static WatchEntry of(StepFigures step, WatchFigures watch) {
        WatchRow row = step.watchers().orElseThrow();
        EventCounts counts = watch.counts();
        int history = step.asked().watch().map(WatchLoad::history).orElse(0);
        return new WatchEntry(
            row.watchers(),
            row.streams(),
            history > 0 ? OptionalInt.of(history) : OptionalInt.empty(),
            Decimals.shortest(row.createdNanos() / NANOS_PER_SECOND),
            counts.expected(),
            counts.delivered(),
            counts.coalesced(),
            counts.lost(),
            counts.duplicated(),
            counts.reordered(),
            counts.early(),
            counts.interruptions(),
            Decimals.shortest(row.drainNanos() / NANOS_PER_SECOND),
            Decimals.percentiles(watch.firstMs()),
            Decimals.percentiles(watch.medianMs()),
            Decimals.percentiles(watch.lastMs()));
      }
    }

    static ResultStep of(StepFigures figures, Map<Metric, Double> costs) {
      boolean open = figures.asked().isOpen();
      return new ResultStep(
          figures.number(),
          open ? OptionalInt.empty() : OptionalInt.of(figures.asked().clients()),
          figures.asked().connections(),
          figures.requestsAsked(),
          figures.successes(),
          figures.errors(),
          Decimals.shortest(figures.durationSeconds()),
          Decimals.rounded(figures.requestsPerSecond()),
          figures.maxThroughput(),
          figures.minThroughput(),
          Decimals.shortest(figures.longestWithoutSuccess()),
          Decimals.shortest(figures.stalledSeconds()),
          latencyMs(figures),
          figures.asked().model(),
          figures.watch().map(watch -> WatchEntry.of(figures, watch)),
          figures.operations().stream()
              .filter(each -> each.counts().isPresent())
              .map(each -> OperationEntry.of(each, figures.attempts()))
              .toList(),
          Decimals.percentiles(figures.lagMs()),
          Decimals.percentiles(figures.queueMs()),
          Decimals.percentiles(figures.receiveDelayMs()),
          Decimals.percentiles(figures.connectMs()),
          ResultDatabase.costs(costs));
    }

    private static Map<String, BigDecimal> latencyMs(StepFigures figures) {
      if (figures.requests().percentilesMs().isEmpty()) {
        return Map.of();
      }
      Map<String, BigDecimal> latency = new LinkedHashMap<>();
      Decimals.rounded(figures.slowestMs()).ifPresent(value -> latency.put("slowest", value));
      latency.putAll(Decimals.percentiles(figures.requests().percentilesMs()));
      return latency;
    }
  }
}
