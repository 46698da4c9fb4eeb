package io.quorate.agent;

/** Limits the rate of events, allowing a burst after a pause. For one thread. */
public final class RateLimit {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int perSecond;
  private final double most;
  private double left;
  private long lastNanos;
  private boolean begun;

  /**
   * @param restSeconds for so long what is not used is kept
   */
  public RateLimit(int perSecond, int restSeconds) {
    this.perSecond = perSecond;
    this.most = (double) perSecond * restSeconds;
    this.left = most;
  }

  /** Returns whether one more is let through at this time of the nano clock. */
  public boolean take(long nanoTime) {
    if (begun) {
      left = Math.min(most, left + (nanoTime - lastNanos) / NANOS_PER_SECOND * perSecond);
    }
    begun = true;
    lastNanos = nanoTime;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
