package io.quorate.report;

import io.quorate.run.ClientResults;
import io.quorate.run.ClientResults.ErrorRow;
import io.quorate.run.ClientResults.Second;
import io.quorate.run.DatabaseRun;
import io.quorate.run.LatencyLog;
import io.quorate.run.Percentile;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * What one step of the load came to.
 *
 * @param asked of the load generator
 * @param successes empty if they are not known by step, as the others
 * @param maxThroughput of a second of it
 * @param minThroughput of a second of it, the first and the last included
 * @param percentilesMs empty if nothing succeeded
 */
record StepFigures(
    Step asked,
    OptionalLong successes,
    OptionalLong errors,
    OptionalLong maxThroughput,
    OptionalLong minThroughput,
    Map<Percentile, Double> percentilesMs) {
  private static final double NANOS_PER_MS = 1e6;

  StepFigures {
    EnumMap<Percentile, Double> copy = new EnumMap<>(Percentile.class);
    copy.putAll(percentilesMs);
    percentilesMs = Collections.unmodifiableMap(copy);
  }

  /** All steps in their order. */
  static List<StepFigures> of(DatabaseRun run) {
    List<Step> steps = run.manifest().load().steps();
    List<StepFigures> figures = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      figures.add(of(run, steps, i));
    }
    return figures;
  }

  /** Files name a second's number of clients, not its step: so two steps must differ in it. */
  private static StepFigures of(DatabaseRun run, List<Step> steps, int index) {
    Step step = steps.get(index);
    boolean only = steps.stream().filter(each -> each.clients() == step.clients()).count() == 1;
    List<Second> seconds =
        run.clients().filter(results -> only).map(ClientResults::seconds).orElse(List.of()).stream()
            .filter(second -> second.clients() == step.clients())
            .toList();
    Histogram latencies = run.latencies().byTag().get(LatencyLog.tag(index + 1, step.clients()));
    return new StepFigures(
        step,
        seconds.isEmpty() ? OptionalLong.empty() : OptionalLong.of(throughputs(seconds).sum()),
        seconds.isEmpty() ? OptionalLong.empty() : errors(run.clients().get(), step),
        throughputs(seconds).max(),
        throughputs(seconds).min(),
        percentiles(latencies));
  }

  /** Empty if not every error is known by its second. */
  private static OptionalLong errors(ClientResults results, Step step) {
    long known = results.errorRows().stream().mapToLong(ErrorRow::count).sum();
    return known != results.errorCount()
        ? OptionalLong.empty()
        : OptionalLong.of(
            results.errorRows().stream()
                .filter(row -> row.clients() == step.clients())
                .mapToLong(ErrorRow::count)
                .sum());
  }

  private static LongStream throughputs(List<Second> seconds) {
    return seconds.stream().mapToLong(Second::throughput);
  }

  private static Map<Percentile, Double> percentiles(Histogram latencies) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    if (latencies != null && latencies.getTotalCount() > 0) {
      for (Percentile percentile : Percentile.values()) {
        long nanos = percentile.of(latencies, latencies.getMinValue(), latencies.getMaxValue());
        percentiles.put(percentile, nanos / NANOS_PER_MS);
      }
    }
    return percentiles;
  }
}
