package io.quorate.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * A stage of the load; requests of one step never overlap the next.
 *
 * @param connections over how many connections the requests are spread, at least 1 and at most as
 *     many as there are clients; if each request has a separate one, how many are open at a time
 * @param requests how many requests the step makes or, if it has a duration in a closed loop, how
 *     many it makes at most
 * @param duration how long requests are sent; empty if it ends with its last request
 * @param watch who is notified of its puts; empty for no one
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
   * Returns the number of clients of a closed loop; of an open loop, which has none, the number of
   * connections.
   */
  public int clients() {
    return model instanceof LoadModel.Closed closed ? closed.clients() : connections;
  }

  /**
   * Returns the load for people: {@code 1 client}, {@code 100 clients} or {@code 1000/s}, and who
   * watches it: {@code 1000/s, 10 watchers on 1 stream}.
   */
  public String load() {
    return puts() + watch.map(watchers -> ", " + watchers).orElse("");
  }

  private String puts() {
    if (model instanceof LoadModel.Open open) {
      return open.ratePerSecond() + "/s";
    }
    String count = clients() == 1 ? "1 client" : clients() + " clients";
    return isOneShot() ? count + ", a connection for each request" : count;
  }

  /** Returns whether requests are sent at a rate, not when others have ended. */
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
