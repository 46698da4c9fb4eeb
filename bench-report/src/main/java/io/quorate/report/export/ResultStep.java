package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.report.figures.OperationFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.LoadModel;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

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
    Optional<ResultWatch> watch,
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
    static OperationEntry of(OperationFigures figures, Optional<AttemptCounts> attempts) {
      OperationCounts counts = figures.counts();
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

  /** Returns the entries of all steps. */
  static List<ResultStep> all(DatabaseRun run, List<StepFigures> steps) {
    return IntStream.range(0, steps.size()).mapToObj(i -> of(run, i + 1, steps.get(i))).toList();
  }

  private static ResultStep of(DatabaseRun run, int number, StepFigures figures) {
    boolean open = figures.asked().isOpen();
    return new ResultStep(
        number,
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
        WatchFigures.of(run).stream()
            .filter(watch -> watch.row().step() == number)
            .findFirst()
            .map(ResultWatch::of),
        OperationFigures.of(run, number).stream()
            .map(each -> OperationEntry.of(each, attempts(run, number, each.counts().operation())))
            .toList(),
        Decimals.percentiles(OperationFigures.lagMs(run, number)),
        Decimals.percentiles(OperationFigures.receiveDelayMs(run, number)),
        Decimals.percentiles(OperationFigures.connectMs(run, number)));
  }

  private static Map<String, BigDecimal> latencyMs(StepFigures figures) {
    if (figures.percentilesMs().isEmpty()) {
      return Map.of();
    }
    Map<String, BigDecimal> latency = new LinkedHashMap<>();
    Decimals.rounded(figures.slowestMs()).ifPresent(value -> latency.put("slowest", value));
    latency.putAll(Decimals.percentiles(figures.percentilesMs()));
    return latency;
  }

  private static Optional<AttemptCounts> attempts(DatabaseRun run, int step, String operation) {
    return run.clients().stream()
        .flatMap(results -> results.attempts().stream())
        .filter(counts -> counts.step() == step && counts.operation().equals(operation))
        .findFirst();
  }
}
