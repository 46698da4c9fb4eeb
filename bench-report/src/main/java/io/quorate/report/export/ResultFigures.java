package io.quorate.report.export;

import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.ThroughputRange;
import io.quorate.results.EtcdBenchmarkReport;
import io.quorate.results.requests.ClientResults;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** The figures of all steps together in {@code result.json}, with their fields in their order. */
record ResultFigures(
    Optional<BigDecimal> totalSeconds,
    OptionalLong requestsAsked,
    OptionalLong requestsSucceeded,
    OptionalLong requestsFailed,
    Optional<BigDecimal> requestsPerSecondAverage,
    OptionalLong requestsPerSecondMax,
    OptionalLong requestsPerSecondMin,
    Optional<Map<String, BigDecimal>> latencyMs) {

  static ResultFigures of(DatabaseFigures figures, ClientResults results) {
    ThroughputRange range = figures.range().orElseThrow();
    return new ResultFigures(
        Decimals.rounded(results.totalSeconds()),
        OptionalLong.of(figures.run().manifest().load().requests()),
        OptionalLong.of(results.successCount()),
        OptionalLong.of(results.errorCount()),
        Decimals.rounded(results.requestsPerSecond()),
        range.max(),
        range.min(),
        results.latency().map(latency -> latencyMs(latency, Decimals::rounded)));
  }

  /** Returns the figures that a report of etcd's benchmark tool has. */
  static ResultFigures of(EtcdBenchmarkReport report) {
    return new ResultFigures(
        Decimals.shortest(report.totalSeconds()),
        report.requests(),
        report.successes(),
        OptionalLong.empty(),
        Decimals.shortest(report.requestsPerSecond()),
        OptionalLong.empty(),
        OptionalLong.empty(),
        report.latency().map(latency -> latencyMs(latency, Decimals::shortest)));
  }

  private static Map<String, BigDecimal> latencyMs(
      ClientResults.Latency latency, DoubleFunction<Optional<BigDecimal>> decimal) {
    return Decimals.named(
        Stream.concat(
            Stream.of(
                Map.entry("fastest", decimal.apply(latency.fastestMs())),
                Map.entry("average", decimal.apply(latency.averageMs())),
                Map.entry("slowest", decimal.apply(latency.slowestMs())),
                Map.entry("standardDeviation", decimal.apply(latency.standardDeviationMs()))),
            latency.percentilesMs().entrySet().stream()
                .map(each -> Decimals.figure(each.getKey().label(), each.getValue()))));
  }
}
