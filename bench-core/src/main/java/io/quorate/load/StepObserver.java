// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

/**
 * Samples the machines at both ends of each step. Called on a thread that sends no requests, once
 * for each beginning and end.
 */
public interface StepObserver {
  StepObserver NONE = new StepObserver() {};

  /**
   * Samples the machines before a step, numbered from 1; the first request waits until this
   * returns.
   */
  default void begins(int step) {}

  /** Samples the machines after the last request; the connections are still open. */
  default void hasEnded(int step) {}

  /** Returns whether {@link #begins} waits for others, so that no request succeeds meanwhile. */
  default boolean isWaiting() {
    return false;
  }
}
