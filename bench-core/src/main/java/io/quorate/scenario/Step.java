// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

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
 * @param shares operations of its requests; empty for those of the scenario
 * @param groups clients with separate operations, connections and models, side by side; empty if
 *     all are alike. Then the model and the connections are those of all together
 */
public record Step(
    LoadModel model,
    int connections,
    long requests,
    Optional<Duration> duration,
    Optional<WatchLoad> watch,
    Optional<List<OperationMix.Share>> shares,
    Optional<List<Group>> groups) {
  /** Clients of a step that send separate operations next to others. */
  public record Group(
      LoadModel model, int connections, long requests, List<OperationMix.Share> shares) {}

  public Step {
    int most = model instanceof LoadModel.Closed closed ? closed.clients() : connections;
    if (connections < 1 || most < connections || requests < 1) {
      throw new IllegalArgumentException("a step needs clients >= connections >= 1, requests >= 1");
    }
  }

  public Step(LoadModel model, int connections, long requests, Optional<Duration> duration) {
    this(model, connections, requests, duration, Optional.empty());
  }

  public Step(
      LoadModel model,
      int connections,
      long requests,
      Optional<Duration> duration,
      Optional<WatchLoad> watch) {
    this(model, connections, requests, duration, watch, Optional.empty(), Optional.empty());
  }

  /** Creates a step of groups that run side by side for the same time. */
  public static Step of(List<Step> groups) {
    int clients = groups.stream().mapToInt(Step::clients).sum();
    int most = groups.stream().mapToInt(Step::mostInFlight).sum();
    List<LoadModel.Open> open =
        groups.stream()
            .map(Step::model)
            .filter(LoadModel.Open.class::isInstance)
            .map(LoadModel.Open.class::cast)
            .toList();
    long rate = open.stream().mapToLong(LoadModel.Open::ratePerSecond).sum();
    return new Step(
        open.size() == groups.size()
            ? new LoadModel.Open(rate, LoadModel.Arrivals.CONSTANT, most)
            : new LoadModel.Closed(clients, OptionalLong.empty()),
        groups.stream().mapToInt(Step::connections).sum(),
        groups.stream().mapToLong(Step::requests).sum(),
        groups.get(0).duration(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            groups.stream()
                .map(
                    each ->
                        new Group(
                            each.model(),
                            each.connections(),
                            each.requests(),
                            each.shares().orElseThrow()))
                .toList()));
  }

  /** Returns the same step with other operations than those of the scenario. */
  public Step with(List<OperationMix.Share> operations) {
    return new Step(model, connections, requests, duration, watch, Optional.of(operations), groups);
  }

  /** Returns the same step with watchers. */
  public Step watchedBy(WatchLoad watchers) {
    return new Step(model, connections, requests, duration, Optional.of(watchers), shares, groups);
  }

  /** Returns its groups that write, whose puts watchers receive, or itself if it has no groups. */
  public List<Step> watchedParts() {
    return parts().stream()
        .filter(
            part ->
                groups.isEmpty()
                    || part.shares.orElseThrow().stream()
                        .anyMatch(share -> share.operation().isWrite()))
        .toList();
  }

  /** Returns whether its operations are not those of the scenario, or several groups send them. */
  public boolean isPhase() {
    return shares.isPresent() || groups.isPresent();
  }

  /** Returns its groups, or itself if all its clients are alike. */
  public List<Step> parts() {
    return groups
        .map(
            all ->
                all.stream()
                    .map(
                        each ->
                            new Step(each.model(), each.connections(), each.requests(), duration)
                                .with(each.shares()))
                    .toList())
        .orElseGet(() -> List.of(this));
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
    if (groups.isPresent()) {
      return parts().stream().map(Step::load).collect(Collectors.joining(" next to ")) + watchers();
    }
    return puts() + shares.map(all -> ", " + OperationMix.text(all)).orElse("") + watchers();
  }

  private String watchers() {
    return watch.map(watchers -> ", " + watchers).orElse("");
  }

  private String puts() {
    if (model instanceof LoadModel.Open open) {
      return open.ramp()
          .map(Ramp::toString)
          .orElseGet(() -> NumberFormats.commas(open.ratePerSecond()) + "/s");
    }
    String count = clients() == 1 ? "1 client" : NumberFormats.commas(clients()) + " clients";
    return count
        + (isOneShot() ? ", a connection for each request" : "")
        + thinkTime().map(time -> " that think for " + time.toMillis() + " ms").orElse("");
  }

  /** Returns whether requests are sent at a rate, independently of earlier ones. */
  public boolean isOpen() {
    return model instanceof LoadModel.Open;
  }

  /** Returns how long its clients wait between two requests; empty if they do not. */
  public Optional<Duration> thinkTime() {
    return model instanceof LoadModel.Closed closed ? closed.think() : Optional.empty();
  }

  public boolean isOneShot() {
    return model instanceof LoadModel.Closed closed && closed.oneShot();
  }

  /** Returns whether it ends by time: then fewer requests than planned are not an error. */
  public boolean endsByTime() {
    return duration.isPresent() && !isOpen();
  }
}
