// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Reads the metrics that one server reports about itself. An object belongs to one server, as some
 * values cover the time since the last request. For one thread.
 */
public interface ServerInternals {
  /** Time limit of an answer, so that a slow server does not get two requests at a time. */
  Duration LIMIT = Duration.ofMillis(500);

  /**
   * Asks the server and waits for its answer.
   *
   * @return the reported values by their names
   * @throws IOException if it does not answer in time, or with an unexpected answer
   */
  Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit) throws IOException;

  /**
   * A metric with the 99th percentile of a server's waits for one cause.
   *
   * @param value name of the metric in the result of {@link #ask}
   * @param waitsFor cause as readable text, such as {@code the WAL's fsync}
   * @param millis milliseconds of its unit
   */
  record Wait(String value, String waitsFor, double millis) {}

  default List<Wait> waits() {
    return List.of();
  }
}
