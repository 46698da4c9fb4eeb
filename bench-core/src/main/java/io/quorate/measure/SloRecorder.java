// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import io.quorate.capacity.ViolationCount;
import io.quorate.scenario.ServiceLevel;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Judges the requests of a step by limits, second by second, and keeps the response times after a
 * settling time. A request that the load generator sent late is judged twice: by its scheduled send
 * time, and by its send time. If only the first judgment violates a limit, the load generator is
 * the cause.
 *
 * <p>Recording and reading are safe from any thread, at any time, without locks.
 */
public final class SloRecorder {
  private final List<ServiceLevel> limits;
  private final int settleSeconds;
  private final List<OperationRecorder> operations = new ArrayList<>();
  private final Histogram responses = new ConcurrentHistogram(LatencyRecorder.SIGNIFICANT_DIGITS);
  private volatile Histogram lag = new ConcurrentHistogram(LatencyRecorder.SIGNIFICANT_DIGITS);
  private volatile long firstSecond = Long.MAX_VALUE;
  private volatile long firstMeasured = Long.MAX_VALUE;

  /**
   * Creates a recorder.
   *
   * @param limits limits of the scenario; none for a step that is not judged
   * @param settleSeconds seconds without response times, from the second of the first request on
   */
  public SloRecorder(List<ServiceLevel> limits, int settleSeconds) {
    this.limits = List.copyOf(limits);
    this.settleSeconds = settleSeconds;
  }

  void add(OperationRecorder operation) {
    operations.add(operation);
  }

  /** Sets the second since 1970 of the first request; further calls do nothing. */
  synchronized void beginAt(long unixSecond) {
    if (firstSecond == Long.MAX_VALUE) {
      firstMeasured = unixSecond + settleSeconds;
      firstSecond = unixSecond;
    }
  }

  /** Returns how long a request of an operation may take, for each limit. */
  long[] latestNanos(String operation) {
    return limits.stream()
        .mapToLong(limit -> isAbout(limit, operation) ? limit.latestNanos() : Long.MAX_VALUE)
        .toArray();
  }

  private static boolean isAbout(ServiceLevel limit, String operation) {
    return limit.operation().map(Operation::id).map(operation::equals).orElse(true);
  }

  void succeeded(SecondTally dueIn, long[] latestNanos, long latencyNanos, long delayNanos) {
    for (int i = 0; i < latestNanos.length; i++) {
      if (latencyNanos > latestNanos[i]) {
        dueIn.late(i, latencyNanos - delayNanos > latestNanos[i]);
      }
    }
    if (dueIn.unixSecond >= firstMeasured) {
      responses.recordValue(Math.min(latencyNanos, LatencyRecorder.MAX_NANOS));
    }
  }

  void delayed(long nanos) {
    lag.recordValue(Math.min(nanos, LatencyRecorder.MAX_NANOS));
  }

  /** Discards the send delays until now, as the load has settled. */
  public void settled() {
    lag = new ConcurrentHistogram(LatencyRecorder.SIGNIFICANT_DIGITS);
  }

  /**
   * Counts the intended requests, and those that violate a limit, for each limit and each second of
   * a range of past seconds. A failed request violates every limit except one of dropped requests;
   * a dropped request violates all limits. A request that has not ended violates a limit as soon as
   * it is late.
   *
   * @param from first second; 0 is the second of the first request
   * @param sinceSent whether requests are judged by their send times
   */
  public List<List<ViolationCount>> violations(int from, int to, boolean sinceSent) {
    List<List<ViolationCount>> all = new ArrayList<>();
    for (int limit = 0; limit < limits.size(); limit++) {
      List<ViolationCount> ofLimit = new ArrayList<>();
      for (int second = from; second < to; second++) {
        ofLimit.add(violations(limit, firstSecond + second, sinceSent));
      }
      all.add(ofLimit);
    }
    return all;
  }

  /** Returns whether the requests that were due in a past second are within all limits. */
  public boolean isWithinLimits(int second) {
    return IntStream.range(0, limits.size())
        .allMatch(
            limit ->
                violations(limit, firstSecond + second, false)
                    .isWithin(limits.get(limit).allowedPart()));
  }

  private ViolationCount violations(int limit, long unixSecond, boolean sinceSent) {
    ServiceLevel rule = limits.get(limit);
    return ViolationCount.sum(
        operations.stream()
            .filter(operation -> isAbout(rule, operation.operation()))
            .flatMap(operation -> operation.tally(unixSecond).stream())
            .map(tally -> violations(tally, limit, rule, sinceSent))
            .toList());
  }

  private static ViolationCount violations(
      SecondTally tally, int limit, ServiceLevel rule, boolean sinceSent) {
    long failed = tally.failureCount();
    long underWay = tally.underWay();
    boolean late = rule.isViolatedBy(System.nanoTime() - tally.endNanos);
    long intended = tally.intended();
    long violating =
        tally.lateCount(limit, sinceSent)
            + tally.droppedCount()
            + (rule.isViolatedByFailure() ? failed : 0)
            + (late ? underWay : 0);
    return new ViolationCount(intended, Math.min(intended, violating));
  }

  /** Returns how many requests were due from one second up to another, including dropped ones. */
  public long intended(int from, int to) {
    long count = 0;
    for (OperationRecorder operation : operations) {
      for (int second = from; second < to; second++) {
        count += operation.tally(firstSecond + second).map(SecondTally::intended).orElse(0L);
      }
    }
    return count;
  }

  /** Returns the response times of the successes that were due after settling. */
  public Histogram responses() {
    return responses.copy();
  }

  /** Returns the send delays of the requests that have ended since the load has settled. */
  public Histogram lag() {
    return lag.copy();
  }
}
