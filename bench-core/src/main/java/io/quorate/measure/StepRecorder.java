package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Records the requests of one step: every latency in nanoseconds, in a histogram of 4 significant
 * digits, and exact count, sum, minimum and maximum for each second in which requests were sent.
 *
 * <p>Recording is safe from any thread, without locks or allocation (an error allocates). {@link
 * #interval()} and {@link #measurement()} belong to one reading thread at a time. Memory grows with
 * the seconds of a step, not with its requests.
 */
public final class StepRecorder {
  /** Latencies above this are recorded as this in the histogram; the exact figures keep them. */
  public static final long HIGHEST_NANOS = 3_600_000_000_000L;

  public static final int SIGNIFICANT_DIGITS = 4;

  private final int clients;
  private final RunClock clock;
  private final Recorder recorder = new Recorder(HIGHEST_NANOS, SIGNIFICANT_DIGITS);
  private final Histogram total = new Histogram(HIGHEST_NANOS, SIGNIFICANT_DIGITS);
  private final List<SecondTally> seconds = new ArrayList<>();
  private final LongAccumulator firstNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator lastNanos = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final LongAdder active = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final SuccessWatch successes = new SuccessWatch();
  private Histogram recycled;
  private volatile SecondTally current;

  public StepRecorder(int clients, RunClock clock) {
    this.clients = clients;
    this.clock = clock;
    this.current = new SecondTally(Long.MIN_VALUE, 0, 0);
  }

  /** Records that a client begins its first request of the step. */
  public void clientStarted(long nanos) {
    active.increment();
    firstNanos.accumulate(nanos);
    successes.start(nanos);
  }

  /** Records that a client has ended its last request of the step. */
  public void clientFinished(long nanos) {
    lastNanos.accumulate(nanos);
    active.decrement();
  }

  /**
   * Returns the tally of a request that is sent at this time of the nano clock, not before an
   * earlier one.
   */
  public SecondTally second(long startNanos) {
    SecondTally second = current;
    return startNanos - second.startNanos >= 0 && startNanos - second.endNanos < 0
        ? second
        : otherSecond(startNanos);
  }

  /**
   * Records a request that succeeded, with the times of the nano clock when it was sent and ended.
   */
  public void succeeded(SecondTally sentIn, long startNanos, long endNanos) {
    long latencyNanos = endNanos - startNanos;
    recorder.recordValue(Math.min(latencyNanos, HIGHEST_NANOS));
    sentIn.succeeded(latencyNanos);
    successes.succeeded(endNanos);
  }

  /** Records a request that failed; its latency enters no statistics of successes. */
  public void failed(SecondTally sentIn, String kind, String message, long latencyNanos) {
    sentIn.failed(kind, message, latencyNanos);
    errors.increment();
  }

  /**
   * Returns the latencies of the successes since the last call, or since the first client started.
   * The histogram is valid until the next call.
   */
  public Histogram interval() {
    recycled = recorder.getIntervalHistogram(recycled);
    total.add(recycled);
    recycled.setStartTimeStamp(Math.max(recycled.getStartTimeStamp(), firstUnixMillis()));
    return recycled;
  }

  /** Returns the number of requests that have succeeded so far. */
  public long successCount() {
    synchronized (seconds) {
      return seconds.stream().mapToLong(SecondTally::successCount).sum();
    }
  }

  /** Returns the number of requests that have failed so far. */
  public long errorCount() {
    return errors.sum();
  }

  /** Returns the measurement up to the last {@link #interval()}; the exact figures up to now. */
  public StepMeasurement measurement() {
    List<SecondMeasurement> measured = new ArrayList<>();
    Latencies latencies = Latencies.NONE;
    List<SecondTally> tallies;
    synchronized (seconds) {
      tallies = List.copyOf(seconds);
    }
    for (SecondTally tally : tallies) {
      SecondMeasurement second = tally.measurement();
      for (long empty = nextSecond(measured); empty < tally.unixSecond; empty++) {
        measured.add(new SecondMeasurement(empty, Latencies.NONE, List.of()));
      }
      measured.add(second);
      latencies = latencies.plus(second.successes());
    }
    long first = firstNanos.get();
    long last = first == Long.MAX_VALUE ? first : lastNanos();
    return new StepMeasurement(
        clients,
        last - first,
        latencies,
        total.copy(),
        measured,
        Optional.of(successes.until(last)));
  }

  private static long nextSecond(List<SecondMeasurement> measured) {
    return measured.isEmpty() ? Long.MAX_VALUE : measured.get(measured.size() - 1).unixSecond() + 1;
  }

  /** Returns when the first client started, as the recorder was made long before the step began. */
  private long firstUnixMillis() {
    long first = firstNanos.get();
    return first == Long.MAX_VALUE ? Long.MIN_VALUE : clock.unixNanos(first) / 1_000_000;
  }

  /** Returns when the last client ended; now, as long as one has not. */
  private long lastNanos() {
    return active.sum() > 0 ? System.nanoTime() : lastNanos.get();
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
            unixSecond, clock.secondStart(unixSecond), clock.secondStart(unixSecond + 1));
    seconds.add(index, second);
    if (index == seconds.size() - 1) {
      current = second;
    }
    return second;
  }
}
