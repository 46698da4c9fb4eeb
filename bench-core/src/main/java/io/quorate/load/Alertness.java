package io.quorate.load;

/**
 * Limits how much of the processors the threads that send requests take in order to be in time.
 * Servers and other shards on the same machine need the processors, too, so the limits follow from
 * what all load generators of the machine send together.
 *
 * @param ratePerSecond requests that all of them send together
 */
record Alertness(long ratePerSecond) {
  /**
   * Requests per second up to which the thread that sends sleeps most of the time. Linux stops a
   * real time thread that never does for 50 ms of each second.
   */
  private static final long REAL_TIME_RATE = 20_000;

  /**
   * Requests per second up to which the event loops need a tenth of a processor. They need more
   * when each answer wakes them at once, which servers of the same machine would miss at higher
   * rates.
   */
  private static final long LOW_RATE = 1_000;

  /** Waiting awake takes at most this share of one processor. */
  private static final double AWAKE_SHARE = 0.05;

  /** A sleeping thread wakes up about this late, so the last of the wait is spent awake. */
  private static final long WAKE_UP_NANOS = 50_000;

  /** Long enough to wake up two threads, and to make a message with cold code. */
  private static final long MESSAGE_NANOS = 500_000;

  private static final double NANOS_PER_SECOND = 1e9;

  /** Returns whether the thread that sends runs before all other threads of the machine. */
  boolean pacerIsRealTime() {
    return ratePerSecond <= REAL_TIME_RATE;
  }

  /**
   * Returns whether the event loops of the connections do so, too, and have requests before they
   * are due.
   */
  boolean loopsAreEarly() {
    return ratePerSecond <= LOW_RATE;
  }

  /** Returns how long before each request the thread that sends waits awake. */
  long awakeNanos() {
    return Math.min(WAKE_UP_NANOS, mostAwakeNanos());
  }

  /** Returns how long before it is due an event loop has a request, and waits awake. */
  long leadNanos() {
    return Math.min(MESSAGE_NANOS, mostAwakeNanos());
  }

  private long mostAwakeNanos() {
    return Math.round(AWAKE_SHARE * NANOS_PER_SECOND / ratePerSecond);
  }
}
