// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import io.quorate.measure.ErrorTally.Way;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that are due in one second; obtained from {@link OperationRecorder#second}
 * and passed back with the outcome. Safe for several threads; a success needs no lock and no
 * allocation.
 */
public final class SecondTally {
  /**
   * Limit of distinct messages: a server that puts a number into each must not exhaust the memory.
   */
  private static final int MAX_MESSAGES = 100;

  private static final String OTHER_MESSAGES = "(other messages)";

  private static final class Failures {
    final LongAdder count = new LongAdder();
    final LongAdder nanos = new LongAdder();
  }

  final long unixSecond;
  final long startNanos;
  final long endNanos;
  private final LongAdder begun = new LongAdder();
  private final LongAdder count = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder sum = new LongAdder();
  private final DoubleAdder squares = new DoubleAdder();
  private final LongAccumulator min = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator max = new LongAccumulator(Math::max, 0);
  private final ConcurrentMap<Way, Failures> failures = new ConcurrentHashMap<>(0);
  private SecondMeasurement seen;

  /** Late successes of each limit: first by the scheduled send time, then by the send time. */
  private final LongAdder[] late;

  SecondTally(long unixSecond, long startNanos, long endNanos, int limits) {
    this.unixSecond = unixSecond;
    this.startNanos = startNanos;
    this.endNanos = endNanos;
    this.seen = new SecondMeasurement(unixSecond, Latencies.NONE, List.of());
    this.late = new LongAdder[2 * limits];
    Arrays.setAll(late, i -> new LongAdder());
  }

  void begun() {
    begun.increment();
  }

  /** Counts a success that violates a limit by its response time, and perhaps since it was sent. */
  void late(int limit, boolean sinceSent) {
    late[2 * limit].increment();
    if (sinceSent) {
      late[2 * limit + 1].increment();
    }
  }

  long lateCount(int limit, boolean sinceSent) {
    return late[2 * limit + (sinceSent ? 1 : 0)].sum();
  }

  void succeeded(long latencyNanos) {
    count.increment();
    sum.add(latencyNanos);
    squares.add((double) latencyNanos * latencyNanos);
    min.accumulate(latencyNanos);
    max.accumulate(latencyNanos);
  }

  void dropped() {
    dropped.increment();
  }

  void failed(String kind, String message, long latencyNanos) {
    Way way = new Way(kind, message);
    if (failures.size() >= MAX_MESSAGES && !failures.containsKey(way)) {
      way = new Way(kind, OTHER_MESSAGES);
    }
    Failures counted = failures.computeIfAbsent(way, unseen -> new Failures());
    counted.nanos.add(Math.max(0, latencyNanos));
    counted.count.increment();
  }

  long successCount() {
    return count.sum();
  }

  long droppedCount() {
    return dropped.sum();
  }

  long failureCount() {
    return failures.values().stream().mapToLong(counted -> counted.count.sum()).sum();
  }

  /** Returns how many have begun and not ended. */
  long underWay() {
    long ended = successCount() + failureCount();
    return Math.max(0, begun.sum() - ended);
  }

  /** Returns how many were due so far. */
  long intended() {
    return begun.sum() + droppedCount();
  }

  /** Adds the numbers of failures of each kind. */
  void addErrors(Map<String, Long> kinds) {
    failures.forEach((way, counted) -> kinds.merge(way.kind(), counted.count.sum(), Long::sum));
  }

  SecondMeasurement measurement() {
    Latencies successes =
        new Latencies(count.sum(), sum.sum(), min.get(), max.get(), squares.sum());
    List<ErrorTally> errors =
        failures.entrySet().stream()
            .map(
                entry ->
                    new ErrorTally(
                        entry.getKey().kind(),
                        entry.getKey().message(),
                        entry.getValue().count.sum(),
                        entry.getValue().nanos.sum()))
            .toList();
    return new SecondMeasurement(unixSecond, successes, errors, dropped.sum());
  }

  /** Returns the new requests since the last call; for one reading thread. */
  SecondMeasurement news() {
    SecondMeasurement before = seen;
    seen = measurement();
    return seen.since(before);
  }
}
