package io.quorate.scenario.yaml;

import io.quorate.network.Link;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the properties of a link between two machines. */
final class LinkParser {

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

  private LinkParser() {}

  /**
   * Reads the keys of a link.
   *
   * @param standard the round trip of a link that does not say it; empty if it has to
   * @return empty, and reported, if one of them is wrong
   */
  static Optional<Link> read(Section section, Optional<Link> standard) {
    Field<Long> roundTrip = section.text("round-trip", LinkParser::roundTripNanos);
    Field<Long> jitter = section.text("jitter", LinkParser::nanos);
    Field<Long> bandwidth = section.text("bandwidth", LinkParser::bitsPerSecond);
    Field<Duration> life = section.duration("connection-life");
    if (roundTrip.wrong() || jitter.wrong() || bandwidth.wrong() || life.wrong()) {
      return Optional.empty();
    }
    return Optional.of(
        new Link(
            roundTrip.value().or(() -> standard.map(Link::roundTripNanos)).orElseThrow(),
            jitter.effective(),
            bandwidth.value().map(OptionalLong::of).orElse(OptionalLong.empty()),
            life.value()));
  }

  private static Optional<Long> roundTripNanos(String text) {
    return nanos(text).filter(time -> time == 0 || time >= MIN_ROUND_TRIP);
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
