package io.quorate.store.server;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Reads the metrics that one server reports about itself. An object belongs to one server, as some
 * values are about the time since the last question; it is used by one thread.
 */
public interface ServerInternals {
  /** Time limit of an answer, so that a server in trouble is not asked twice at a time. */
  Duration LIMIT = Duration.ofMillis(500);

  /**
   * Asks the server and waits for its answer.
   *
   * @return values by their names; those that the server does not report are missing
   * @throws IOException if it does not answer in time, or not as such a server does
   */
  Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit) throws IOException;

  /**
   * A value that reports for how long a server waited for something in 99% of the cases.
   *
   * @param value its name among those of {@link #ask}
   * @param waitsFor for people, such as {@code the WAL's fsync}
   * @param millis that its unit has
   */
  record Wait(String value, String waitsFor, double millis) {}

  default List<Wait> waits() {
    return List.of();
  }
}
