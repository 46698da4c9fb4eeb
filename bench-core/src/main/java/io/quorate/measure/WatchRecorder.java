// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Records when the watchers of a step receive its puts. A put is identified by its number, the
 * index of its scheduled send time. Both ends use one clock. All memory is reserved at the
 * beginning: 28 bytes for each put and a bit for each expected event.
 *
 * <p>Recording is safe from any thread, without locks or allocation; what one watcher receives
 * comes from one thread at a time. Intervals and {@link #measurement()} belong to one reading
 * thread at a time.
 */
public final class WatchRecorder {
  /** Flag in the arrivals of an acknowledged put. */
  private static final int ACKNOWLEDGED = 1 << 30;

  private static final int COUNT = ACKNOWLEDGED - 1;
  private static final long UNKNOWN_REVISION = -1;

  private final long firstIndex;
  private final int puts;
  private final int receivers;
  private final int streams;
  private final boolean coalesces;
  private final AtomicLongArray dueNanos;
  private final AtomicIntegerArray arrivals;

  /** The shortest latency of each put plus one; 0 if there is none. */
  private final AtomicLongArray firstNanos;

  /**
   * The latency of the median watcher of each put plus one; 0 if there is none. Negative if the
   * last watcher was faster, whose latency this is then.
   */
  private final AtomicLongArray medianNanos;

  private final Watcher[] watchers;
  private final LatencyRecorder first = new LatencyRecorder();
  private final LatencyRecorder median = new LatencyRecorder();
  private final LatencyRecorder last = new LatencyRecorder();
  private final LongAdder duplicated = new LongAdder();
  private final LongAdder reordered = new LongAdder();
  private final LongAdder early = new LongAdder();
  private final LongAdder interruptions = new LongAdder();
  private volatile long createdNanos;
  private volatile long drainNanos;
  private volatile boolean drained;
  private volatile long finalRevision = Long.MAX_VALUE;

  /**
   * Creates a recorder.
   *
   * @param firstIndex the number of the first put of the step
   * @param puts largest number of puts
   * @param receivers how many of the watchers receive each put
   * @param coalesces whether the store may omit changes that are followed by others
   */
  public WatchRecorder(
      long firstIndex, int puts, int watchers, int receivers, int streams, boolean coalesces) {
    this.firstIndex = firstIndex;
    this.puts = puts;
    this.receivers = receivers;
    this.streams = streams;
    this.coalesces = coalesces;
    this.dueNanos = new AtomicLongArray(puts);
    this.arrivals = new AtomicIntegerArray(puts);
    this.firstNanos = new AtomicLongArray(puts);
    this.medianNanos = new AtomicLongArray(puts);
    this.watchers =
        IntStream.range(0, watchers).mapToObj(i -> new Watcher(puts)).toArray(Watcher[]::new);
  }

  /** The puts that one watcher has received. */
  private static final class Watcher {
    private final long[] seen;

    /** The latest revision that it has received; written last, so that it publishes the rest. */
    private volatile long revision = UNKNOWN_REVISION;

    Watcher(int puts) {
      this.seen = new long[(puts + Long.SIZE - 1) / Long.SIZE];
    }

    /** Marks a put; returns false if it was marked before. */
    boolean mark(int put) {
      long bit = 1L << put;
      boolean fresh = (seen[put / Long.SIZE] & bit) == 0;
      seen[put / Long.SIZE] |= bit;
      return fresh;
    }

    long unseen(long[] of) {
      long count = 0;
      for (int i = 0; i < of.length; i++) {
        count += Long.bitCount(of[i] & ~seen[i]);
      }
      return count;
    }
  }

  /** Records that a put is being sent, with its scheduled send time by the nano clock. */
  public void sent(long index, long nanos) {
    dueNanos.setRelease((int) (index - firstIndex), nanos);
  }

  /** Records that a put was acknowledged, once. */
  public void acknowledged(long index) {
    int before = arrivals.getAndAdd((int) (index - firstIndex), ACKNOWLEDGED);
    early.add(before & COUNT);
  }

  /**
   * Records that a watcher received a put; ignores puts of other steps.
   *
   * @param watcher number of the watcher, from 0
   * @param revision revision, which does not decrease for one watcher; negative if it is not known
   * @param nanos the time of the nano clock
   */
  public void told(int watcher, long index, long revision, long nanos) {
    if (drained) {
      return;
    }
    Watcher by = watchers[watcher];
    long put = index - firstIndex;
    if (put >= 0 && put < puts) {
      count(by, (int) put, revision, nanos);
    }
    by.revision = Math.max(by.revision, revision);
  }

  private void count(Watcher by, int put, long revision, long nanos) {
    long due = dueNanos.getAcquire(put);
    if (due == 0) {
      return; // a request that was not expected to write, as its object was missing
    }
    if (!by.mark(put)) {
      duplicated.increment();
      return;
    }
    if (revision != UNKNOWN_REVISION && revision < by.revision) {
      reordered.increment();
    }
    long some = Math.max(0, nanos - due) + 1;
    firstNanos.accumulateAndGet(
        put, some, (known, more) -> known == 0 ? more : Math.min(known, more));
    int number = (arrivals.getAndIncrement(put) & COUNT) + 1;
    if (number == (receivers + 1) / 2) {
      long ofLast = medianNanos.getAndSet(put, some);
      if (ofLast < 0) {
        receivedByAll(put, some, -ofLast);
      }
    }
    if (number == receivers && !medianNanos.compareAndSet(put, 0, -some)) {
      receivedByAll(put, medianNanos.get(put), some);
    }
  }

  /**
   * Records the latencies of a put that all its watchers have received. So the first, the median
   * and the last watcher have latencies of the same events.
   */
  private void receivedByAll(int put, long ofMedian, long ofLast) {
    long shortest = firstNanos.get(put) - 1;
    long middle = ofMedian - 1;
    first.record(shortest);
    median.record(middle);
    last.record(Math.max(middle, ofLast - 1));
  }

  public void interrupted() {
    interruptions.increment();
  }

  /** Returns whether the store may omit changes that are followed by others. */
  public boolean coalesces() {
    return coalesces;
  }

  /** Records how long it took until all watches were in place. */
  public void created(long nanos) {
    createdNanos = nanos;
  }

  /**
   * Records the revision of the last change of what is watched. If the store reports only the
   * latest state, a watcher that received this revision has missed nothing.
   */
  public void ended(long revision) {
    finalRevision = revision;
  }

  /**
   * Records how long the step waited for events after the last put. Later events count as lost and
   * are ignored.
   */
  public void drained(long nanos) {
    drainNanos = nanos;
    drained = true;
  }

  /** Returns whether each acknowledged put, or the final state, has reached its watchers. */
  public boolean isComplete() {
    return missing() == 0 || Arrays.stream(watchers).allMatch(this::isUpToDate);
  }

  private boolean isUpToDate(Watcher watcher) {
    return coalesces && watcher.revision >= finalRevision;
  }

  /** Returns the number of events of acknowledged puts that the watchers have not received. */
  public long missing() {
    long missing = 0;
    for (int i = 0; i < puts; i++) {
      int state = arrivals.get(i);
      if (state >= ACKNOWLEDGED) {
        missing += receivers - (state & COUNT);
      }
    }
    return missing;
  }

  /** Returns the times of the first watchers since the last call, valid until the next. */
  public Histogram firstInterval() {
    return first.interval();
  }

  /** Returns the times of the median watcher as {@link #firstInterval()} does. */
  public Histogram medianInterval() {
    return median.interval();
  }

  /** Returns the times of the last watcher as {@link #firstInterval()} does. */
  public Histogram lastInterval() {
    return last.interval();
  }

  /** Returns the measurement, with the times up to the last intervals. */
  public WatchMeasurement measurement() {
    return new WatchMeasurement(
        watchers.length,
        streams,
        createdNanos,
        counts(),
        drainNanos,
        first.total(),
        median.total(),
        last.total());
  }

  private EventCounts counts() {
    long[] expected = new long[(puts + Long.SIZE - 1) / Long.SIZE];
    long acknowledgedPuts = 0;
    long missing = 0;
    for (int i = 0; i < puts; i++) {
      int state = arrivals.get(i);
      if (state >= ACKNOWLEDGED) {
        acknowledgedPuts++;
        missing += receivers - (state & COUNT);
        expected[i / Long.SIZE] |= 1L << i;
      }
    }
    long all = acknowledgedPuts * receivers;
    long coalesced = 0;
    for (Watcher each : watchers) {
      if (isUpToDate(each)) {
        coalesced += each.unseen(expected);
      }
    }
    coalesced = Math.min(coalesced, missing); // while events still come
    return new EventCounts(
        all,
        all - missing,
        coalesced,
        missing - coalesced,
        duplicated.sum(),
        reordered.sum(),
        early.sum(),
        interruptions.sum());
  }
}
