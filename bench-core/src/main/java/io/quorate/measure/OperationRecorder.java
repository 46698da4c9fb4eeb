// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records the requests of one operation of a step: every response time in nanoseconds, in a
 * histogram of 3 significant digits. For each second in which requests were due, it records exact
 * count, sum, minimum and maximum. The response time starts at the scheduled send time of a
 * request, the service time when it was sent. In a closed loop the two are equal, and service times
 * are not recorded separately.
 *
 * <p>Recording is safe from any thread, without locks or allocation (an error allocates). {@link
 * #part()}, {@link #interval()}, {@link #serviceInterval()} and {@link #measurement()} belong to
 * one reading thread at a time. Memory grows with the seconds of a step, not with its requests.
 */
public final class OperationRecorder {
  private final String operation;
  private final RunClock clock;
  private final SuccessGapRecorder watch;
  private final LatencyRecorder response = new LatencyRecorder();

  /** Null in a closed loop, instead of an optional, as every request checks it. */
  private final @Nullable LatencyRecorder service;

  private final LatencyRecorder lag;
  private final LatencyRecorder queue;

  /** Null if requests are not judged. */
  private final @Nullable SloRecorder slo;

  private final long[] latestNanos;
  private final List<SecondTally> seconds = new ArrayList<>();
  private final LongAdder errors = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private volatile SecondTally current = new SecondTally(Long.MIN_VALUE, 0, 0, 0);

  /**
   * Creates a recorder.
   *
   * @param lag receives how late requests were sent
   * @param queue receives how long requests waited for a connection, if they did
   * @param open whether requests are due at separate times, so that response and service times
   *     differ
   * @param slo recorder that judges the requests; null if they are not judged
   */
  OperationRecorder(
      String operation,
      RunClock clock,
      SuccessGapRecorder watch,
      LatencyRecorder lag,
      LatencyRecorder queue,
      boolean open,
      @Nullable SloRecorder slo) {
    this.lag = lag;
    this.queue = queue;
    this.slo = slo;
    this.latestNanos = slo == null ? new long[0] : slo.latestNanos(operation);
    this.operation = operation;
    this.clock = clock;
    this.watch = watch;
    this.service = open ? new LatencyRecorder() : null;
  }

  public String operation() {
    return operation;
  }

  /**
   * Returns the tally of a request that is due at this time of the nano clock, not before an
   * earlier one.
   */
  public SecondTally second(long dueNanos) {
    SecondTally second = current;
    return dueNanos - second.startNanos >= 0 && dueNanos - second.endNanos < 0
        ? second
        : otherSecond(dueNanos);
  }

  /** Counts a request that begins, and returns the tally of the second in which it is due. */
  public SecondTally begun(long dueNanos) {
    SecondTally second = second(dueNanos);
    second.begun();
    return second;
  }

  /**
   * Records a request of a closed loop that succeeded, with the times of the nano clock when it was
   * sent and ended.
   */
  public void succeeded(SecondTally dueIn, long startNanos, long endNanos) {
    long latencyNanos = endNanos - startNanos;
    response.record(latencyNanos);
    dueIn.succeeded(latencyNanos);
    watch.succeeded(endNanos);
  }

  /**
   * Records a request that succeeded, with its scheduled send time, its send time and its end, by
   * the nano clock. In a closed loop the first two are equal.
   */
  public void succeeded(SecondTally dueIn, long dueNanos, long sentNanos, long endNanos) {
    succeeded(dueIn, dueNanos, endNanos);
    if (service != null) {
      service.record(endNanos - sentNanos);
    }
  }

  /**
   * Records a request that succeeded, and judges it.
   *
   * @param delayNanos how late the load generator sent it, see {@link #delayed}
   */
  public void succeeded(
      SecondTally dueIn, long dueNanos, long sentNanos, long endNanos, long delayNanos) {
    succeeded(dueIn, dueNanos, sentNanos, endNanos);
    if (slo != null) {
      slo.succeeded(dueIn, latestNanos, endNanos - dueNanos, delayNanos);
    }
  }

  /**
   * Records a request that failed; its latency is not part of the statistics of successes. The
   * latency is 0 if the request ended before its scheduled send time.
   */
  public void failed(SecondTally dueIn, String kind, String message, long latencyNanos) {
    dueIn.failed(kind, message, latencyNanos);
    errors.increment();
  }

  /**
   * Records how late a request was sent, in nanoseconds; once for each request that succeeded or
   * failed. In a closed loop a request is due when its client takes it.
   */
  public void delayed(long nanos) {
    lag.record(Math.max(0, nanos));
    if (slo != null) {
      slo.delayed(Math.max(0, nanos));
    }
  }

  /**
   * Records how long a request waited for a connection that carries one request at a time, in
   * nanoseconds. Response time is queue time, send lag and service time together.
   */
  public void queued(long nanos) {
    if (nanos > 0) {
      queue.record(nanos);
    }
  }

  /** Records an attempt of a request that is repeated, as another client has written meanwhile. */
  public void conflicted() {
    conflicts.increment();
  }

  /** Records a request that was due but not sent, because too many were in flight. */
  public void dropped(SecondTally dueIn) {
    dueIn.dropped();
  }

  /**
   * Returns the response times of the successes since the last call. The histogram is valid until
   * the next call.
   */
  public Histogram interval() {
    return response.interval();
  }

  /**
   * Returns the response times of the successes since the last call of this method or of {@link
   * #interval()}, which counts them, too. The histogram is valid until the next call.
   */
  public Histogram part() {
    return response.part();
  }

  /** Returns the service times as {@link #interval()} does; empty in a closed loop. */
  public Optional<Histogram> serviceInterval() {
    return Optional.ofNullable(service).map(LatencyRecorder::interval);
  }

  private List<SecondTally> tallies() {
    synchronized (seconds) {
      return List.copyOf(seconds);
    }
  }

  /** Releases the memory that only recording needs, after the last request and interval. */
  void release() {
    response.release();
    if (service != null) {
      service.release();
    }
  }

  /** Returns the number of requests that have succeeded so far. Safe for several threads. */
  public long successCount() {
    return tallies().stream().mapToLong(SecondTally::successCount).sum();
  }

  /** Returns the number of requests that were due so far but not sent. Safe for several threads. */
  public long droppedCount() {
    return tallies().stream().mapToLong(SecondTally::droppedCount).sum();
  }

  /** Returns the number of requests that have begun and not ended. Safe for several threads. */
  long underWayCount() {
    return tallies().stream().mapToLong(SecondTally::underWay).sum();
  }

  /**
   * Returns the tally of a second since 1970; empty if no request was due in it. Safe for several
   * threads.
   */
  Optional<SecondTally> tally(long unixSecond) {
    return tallies().stream().filter(each -> each.unixSecond == unixSecond).findFirst();
  }

  long errorCount() {
    return errors.sum();
  }

  /** Returns the number of requests that have failed so far, by kind. Safe for several threads. */
  public SortedMap<String, Long> errorsByKind() {
    SortedMap<String, Long> kinds = new TreeMap<>();
    tallies().forEach(tally -> tally.addErrors(kinds));
    return kinds;
  }

  /**
   * Returns the new requests since the last call in seconds that ended before a time of the nano
   * clock. Each second has its new requests, but the minimum and maximum of all its requests. For
   * one reading thread at a time.
   */
  public List<SecondMeasurement> news(long untilNanos) {
    return tallies().stream()
        .filter(tally -> untilNanos - tally.endNanos >= 0)
        .map(SecondTally::news)
        .filter(news -> !news.isEmpty())
        .toList();
  }

  /** Returns the measurement up to the last interval; the exact values up to now. */
  OperationMeasurement measurement() {
    return new OperationMeasurement(
        operation,
        response.total(),
        Optional.ofNullable(service).map(LatencyRecorder::total),
        SecondMeasurement.withoutGaps(tallies().stream().map(SecondTally::measurement)),
        conflicts.sum());
  }

  private SecondTally otherSecond(long nanos) {
    long unixSecond = clock.unixSecond(nanos);
    synchronized (seconds) {
      for (int i = seconds.size() - 1; i >= 0; i--) {
        if (seconds.get(i).unixSecond == unixSecond) {
          return seconds.get(i);
        }
        if (seconds.get(i).unixSecond < unixSecond) {
          return added(i + 1, unixSecond);
        }
      }
      return added(0, unixSecond);
    }
  }

  private SecondTally added(int index, long unixSecond) {
    SecondTally second =
        new SecondTally(
            unixSecond,
            clock.secondStart(unixSecond),
            clock.secondStart(unixSecond + 1),
            latestNanos.length);
    seconds.add(index, second);
    if (index == seconds.size() - 1) {
      current = second;
    }
    return second;
  }
}
