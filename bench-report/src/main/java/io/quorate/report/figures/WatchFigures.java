package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.WatchRow;
import io.quorate.scenario.WatchLoad;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The watch latencies of one step, in milliseconds from when a put was due.
 *
 * @param row the watchers and the counts of their events
 * @param history of how many puts before the load they were told, from when they began; 0 if of
 *     those of the load
 * @param firstMs of each put, until its first watcher had the event; empty if no event came
 * @param medianMs until half of its watchers had it
 * @param lastMs until all of them had it; empty if there was no such put
 */
public record WatchFigures(
    WatchRow row,
    int history,
    Map<Percentile, Double> firstMs,
    Map<Percentile, Double> medianMs,
    Map<Percentile, Double> lastMs) {
  public WatchFigures {
    firstMs = copy(firstMs);
    medianMs = copy(medianMs);
    lastMs = copy(lastMs);
  }

  private static Map<Percentile, Double> copy(Map<Percentile, Double> percentiles) {
    EnumMap<Percentile, Double> copy = new EnumMap<>(Percentile.class);
    copy.putAll(percentiles);
    return Collections.unmodifiableMap(copy);
  }

  /** Returns the figures of a step; empty if it has not begun or had no watchers. */
  static Optional<WatchFigures> of(DatabaseRun run, int step) {
    return run.watches().stream()
        .filter(row -> row.step() == step)
        .findFirst()
        .map(
            row ->
                new WatchFigures(
                    row,
                    history(run, step),
                    percentiles(run, step, LatencyTag.Time.FIRST),
                    percentiles(run, step, LatencyTag.Time.MEDIAN),
                    percentiles(run, step, LatencyTag.Time.LAST)));
  }

  private static int history(DatabaseRun run, int step) {
    return run.manifest().load().steps().get(step - 1).watch().map(WatchLoad::history).orElse(0);
  }

  private static Map<Percentile, Double> percentiles(
      DatabaseRun run, int step, LatencyTag.Time time) {
    return RequestFigures.percentiles(run.latencies().byTag().get(LatencyTag.watch(step, time)));
  }
}
