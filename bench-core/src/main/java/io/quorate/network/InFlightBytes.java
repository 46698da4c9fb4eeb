package io.quorate.network;

/**
 * Counts the bytes that a relay holds in all directions together, and limits those of each
 * direction. For one thread.
 */
final class InFlightBytes {
  /** Most bytes of a direction: at a round trip of 50 ms enough for 160 MB/s. */
  private static final long MAX_OF_ONE = 4 << 20;

  /** Most bytes of a direction while the relay holds more than {@link #MANY}. */
  private static final long LITTLE = 64 << 10;

  private static final long MANY = 128 << 20;

  /** Fewest things on their way with which the relay is busy. */
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

  /** Returns whether so little is on its way that the thread would mostly sleep. */
  boolean isQuiet() {
    return things < BUSY;
  }

  /** Returns whether a direction that holds this number of bytes may take more. */
  boolean mayTakeMore(long held) {
    return held < (bytes < MANY ? MAX_OF_ONE : LITTLE);
  }
}
