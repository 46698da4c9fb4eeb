package io.quorate.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * Reads the metrics that one server reports about itself. An object belongs to one server, as some
 * figures are about the time since the last question; it is used by one thread.
 */
public interface ServerInternals {
  /** Time limit of an answer, so that a server in trouble is not asked twice at a time. */
  Duration LIMIT = Duration.ofMillis(500);

  /**
   * Asks the server and waits for its answer.
   *
   * @return figures by their names; those that the server does not tell are missing
   * @throws IOException if it does not answer in time, or not as such a server does
   */
  Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit) throws IOException;

  /** Asks the server in plain text; throws as above. */
  default Map<String, Double> ask(Endpoint endpoint, Duration limit) throws IOException {
    return ask(endpoint, Access.PLAIN, limit);
  }
}
