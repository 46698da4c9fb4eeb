package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.measure.EventCounts;
import io.quorate.report.figures.WatchFigures;
import io.quorate.results.requests.WatchRow;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The watchers of a step in {@code result.json}, with their fields in their order. */
record ResultWatch(
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

  static ResultWatch of(WatchFigures watch) {
    WatchRow row = watch.row();
    EventCounts counts = row.counts();
    return new ResultWatch(
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
