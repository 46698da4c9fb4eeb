// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.time.Duration;
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
            .or(() -> group(matcher, TOOK).flatMap(GoDuration::parse))
            .orElse(Duration.ZERO);
    return length.isNegative() || length.compareTo(LONGEST) > 0 ? Duration.ZERO : length;
  }

  private Optional<String> group(Matcher matcher, String name) {
    return message.pattern().contains("(?<" + name + ">")
        ? Optional.ofNullable(matcher.group(name))
        : Optional.empty();
  }
}
