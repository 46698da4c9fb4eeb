package io.quorate.scenario.yaml;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** The end of a load as a file gives it: after a number of requests, or after a time. */
sealed interface RunLength {
  Duration MIN_DURATION = Duration.ofSeconds(1);

  /** A number of requests that the steps of each database share. */
  record Requests(long count) implements RunLength {
    @Override
    public Requests scaled(double scale, Collection<LoadSpec> loads) {
      long enough = loads.stream().mapToLong(LoadSpec::leastRequests).max().orElse(1);
      return new Requests(Math.max(Math.round(count * scale), Math.min(count, enough)));
    }
  }

  /**
   * A time that every step takes.
   *
   * @param key where it stands
   */
  record Time(Duration duration, Node key) implements RunLength {
    @Override
    public Time scaled(double scale, Collection<LoadSpec> loads) {
      Duration part = Duration.ofMillis(Math.round(duration.toMillis() * scale));
      return new Time(part.compareTo(MIN_DURATION) < 0 ? MIN_DURATION : part, key);
    }

    /** Returns how many requests are due. */
    long requestsAt(long ratePerSecond) {
      return ratePerSecond * duration.toMillis() / 1_000;
    }
  }

  /**
   * Returns a part of this length, but no fewer requests than give each client one, and no less
   * than a second: that would be another experiment.
   */
  RunLength scaled(double scale, Collection<LoadSpec> loads);

  /** Length of a load in place of which a capacity is searched. */
  Duration OF_SEARCH = Duration.ofSeconds(10);

  /**
   * Reads {@code requests} or {@code duration}; empty, and reported, if wrong. Where a capacity is
   * searched, neither has to be there.
   */
  static Optional<RunLength> read(Section top) {
    Field<Long> requests = top.number("requests");
    Field<Duration> duration = top.duration("duration");
    if (requests.node().isPresent() && duration.node().isPresent()) {
      top.report(
          "duration",
          "the key 'duration' beside 'requests'",
          "one of them: a load ends after its requests, or after a time");
      return Optional.empty();
    }
    if (requests.node().isEmpty() && duration.node().isEmpty()) {
      if (top.has(CapacitySpec.KEY)) {
        return Optional.of(new Time(OF_SEARCH, top.key(CapacitySpec.KEY)));
      }
      top.report(
          top.node(),
          "neither the key 'requests' nor 'duration'",
          "one of them, such as requests: 100_000 or duration: 30s");
    }
    Optional<RunLength> time = duration.value().map(d -> new Time(d, top.key("duration")));
    return requests.value().<RunLength>map(Requests::new).or(() -> time);
  }
}
