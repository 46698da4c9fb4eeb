package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Records the requests of one operation of a step: every response time in nanoseconds, in a
 * histogram of 3 significant digits, and exact count, sum, minimum and maximum for each second in
 * which requests were due. The response time runs from when a request was due to be sent, the
 * service time from when it was sent; in a closed loop they are one, and service times are not
 * recorded apart.
 *
 * <p>Recording is safe from any thread, without locks or allocation (an error allocates). {@link
 * #interval()}, {@link #serviceInterval()} and {@link #measurement()} belong to one reading thread
 * at a time. Memory grows with the seconds of a step, not with its requests.
 */
public final class OperationRecorder {
  private final String operation;
  private final RunClock clock;
  private final SuccessGapRecorder watch;
  private final LatencyRecorder response = new LatencyRecorder();

  /** Null in a closed loop: this is looked at for every request. */
  private final LatencyRecorder service;

  private final LatencyRecorder lag;

  /** Null if requests are not judged, and how long they may take by each limit. */
  private final SloRecorder slo;

  private final long[] latestNanos;
  private final List<SecondTally> seconds = new ArrayList<>();
  private final LongAdder errors = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private volatile SecondTally current = new SecondTally(Long.MIN_VALUE, 0, 0, 0);

  /**
   * @param lag takes how late requests were sent
   * @param open whether requests are due at separate times, so that response and service times
   *     differ
   * @param slo judges the requests; null if no one does
   */
  OperationRecorder(
      String operation,
      RunClock clock,
      SuccessGapRecorder watch,
      LatencyRecorder lag,
      boolean open,
      SloRecorder slo) {
    this.lag = lag;
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
   * Records a request that succeeded, with the times of the nano clock its scheduled send time,
   * sent and ended; in a closed loop the first two are one.
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
   * @param delayNanos how much later than due the load generator sent it, see {@link #delayed}
   */
  public void succeeded(
      SecondTally dueIn, long dueNanos, long sentNanos, long endNanos, long delayNanos) {
    succeeded(dueIn, dueNanos, sentNanos, endNanos);
    if (slo != null) {
      slo.succeeded(dueIn, latestNanos, endNanos - dueNanos, delayNanos);
    }
  }

  /**
   * Records a request that failed; its latency enters no statistics of successes. It counts as 0 if
   * the request ended before it was due.
   */
  public void failed(SecondTally dueIn, String kind, String message, long latencyNanos) {
    dueIn.failed(kind, message, latencyNanos);
    errors.increment();
  }

  /**
   * Records how much later than due a request was sent, in nanoseconds; once for each request that
   * succeeded or failed. In a closed loop a request is due when its client takes it.
   */
  public void delayed(long nanos) {
    lag.record(Math.max(0, nanos));
    if (slo != null) {
      slo.delayed(Math.max(0, nanos));
    }
  }

  /** Records a try of a request that is made again, as another client came between. */
  public void conflicted() {
    conflicts.increment();
  }

  /** Records a request that was due but not sent, because too many were in flight. */
  public void shed(SecondTally dueIn) {
    dueIn.shed();
  }

  /**
   * Returns the response times of the successes since the last call. The histogram is valid until
   * the next call.
   */
  public Histogram interval() {
    return response.interval();
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

  /** Gives back the memory that only recording needs, after the last request and interval. */
  void release() {
    response.release();
    if (service != null) {
      service.release();
    }
  }

  /** Returns the number of requests that have succeeded so far. Any thread. */
  public long successCount() {
    return tallies().stream().mapToLong(SecondTally::successCount).sum();
  }

  /** Returns the number of requests that were due so far but not sent. Any thread. */
  public long shedCount() {
    return tallies().stream().mapToLong(SecondTally::shedCount).sum();
  }

  /** Returns the number of requests that have begun and not ended. Any thread. */
  long underWayCount() {
    return tallies().stream().mapToLong(SecondTally::underWay).sum();
  }

  /** Returns the tally of a second since 1970; empty if no request was due in it. Any thread. */
  Optional<SecondTally> tally(long unixSecond) {
    return tallies().stream().filter(each -> each.unixSecond == unixSecond).findFirst();
  }

  long errorCount() {
    return errors.sum();
  }

  /** Returns the number of requests that have failed so far, by kind. Any thread. */
  public SortedMap<String, Long> errorsByKind() {
    SortedMap<String, Long> kinds = new TreeMap<>();
    tallies().forEach(tally -> tally.addErrors(kinds));
    return kinds;
  }

  /**
   * Returns what was counted since the last call in seconds that ended before a time of the nano
   * clock: of each second with something new its further requests, and the minimum and maximum of
   * all of them. For one reading thread at a time.
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
        SecondMeasurement.withoutGaps(tallies().stream().map(SecondTally::measurement).toList()),
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
