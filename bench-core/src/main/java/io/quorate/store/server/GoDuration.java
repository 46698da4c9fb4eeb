// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as servers in Go log them, such as {@code 1m2.5s}, {@code 106.29ms} or {@code 7µs}. */
final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(h|ms|[µμu]s|ns|m|s)");
  private static final Pattern ALL = Pattern.compile("(?:" + PART.pattern() + ")+");

  private static final Map<String, Double> NANOS =
      Map.of(
          "h", 3.6e12, "m", 6e10, "s", 1e9, "ms", 1e6, "us", 1e3, "µs", 1e3, "μs", 1e3, "ns", 1.0);

  private GoDuration() {}

  /** Parses a duration; empty for other texts. */
  static Optional<Duration> parse(String text) {
    if (!ALL.matcher(text).matches()) {
      return Optional.empty();
    }
    double nanos = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      nanos += Double.parseDouble(part.group(1)) * Objects.requireNonNull(NANOS.get(part.group(2)));
    }
    return Optional.of(Duration.ofNanos(Math.round(nanos)));
  }
}
