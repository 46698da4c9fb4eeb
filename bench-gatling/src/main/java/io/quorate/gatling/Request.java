package io.quorate.gatling;

import io.quorate.store.Completion;
import io.quorate.store.KeyValueDriver;

/** A request; the same for all clients of a loop. Any thread. */
@FunctionalInterface
interface Request {
  /**
   * Sends the request with this number.
   *
   * @param completion told once how it ended
   */
  void send(KeyValueDriver connection, long index, Completion completion);

  /** Compares a value that request {@code index} found with the one that was written. */
  default ValueCheck check(long index, byte[] read) {
    return ValueCheck.INTACT;
  }
}
