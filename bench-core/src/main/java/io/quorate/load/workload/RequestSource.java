// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;

/**
 * The requests of a loop. The number of a request determines its operation, key and value, even at
 * its end. Safe for several threads.
 */
@FunctionalInterface
public interface RequestSource {
  /** Sends the request with this number; the completion is notified once how it ended. */
  void send(Connection connection, long index, Completion completion);

  /** Returns the position of the operation of request {@code index} in the list of operations. */
  default int operation(long index) {
    return 0;
  }

  /** Is called before request {@code index} is sent, with its scheduled send time. */
  default void sending(long index, long dueNanos) {}

  /** Is called when request {@code index} has succeeded, with the nano time of its end. */
  default void acknowledged(long index, long endNanos) {}

  /** Is called when request {@code index} has failed. */
  default void failed(long index, ErrorKind kind) {}

  /** Compares the value that request {@code index} read with the written one. */
  default ValueCheck check(long index, Answer answer) {
    return ValueCheck.INTACT;
  }
}
