// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.ThroughputRange;
import io.quorate.results.EtcdBenchmarkReport;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.manifest.ScenarioInfo;
import io.quorate.results.requests.ClientResults;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/**
 * The content of {@code result.json}, with its fields in their order: the results of a run, for
 * programs. Raw numbers with their units in the names, without unmeasured values. {@code
 * result-3.schema.json} defines the format.
 */
public record ResultJson(
    int formatVersion,
    String run,
    Optional<ScenarioEntry> scenario,
    List<ResultDatabase> databases,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ImportEntry> imports) {
  /**
   * Version of the format, raised when a reader of the previous version would misunderstand a file.
   */
  private static final int FORMAT_VERSION = 3;

  /** The values of all steps together. */
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
          OptionalLong.of(figures.run().requests()),
          OptionalLong.of(results.successCount()),
          OptionalLong.of(results.errorCount()),
          Decimals.rounded(results.requestsPerSecond()),
          range.max(),
          range.min(),
          figures.requests().latency().map(latency -> latencyMs(latency, Decimals::rounded)));
    }

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
        LatencySummary latency, DoubleFunction<Optional<BigDecimal>> decimal) {
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

  record ScenarioEntry(
      String name, String title, Optional<BigDecimal> scale, List<String> databases) {
    static ScenarioEntry of(ScenarioInfo scenario) {
      return new ScenarioEntry(
          scenario.name(),
          scenario.title(),
          Decimals.shortest(scenario.scale()),
          scenario.databases());
    }
  }

  record ImportEntry(
      String tag,
      String origin,
      String source,
      ResultFigures figures,
      Optional<List<ErrorEntry>> errors) {

    /** An error and its number. */
    record ErrorEntry(String message, long count) {}

    static ImportEntry of(ImportedRun imported) {
      EtcdBenchmarkReport report = imported.report();
      return new ImportEntry(
          imported.tag(),
          ImportedRun.ORIGIN,
          imported.source(),
          ResultFigures.of(report),
          report
              .errors()
              .map(
                  all ->
                      all.stream()
                          .map(each -> new ErrorEntry(each.message(), each.count()))
                          .toList()));
    }
  }

  public static String text(RunFigures figures) {
    ExperimentRun run = figures.run();
    return StrictJson.text(
        new ResultJson(
            FORMAT_VERSION,
            run.directory().id(),
            run.databases().stream()
                .findFirst()
                .map(first -> ScenarioEntry.of(first.manifest().scenario())),
            figures.databases().stream().map(ResultDatabase::of).toList(),
            run.imports().stream().map(ImportEntry::of).toList()));
  }
}
