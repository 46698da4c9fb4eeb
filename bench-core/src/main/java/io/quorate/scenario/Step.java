// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.Optional;

/**
 * A stage of the load; requests of one step never overlap the next.
 *
 * @param connections number of connections that the requests are spread over, at least 1 and at
 *     most one per client. If each request has a separate one, it is the number of simultaneous
 *     connections
 * @param requests number of requests of the step; if it has a duration in a closed loop, their
 *     largest number
 * @param duration how long requests are sent; empty if it ends with its last request
 * @param watch watchers of its puts; empty for none
 */
public record Step(
    LoadModel model,
    int connections,
    long requests,
    Optional<Duration> duration,
    Optional<WatchLoad> watch) {
  public Step {
    int most = model instanceof LoadModel.Closed closed ? closed.clients() : connections;
    if (connections < 1 || most < connections || requests < 1) {
      throw new IllegalArgumentException("a step needs clients >= connections >= 1, requests >= 1");
    }
  }

  public Step(LoadModel model, int connections, long requests, Optional<Duration> duration) {
    this(model, connections, requests, duration, Optional.empty());
  }

  /**
   * Returns the number of clients of a closed loop; for an open loop, which has none, the number of
   * connections.
   */
  public int clients() {
    return model instanceof LoadModel.Closed closed ? closed.clients() : connections;
  }

  /** Returns how many requests are in flight at most at a time. */
  public int mostInFlight() {
    return model instanceof LoadModel.Open open ? open.maxOutstanding() : clients();
  }

  /**
   * Returns the load as readable text: {@code 1 client}, {@code 1,000 clients} or {@code 1,000/s},
   * with its watchers: {@code 1,000/s, 10 watchers on 1 stream}.
   */
  public String load() {
    return puts() + watch.map(watchers -> ", " + watchers).orElse("");
  }

  private String puts() {
    if (model instanceof LoadModel.Open open) {
      return NumberFormats.commas(open.ratePerSecond()) + "/s";
    }
    String count = clients() == 1 ? "1 client" : NumberFormats.commas(clients()) + " clients";
    return isOneShot() ? count + ", a connection for each request" : count;
  }

  /** Returns whether requests are sent at a rate, independently of earlier ones. */
  public boolean isOpen() {
    return model instanceof LoadModel.Open;
  }

  public boolean isOneShot() {
    return model instanceof LoadModel.Closed closed && closed.oneShot();
  }

  /** Returns whether it ends by time: then fewer requests than planned are not an error. */
  public boolean endsByTime() {
    return duration.isPresent() && !isOpen();
  }
}
