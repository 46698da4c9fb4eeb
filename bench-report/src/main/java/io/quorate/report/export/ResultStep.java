package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.measure.EventCounts;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.WatchRow;
import io.quorate.scenario.LoadModel;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

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
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> receiveDelayMs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> connectMs) {

  /** The figures of an operation; attempts and conflicts of one that is tried until it succeeds. */
  record OperationEntry(
      String operation,
      long requestsIntended,
      long requestsShed,
      long requestsSucceeded,
      long requestsFailed,
      Optional<BigDecimal> requestsPerSecondAverage,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> latencyMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, BigDecimal> serviceMs,
      OptionalLong attempts,
      OptionalLong conflicts) {
    static OperationEntry of(
        RequestFigures figures, OperationCounts counts, Optional<AttemptCounts> attempts) {
      return new OperationEntry(
          counts.operation(),
          counts.intended(),
          counts.shed(),
          counts.succeeded(),
          counts.failed(),
          Decimals.rounded(figures.requestsPerSecond()),
          Decimals.percentiles(figures.percentilesMs()),
          Decimals.percentiles(figures.serviceMs()),
          attempts.stream().mapToLong(AttemptCounts::attempts).findFirst(),
          attempts.stream().mapToLong(AttemptCounts::conflicts).findFirst());
    }
  }

  /** The watchers of a step. */
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

    static WatchEntry of(WatchFigures watch) {
      WatchRow row = watch.row();
      EventCounts counts = row.counts();
      return new WatchEntry(
          row.watchers(),
          row.streams(),
          watch.history() > 0 ? OptionalInt.of(watch.history()) : OptionalInt.empty(),
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

  static ResultStep of(StepFigures figures) {
    boolean open = figures.asked().isOpen();
    return new ResultStep(
        figures.number(),
        open ? OptionalInt.empty() : OptionalInt.of(figures.asked().clients()),
        figures.asked().connections(),
        figures.asked().requests(),
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
        figures.watch().map(WatchEntry::of),
        figures.operations().stream()
            .flatMap(each -> each.counts().map(counts -> entry(figures, each, counts)).stream())
            .toList(),
        Decimals.percentiles(figures.lagMs()),
        Decimals.percentiles(figures.receiveDelayMs()),
        Decimals.percentiles(figures.connectMs()));
  }

  private static OperationEntry entry(
      StepFigures step, RequestFigures figures, OperationCounts counts) {
    return OperationEntry.of(
        figures,
        counts,
        step.attempts().stream()
            .filter(each -> each.operation().equals(counts.operation()))
            .findFirst());
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
