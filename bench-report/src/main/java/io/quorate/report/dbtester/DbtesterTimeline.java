package io.quorate.report.dbtester;

import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.ClientTimeline;
import io.quorate.results.requests.ClientResults.Second;
import java.util.List;
import java.util.OptionalLong;

/** Builds the timeline of the clients by the reference's rules, to which a pause is all zeros. */
final class DbtesterTimeline {
  private DbtesterTimeline() {}

  /**
   * Returns the timeline.
   *
   * @param rows in order, at least one
   */
  static ClientTimeline of(List<Second> rows) {
    return ClientTimeline.of(
        rows.stream().map(DbtesterTimeline::second).toList(),
        DbtesterTimeline::both,
        DbtesterTimeline::pause);
  }

  private static ClientSecond second(Second row) {
    return new ClientSecond(
        row.unixSecond(),
        row.clients(),
        row.minMs(),
        row.averageMs(),
        row.maxMs(),
        OptionalLong.of(row.throughput()),
        1,
        true);
  }

  private static ClientSecond pause(long unixSecond, long clients) {
    return new ClientSecond(unixSecond, clients, 0, 0, 0, OptionalLong.of(0), 1, false);
  }

  /** Merges two rows of a second; the average is that of both averages, however many requests. */
  private static ClientSecond both(ClientSecond earlier, ClientSecond later) {
    return new ClientSecond(
        earlier.unixSecond(),
        later.clients(),
        Math.min(earlier.minMs(), later.minMs()),
        (earlier.averageMs() + later.averageMs()) / 2,
        Math.max(earlier.maxMs(), later.maxMs()),
        OptionalLong.of(earlier.count() + later.count()),
        1,
        true);
  }
}
