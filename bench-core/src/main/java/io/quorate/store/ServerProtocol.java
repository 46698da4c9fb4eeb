package io.quorate.store;

import java.io.IOException;
import java.time.Duration;

/** Asks a server of one kind for its state. */
public interface ServerProtocol {
  Duration TIMEOUT = Duration.ofSeconds(3);

  /**
   * Asks one server, without leaving anything in it. Leaves nothing in it.
   *
   * @throws IOException if it does not answer, or not as such a server does
   */
  ServerState ask(Endpoint endpoint, Duration timeout) throws IOException;

  /**
   * Asks a server that we have just started, and which nobody else uses yet. May therefore try a
   * write, and undo it.
   *
   * @param peers how many of its kind were started
   * @throws IOException if it does not answer, or not as such a server does
   */
  default ServerState askStarted(Endpoint endpoint, int peers, Duration timeout)
      throws IOException {
    return ask(endpoint, timeout);
  }

  /** Returns whether such a server can say that it leads. */
  default boolean tellsLeader() {
    return true;
  }
}
