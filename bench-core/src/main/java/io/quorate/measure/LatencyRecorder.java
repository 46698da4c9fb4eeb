package io.quorate.measure;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.WriterReaderPhaser;

/**
 * Records times in nanoseconds, up to an hour; a longer one is recorded as an hour. Gives those of
 * each interval, and all, as histograms.
 *
 * <p>Recording is safe from any thread, without locks or allocation. {@link #interval()} and {@link
 * #total()} belong to one reading thread at a time.
 *
 * <p>It counts in the buckets of HdrHistogram, with HdrHistogram's means against losing a time
 * between two intervals. HdrHistogram's own {@code Recorder} is not used, as it sets each of its
 * 470,000 counters (4 digits) to 0 in every interval, however few times were recorded: of eight
 * load generators on one machine that took a tenth of a processor.
 */
public final class LatencyRecorder {
  /** Times above this are recorded as this. */
  public static final long HIGHEST_NANOS = 3_600_000_000_000L;

  /** Time between two looks at whether the threads that are recording have ended. */
  private static final long YIELD_NANOS = 500_000;

  private final WriterReaderPhaser phaser = new WriterReaderPhaser();
  private Histogram interval;
  private final Histogram total;
  private volatile Counters active;
  private Counters idle;
  private long beginMillis = System.currentTimeMillis();

  /**
   * @param significantDigits to which times are kept apart, 1 to 5
   */
  public LatencyRecorder(int significantDigits) {
    this.interval = new Histogram(HIGHEST_NANOS, significantDigits);
    this.total = new Histogram(significantDigits);
    this.active = new Counters(significantDigits);
    this.idle = new Counters(significantDigits);
  }

  /**
   * Records a time, not below 0. At most 2^31 times of one bucket fit into an interval.
   *
   * @throws IndexOutOfBoundsException if it is below 0
   */
  public void record(long nanos) {
    long entered = phaser.writerCriticalSectionEnter();
    try {
      active.count(Math.min(nanos, HIGHEST_NANOS));
    } finally {
      phaser.writerCriticalSectionExit(entered);
    }
  }

  /**
   * Returns the times since the last call, with time stamps of both calls. The histogram is valid
   * until the next call.
   */
  public Histogram interval() {
    phaser.readerLock();
    try {
      Counters counted = active;
      active = idle;
      idle = counted;
      phaser.flipPhase(YIELD_NANOS);
    } finally {
      phaser.readerUnlock();
    }
    interval.reset();
    idle.moveTo(interval, total);
    long endMillis = System.currentTimeMillis();
    interval.setStartTimeStamp(beginMillis);
    interval.setEndTimeStamp(endMillis);
    beginMillis = endMillis;
    return interval;
  }

  /** Returns all times up to the last interval. */
  public Histogram total() {
    return total.copy();
  }

  /** Gives back the memory of all but the total; nothing can be recorded any more. */
  void release() {
    active = null;
    idle = null;
    interval = null;
  }

  /** A counter for each bucket of a histogram. */
  private static final class Counters {
    private static final int BLOCK_BITS = 8;

    private final int halfBits;
    private final AtomicIntegerArray counts;

    /** Which blocks of counters are not all 0. */
    private final boolean[] touched;

    /** Buckets are one nanosecond wide up to twice ten to the power of the digits. */
    Counters(int significantDigits) {
      long single = 2 * Math.round(Math.pow(10, significantDigits));
      this.halfBits = Long.SIZE - Long.numberOfLeadingZeros(single - 1) - 1;
      this.counts = new AtomicIntegerArray(bucket(HIGHEST_NANOS) + 1);
      this.touched = new boolean[(counts.length() >> BLOCK_BITS) + 1];
    }

    void count(long nanos) {
      int bucket = bucket(nanos);
      counts.getAndIncrement(bucket);
      int block = bucket >> BLOCK_BITS;
      if (!touched[block]) {
        touched[block] = true;
      }
    }

    /** Adds what was counted to histograms, and begins at 0 again. */
    void moveTo(Histogram... histograms) {
      for (int block = 0; block < touched.length; block++) {
        if (touched[block]) {
          touched[block] = false;
          moveTo(histograms, block << BLOCK_BITS);
        }
      }
    }

    private void moveTo(Histogram[] histograms, int from) {
      int to = Math.min(counts.length(), from + (1 << BLOCK_BITS));
      for (int bucket = from; bucket < to; bucket++) {
        int count = counts.getPlain(bucket);
        if (count != 0) {
          counts.setPlain(bucket, 0);
          for (Histogram histogram : histograms) {
            histogram.recordValueWithCount(lowest(bucket), count);
          }
        }
      }
    }

    /** Returns the bucket of a time: they double in width after every half. */
    private int bucket(long nanos) {
      int doublings = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - halfBits - 1);
      return (doublings << halfBits) + (int) (nanos >>> doublings);
    }

    /** Returns the lowest time of a bucket. */
    private long lowest(int bucket) {
      int doublings = Math.max(0, (bucket >> halfBits) - 1);
      return (long) (bucket - (doublings << halfBits)) << doublings;
    }
  }
}
