// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The end of a load, as written in a file: after a number of requests, or after a time.
 *
 * @param requests number of requests that the steps of each database share; 0 if they end by time
 * @param duration duration of every step; empty if it ends with its last request
 * @param scale part of the length in the file
 */
record RunLength(long requests, Optional<Duration> duration, Node key, double scale) {
  RunLength(long requests, Optional<Duration> duration, Node key) {
    this(requests, duration, key, 1);
  }

  /** Length of a load that is replaced by a capacity search. */
  private static final Duration OF_SEARCH = Duration.ofSeconds(10);

  private static final Duration MIN_DURATION = Duration.ofSeconds(1);

  /**
   * Returns a part of this length, but at least one request for each client, and at least a second.
   * A shorter load would be another experiment.
   */
  RunLength scaled(double scale, Collection<LoadSpec> loads) {
    long enough = loads.stream().mapToLong(LoadSpec::leastRequests).max().orElse(1);
    return new RunLength(
        Math.max(Math.round(requests * scale), Math.min(requests, enough)),
        duration
            .map(whole -> Duration.ofMillis(Math.round(whole.toMillis() * scale)))
            .map(part -> part.compareTo(MIN_DURATION) < 0 ? MIN_DURATION : part),
        key,
        scale);
  }

  long requestsAt(long ratePerSecond) {
    return ratePerSecond * duration.orElseThrow().toMillis() / 1_000;
  }

  /**
   * Reads {@code requests} or {@code duration}; empty, and reported, if wrong. With a capacity
   * search, neither is required.
   */
  static Optional<RunLength> read(Section top) {
    Field<Long> requests = top.number("requests");
    Field<Duration> duration = top.duration("duration");
    if (top.has(PhasesSpec.PHASES)) {
      top.refuse(List.of("requests", "duration"), "together with 'phases'", "it in each phase");
      return Optional.of(new RunLength(0, Optional.of(MIN_DURATION), top.key(PhasesSpec.PHASES)));
    }
    if (requests.node().isPresent() && duration.node().isPresent()) {
      top.report(
          "duration",
          "the key 'duration' together with 'requests'",
          "one of them: a load ends after its requests, or after a time");
      return Optional.empty();
    }
    if (requests.node().isEmpty() && duration.node().isEmpty()) {
      if (top.has(CapacitySpec.KEY)) {
        return Optional.of(new RunLength(0, Optional.of(OF_SEARCH), top.key(CapacitySpec.KEY)));
      }
      top.report(
          top.node(),
          "neither the key 'requests' nor 'duration'",
          "one of them, such as requests: 100_000 or duration: 30s");
    }
    return requests
        .value()
        .map(count -> new RunLength(count, Optional.empty(), top.key("requests")))
        .or(() -> duration.value().map(d -> new RunLength(0, Optional.of(d), top.key("duration"))));
  }
}
