package io.quorate.report.figures;

import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.WatchRow;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The events of all watchers of a run, and the watch latencies of all its puts in milliseconds.
 *
 * @param expected events
 * @param firstMs of each put, until its first watcher had the event; empty if no event came
 * @param lastMs until all its watchers had it; empty if there was no such put
 */
public record WatchTotals(
    long expected,
    long coalesced,
    long lost,
    Map<Percentile, Double> firstMs,
    Map<Percentile, Double> lastMs) {
  public WatchTotals {
    firstMs = Map.copyOf(firstMs);
    lastMs = Map.copyOf(lastMs);
  }

  /** Returns how many events came. */
  public long delivered() {
    return expected - coalesced - lost;
  }

  /** Returns the totals of a run; empty if it had no watchers. */
  static Optional<WatchTotals> of(DatabaseRun run) {
    return run.watches().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new WatchTotals(
                sum(run, EventCounts::expected),
                sum(run, EventCounts::coalesced),
                sum(run, EventCounts::lost),
                percentiles(run, LatencyTag.Time.FIRST),
                percentiles(run, LatencyTag.Time.LAST)));
  }

  private static long sum(DatabaseRun run, ToLongFunction<EventCounts> count) {
    return run.watches().stream().map(WatchRow::counts).mapToLong(count).sum();
  }

  private static Map<Percentile, Double> percentiles(DatabaseRun run, LatencyTag.Time time) {
    return RequestFigures.percentiles(run.latencies().together(tag -> tag.time() == time));
  }
}
