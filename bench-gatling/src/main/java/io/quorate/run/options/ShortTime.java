// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.VisibleText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times from 5 s to 10 min, such as {@code 30s} and {@code 2m}. */
public final class ShortTime implements ITypeConverter<Duration> {
  private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,3})([sm])");
  private static final int LEAST_SECONDS = 5;
  private static final int MOST_MINUTES = 10;
  private static final int SECONDS_PER_MINUTE = 60;

  @Override
  public Duration convert(String text) {
    Matcher parts = TEXT.matcher(text);
    Duration time =
        parts.matches()
            ? Duration.ofSeconds(Long.parseLong(parts.group(1)))
                .multipliedBy(parts.group(2).equals("m") ? SECONDS_PER_MINUTE : 1)
            : Duration.ZERO;
    if (time.toSeconds() < LEAST_SECONDS || time.compareTo(Duration.ofMinutes(MOST_MINUTES)) > 0) {
      throw new TypeConversionException(
          "found %s, expected 5s to 10m".formatted(VisibleText.quoted(text)));
    }
    return time;
  }
}
