// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.WatchRow;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * The events of watchers and their latencies, in milliseconds after the scheduled send time of a
 * put. The latencies are those of the puts that all watchers received; empty if there was none.
 *
 * @param puts number of the puts that all watchers received
 * @param firstMs for each of these puts, the time until its first watcher received the event
 * @param medianMs the time until half of its watchers received it
 * @param lastMs the time until all of them received it
 */
public record WatchFigures(
    EventCounts counts,
    long puts,
    Map<Percentile, Double> firstMs,
    Map<Percentile, Double> medianMs,
    Map<Percentile, Double> lastMs) {
  /**
   * Returns whether watchers got all events; the latencies cover no put of which one is missing.
   */
  public boolean hasAllEvents() {
    return counts.delivered() >= counts.expected();
  }

  static WatchFigures of(DatabaseRun run, WatchRow row) {
    return of(row.counts(), time -> run.latencies().byTag().get(LatencyTag.of(row.step(), time)));
  }

  static Optional<WatchFigures> of(DatabaseRun run) {
    return run.watches().stream()
        .map(WatchRow::counts)
        .reduce(EventCounts::plus)
        .map(counts -> of(counts, time -> run.latencies().together(tag -> tag.time() == time)));
  }

  private static WatchFigures of(
      EventCounts counts, Function<LatencyTag.Time, Histogram> latencies) {
    Histogram last = latencies.apply(LatencyTag.Time.LAST);
    return new WatchFigures(
        counts,
        last == null ? 0 : last.getTotalCount(),
        RequestFigures.percentiles(latencies.apply(LatencyTag.Time.FIRST)),
        RequestFigures.percentiles(latencies.apply(LatencyTag.Time.MEDIAN)),
        RequestFigures.percentiles(last));
  }
}
