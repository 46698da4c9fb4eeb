package io.quorate.store;

import java.io.IOException;
import java.time.Duration;

/** How a server of one kind is asked how it is. */
public interface ServerProtocol {
  Duration TIMEOUT = Duration.ofSeconds(3);

  /**
   * Asks one server. Leaves nothing in it.
   *
   * @throws IOException if it does not answer, or not as such a server does
   */
  ServerState ask(Endpoint endpoint, Duration timeout) throws IOException;

  /**
   * Asks one that we have just started, which nobody else uses yet. May therefore try a write, and
   * undo it.
   *
   * @param peers how many of its kind were started
   * @throws IOException if it does not answer, or not as such a server does
   */
  default ServerState askStarted(Endpoint endpoint, int peers, Duration timeout)
      throws IOException {
    return ask(endpoint, timeout);
  }

  /** Whether such a server can say that it leads. */
  default boolean tellsLeader() {
    return true;
  }
}
