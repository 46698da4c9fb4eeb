package io.quorate.scenario;

import io.quorate.zone.Link;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the properties of a link between two machines. */
final class LinkParser {
  static final String ROUND_TRIP = "round-trip";

  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final long MIN_ROUND_TRIP = MILLI / 10;
  private static final long MAX_COUNT = 10 * SECOND;
  private static final long MIN_BANDWIDTH = 64_000;
  private static final long MAX_BANDWIDTH = 100 * SECOND;

  private static final Pattern TIME =
      Pattern.compile("(0|[1-9][0-9]{0,7})(\\.[0-9]{1,3})?(us|ms|s)");
  private static final Pattern BANDWIDTH =
      Pattern.compile("(0|[1-9][0-9]{0,7})(\\.[0-9]{1,3})?(kbit|Mbit|Gbit)/s");

  private static final ValueType<Long> ROUND_TRIPS =
      ValueType.text(
          "0ms, or a time from 0.1ms to 10s, such as 0.3ms or 50ms",
          text -> nanos(text).filter(time -> time == 0 || time >= MIN_ROUND_TRIP));
  private static final ValueType<Long> JITTER =
      ValueType.text("a time from 0ms to 10s, such as 0.2ms", LinkParser::nanos);
  private static final ValueType<Long> BITS_PER_SECOND =
      ValueType.text(
          "a bandwidth from 64kbit/s to 100Gbit/s, such as 100Mbit/s", LinkParser::bitsPerSecond);
  private static final ValueType<Duration> LIFE =
      ValueType.duration(
          "a duration from 1s to 24h, such as 30s", Duration.ofSeconds(1), Duration.ofHours(24));

  private LinkParser() {}

  /**
   * Reads the keys of a link.
   *
   * @param standard the round trip of a link that does not say it; empty if it has to
   * @return empty, and reported, if one of them is wrong
   */
  static Optional<Link> read(Section section, Optional<Link> standard) {
    Field<Long> roundTrip =
        standard.isPresent()
            ? section.optional(ROUND_TRIP, ROUND_TRIPS)
            : section.required(ROUND_TRIP, ROUND_TRIPS);
    Field<Long> jitter = section.optional("jitter", JITTER);
    Field<Long> bandwidth = section.optional("bandwidth", BITS_PER_SECOND);
    Field<Duration> life = section.optional("connection-life", LIFE);
    if (roundTrip.wrong() || jitter.wrong() || bandwidth.wrong() || life.wrong()) {
      return Optional.empty();
    }
    return Optional.of(
        new Link(
            roundTrip.value().or(() -> standard.map(Link::roundTripNanos)).orElseThrow(),
            jitter.value().orElse(0L),
            bandwidth.value().map(OptionalLong::of).orElse(OptionalLong.empty()),
            life.value()));
  }

  private static Optional<Long> nanos(String text) {
    return amount(TIME.matcher(text)).filter(time -> time <= MAX_COUNT);
  }

  private static Optional<Long> bitsPerSecond(String text) {
    return amount(BANDWIDTH.matcher(text))
        .filter(bits -> MIN_BANDWIDTH <= bits && bits <= MAX_BANDWIDTH);
  }

  private static Optional<Long> amount(Matcher matcher) {
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String fraction = matcher.group(2) == null ? "" : matcher.group(2);
    long unit =
        switch (matcher.group(3)) {
          case "us", "kbit" -> MICRO;
          case "ms", "Mbit" -> MILLI;
          default -> SECOND;
        };
    return Optional.of(
        new BigDecimal(matcher.group(1) + fraction)
            .multiply(BigDecimal.valueOf(unit))
            .longValueExact());
  }
}
