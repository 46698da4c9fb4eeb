package io.quorate.network;

/**
 * Counts the bytes that a relay holds in all directions together, and limits the bytes of each
 * direction. For one thread.
 */
final class InFlightBytes {
  /** Most bytes of a direction: enough for 160 MB/s at a round trip of 50 ms. */
  private static final long MAX_OF_ONE = 4 << 20;

  /** Most bytes of a direction while the relay holds more than {@link #MANY}. */
  private static final long LITTLE = 64 << 10;

  private static final long MANY = 128 << 20;

  /** Fewest items in flight with which the relay is busy. */
  private static final int BUSY = 5;

  private long bytes;
  private int things;

  void begin(long more) {
    bytes += more;
    things++;
  }

  void end(long fewer) {
    bytes -= fewer;
    things--;
  }

  /** Returns whether so little is in flight that the thread would mostly sleep. */
  boolean isQuiet() {
    return things < BUSY;
  }

  /** Returns whether a direction that holds this number of bytes may take more. */
  boolean mayTakeMore(long held) {
    return held < (bytes < MANY ? MAX_OF_ONE : LITTLE);
  }
}
