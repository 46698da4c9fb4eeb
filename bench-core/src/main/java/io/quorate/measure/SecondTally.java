package io.quorate.measure;

import io.quorate.measure.ErrorTally.Way;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that are due in one second; handed out by {@link OperationRecorder#second}
 * and given back with the outcome. Any thread; a success costs no lock and no allocation.
 */
public final class SecondTally {
  /**
   * Limit of distinct error messages: a server that puts a number into each must not fill our
   * memory.
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
  private final LongAdder count = new LongAdder();
  private final LongAdder shed = new LongAdder();
  private final LongAdder sum = new LongAdder();
  private final DoubleAdder squares = new DoubleAdder();
  private final LongAccumulator min = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator max = new LongAccumulator(Math::max, 0);
  private final ConcurrentMap<Way, Failures> failures = new ConcurrentHashMap<>(0);

  SecondTally(long unixSecond, long startNanos, long endNanos) {
    this.unixSecond = unixSecond;
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  void succeeded(long latencyNanos) {
    count.increment();
    sum.add(latencyNanos);
    squares.add((double) latencyNanos * latencyNanos);
    min.accumulate(latencyNanos);
    max.accumulate(latencyNanos);
  }

  void shed() {
    shed.increment();
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

  long shedCount() {
    return shed.sum();
  }

  /** Adds the number of failures to those of each kind. */
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
    return new SecondMeasurement(unixSecond, successes, errors, shed.sum());
  }
}
