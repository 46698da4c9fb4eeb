package io.quorate.load;

import io.quorate.store.Connection;
import java.util.List;

/** Sends the requests of a step by the rule of a load model. */
interface Loop {
  /**
   * Adds a client of a closed loop, or a connection of an open one. The loop begins with the first
   * or with the last of them.
   *
   * @param number from 0
   * @param connections of the step
   * @param log is told of its requests
   * @param whenDone runs when its last request has ended
   */
  void join(int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone);
}
