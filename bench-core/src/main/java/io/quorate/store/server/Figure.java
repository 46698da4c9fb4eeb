// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.format.NumberFormats;
import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses and formats numbers that a server reports. */
public final class Figure {
  private static final Pattern NUMBER =
      Pattern.compile("-?\\d{1,20}(\\.\\d{1,20})?([eE][+-]?\\d{1,3})?");
  private static final double LARGEST = 1e20;
  private static final int MAX_SHORT = 18;

  private Figure() {}

  public static void put(Map<String, Double> figures, String name, String text) {
    parse(text).ifPresent(value -> figures.put(name, value));
  }

  /** Parses a number; empty if it is not a number, or not a plausible one. */
  public static OptionalDouble parse(String text) {
    return NumberFormats.isWhole(text, 0, text.length(), MAX_SHORT)
            || NUMBER.matcher(text).matches()
        ? known(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  /** A value in Prometheus' format, and the labels of its metric, in braces. */
  public record Line(String name, String labels, double value) {
    /** Returns a line; none for a comment, and without a plausible value. */
    public static Stream<Line> of(String line) {
      int blank = line.lastIndexOf(' ');
      int brace = line.indexOf('{');
      if (blank < 0 || line.startsWith("#") || brace > blank) {
        return Stream.empty();
      }
      int end = brace < 0 ? blank : brace;
      return parse(line.substring(blank + 1)).stream()
          .mapToObj(value -> new Line(line.substring(0, end), line.substring(end, blank), value));
    }
  }

  /** Returns the sum of the last words of the lines that begin with a name. */
  public static long sum(String metrics, String name) {
    return (long)
        metrics
            .lines()
            .filter(line -> line.startsWith(name))
            .mapToDouble(line -> parse(line.replaceFirst(".*\\s", "")).orElse(0))
            .sum();
  }

  /** Returns the value; empty if it is not plausible. */
  public static OptionalDouble known(double value) {
    return Math.abs(value) <= LARGEST ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** Formats a value with the shortest decimals, without an exponent. */
  public static String text(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
