// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.List;

/**
 * A part of the run of a database next to its requests, such as what it records or causes. Parts
 * begin in the order of their list and end in the reverse order, on one thread at a time; {@link
 * #abandon} and {@link #close} are for any thread. If a part fails, the run fails, but all parts
 * are closed.
 */
public interface RunPart extends AutoCloseable {
  /** Prepares a step, numbered from 1, before its time begins. */
  default void prepareStep(int step) {}

  /** Begins together with the first request of a step. */
  default void stepBegins(int step) {}

  /** Ends a step after its last request; the connections are still open. */
  default void stepEnded(int step) {}

  /**
   * Ends what is measured, while the servers run.
   *
   * @throws QuorateException if it is incomplete
   */
  default void loadEnded() {}

  /** Returns a readable line about each part of the measurement that is missing. */
  default List<String> remarks() {
    return List.of();
  }

  /**
   * Completes the results after the written keys were read back, while the servers run.
   *
   * @throws QuorateException if they are incomplete
   */
  default void finish() {}

  /** Ends what others would wait for, or what no more request meets: the run has failed. */
  default void abandon(String reason) {}

  /** Ends everything, while the servers run. Idempotent. */
  @Override
  default void close() {}
}
