// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.time.Duration;
import java.util.Optional;

/**
 * How long each client of a closed loop waits between the end of a request and the next one. The
 * clients begin one after the other within this time, so that they do not all send at once.
 *
 * @param time waiting time; empty if they do not wait
 */
record ThinkTime(Optional<Duration> time, int clients) {
  static final ThinkTime NONE = new ThinkTime(Optional.empty(), 1);

  /** Returns how long a client waits before its first request. */
  long firstNanos(int client) {
    return nanos() * (client % clients) / clients;
  }

  long nanos() {
    return time.map(Duration::toNanos).orElse(0L);
  }
}
