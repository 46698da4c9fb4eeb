package io.quorate.load;

/**
 * Samples the machines at both ends of each step. Called on a thread that sends no requests, for
 * one end of a step after the other.
 */
public interface StepObserver {
  StepObserver NONE = new StepObserver() {};

  /** Samples the machines before a step, from 1; its first request waits for this to return. */
  default void begins(int step) {}

  /** Samples the machines after the last request; the connections are still open. */
  default void hasEnded(int step) {}

  /** Returns whether {@link #begins} waits for others, so that no request succeeds meanwhile. */
  default boolean isWaiting() {
    return false;
  }
}
