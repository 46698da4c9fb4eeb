package io.quorate.report.verdict;

import io.quorate.report.analysis.ClientNumberFigures;
import io.quorate.report.analysis.DatabaseResult;
import io.quorate.report.analysis.HostFigure;
import io.quorate.report.analysis.OperationTotals;
import io.quorate.report.analysis.StepFigures;
import io.quorate.report.verdict.Standing.OfLoad;
import io.quorate.report.verdict.Standing.OfOperation;
import io.quorate.run.ClientResults;
import io.quorate.run.DatabaseRun;
import io.quorate.run.Percentile;
import io.quorate.scenario.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Collects what verdicts are about from the figures of a run. */
public final class Standings {
  private Standings() {}

  /**
   * Returns the results of a database whose run came to its end.
   *
   * @param name by which sentences call it
   */
  public static Standing of(DatabaseRun run, String name, DatabaseResult result) {
    long successes = run.clients().map(ClientResults::successCount).orElse(0L);
    List<StepFigures> steps = StepFigures.of(run);
    return new Standing(
        name,
        result.requests().orElse(successes),
        successes,
        result.errorCount(),
        result.requestsPerSecond(),
        number(result.percentileMs(Percentile.P50)),
        number(result.percentileMs(Percentile.P99)),
        number(result.host(HostFigure.SERVER_MAX_CPU_PERCENT)),
        number(result.host(HostFigure.SERVER_MAX_MEMORY_BYTES)),
        number(result.host(HostFigure.SERVER_DISK_BYTES)),
        number(result.host(HostFigure.CLIENT_MAX_CPU_PERCENT)),
        number(result.latency().map(ClientResults.Latency::slowestMs)),
        LongestStall.of(steps),
        loads(new ClientNumberFigures(steps)),
        OperationTotals.of(run).stream()
            .map(
                each ->
                    new OfOperation(each.operation(), each.successes(), each.p50Ms(), each.p99Ms()))
            .toList(),
        run.manifest().load().steps().stream().anyMatch(Step::isOpen));
  }

  private static List<OfLoad> loads(ClientNumberFigures figures) {
    return figures.clientNumbers().stream()
        .map(
            load ->
                new OfLoad(
                    load,
                    figures.successes(load),
                    some(figures.requestsPerSecond(load)),
                    figures.percentileMs(load, Percentile.P50),
                    figures.percentileMs(load, Percentile.P99)))
        .toList();
  }

  private static OptionalDouble some(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static OptionalDouble number(Optional<Double> value) {
    return value.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }
}
