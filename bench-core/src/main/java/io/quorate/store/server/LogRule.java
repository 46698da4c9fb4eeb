// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects messages of a server's log that belong on the timeline of a run. A message is logged when
 * its event has ended. Its pattern may have a group that gives the length of the event: {@code ms},
 * a number of milliseconds, or {@code took}, a duration as Go writes it.
 *
 * @param message pattern that is searched in the text of a {@link LogEvent}
 * @param becameLeader whether the server that logged it became the leader; otherwise something
 *     slowed it down or went wrong
 * @param cause cause of stalls that the message names; empty if it names none
 */
public record LogRule(Pattern message, boolean becameLeader, Optional<StallCause> cause) {
  private static final String MILLIS = "ms";
  private static final String TOOK = "took";
  private static final double NANOS_PER_MILLI = 1e6;

  private static final Pattern GO_PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(h|ms|[µμu]s|ns|m|s)");
  private static final Pattern GO_DURATION = Pattern.compile("(?:" + GO_PART.pattern() + ")+");

  private static final Map<String, Double> GO_NANOS =
      Map.of(
          "h", 3.6e12, "m", 6e10, "s", 1e9, "ms", 1e6, "us", 1e3, "µs", 1e3, "μs", 1e3, "ns", 1.0);

  /** Greatest length that is believed. */
  private static final Duration LONGEST = Duration.ofHours(1);

  public static LogRule becameLeader(String regex) {
    return new LogRule(Pattern.compile(regex), true, Optional.of(StallCause.LEADER_CHANGE));
  }

  public static LogRule trouble(String regex) {
    return new LogRule(Pattern.compile(regex), false, Optional.empty());
  }

  public static LogRule trouble(StallCause cause, String regex) {
    return new LogRule(Pattern.compile(regex), false, Optional.of(cause));
  }

  /** Returns whether the rule applies to the text of an event. */
  public boolean matches(String text) {
    return message.matcher(text).find();
  }

  /** Returns how long an event took until it was logged; zero if its text does not say that. */
  public Duration length(LogEvent event) {
    Matcher matcher = message.matcher(event.text());
    if (!matcher.find()) {
      return Duration.ZERO;
    }
    Duration length =
        group(matcher, MILLIS)
            .flatMap(text -> Figure.parse(text).stream().boxed().findFirst())
            .map(millis -> Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI)))
            .or(() -> group(matcher, TOOK).flatMap(LogRule::goDuration))
            .orElse(Duration.ZERO);
    return length.isNegative() || length.compareTo(LONGEST) > 0 ? Duration.ZERO : length;
  }

  private Optional<String> group(Matcher matcher, String name) {
    return message.pattern().contains("(?<" + name + ">")
        ? Optional.ofNullable(matcher.group(name))
        : Optional.empty();
  }

  /** Parses a duration such as {@code 1m2.5s}, {@code 106.29ms} or {@code 7µs}. */
  static Optional<Duration> goDuration(String text) {
    if (!GO_DURATION.matcher(text).matches()) {
      return Optional.empty();
    }
    double nanos = 0;
    Matcher part = GO_PART.matcher(text);
    while (part.find()) {
      nanos +=
          Double.parseDouble(part.group(1)) * Objects.requireNonNull(GO_NANOS.get(part.group(2)));
    }
    return Optional.of(Duration.ofNanos(Math.round(nanos)));
  }
}
