// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.format.NumberFormats;
import io.quorate.report.judge.Sample;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Describes lines in words, for readers who cannot see them. */
public final class AltText {
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

  private AltText() {}

  /** Describes a line: {@code etcd-v3.6.16: median 7.81, from 0.5 to 52.2.} */
  public static String of(Line line) {
    double[] values = line.known().mapToDouble(i -> line.y()[i]).sorted().toArray();
    return values.length == 1
        ? "%s: %s.".formatted(line.label(), number(values[0]))
        : "%s: median %s, from %s to %s."
            .formatted(
                line.label(),
                number(Sample.median(values)),
                number(values[0]),
                number(values[values.length - 1]));
  }

  /** Describes points: {@code etcd-v3.6.16: 1,019 at 1, 2,869 at 100 (hollow).} */
  public static String ofPoints(Line line) {
    return ofPoints(line, i -> "");
  }

  /** Describes points with the ends of their bars: {@code etcd-v3.6.16: 8.5 (7.9 to 12) at 170.} */
  public static String ofIntervals(Line line) {
    return ofPoints(
        line,
        i ->
            Double.isNaN(line.low()[i])
                ? ""
                : " (" + number(line.low()[i]) + " to " + number(line.high()[i]) + ")");
  }

  private static String ofPoints(Line line, IntFunction<String> interval) {
    return line.label()
        + ": "
        + line.known()
            .mapToObj(
                i ->
                    number(line.y()[i])
                        + interval.apply(i)
                        + " at "
                        + number(line.x()[i])
                        + (line.isHollow(i) ? " (hollow)" : ""))
            .collect(Collectors.joining(", "))
        + ".";
  }

  /**
   * Describes percentiles: {@code etcd-v3.6.16: 5.58 for half of them, 164 for 99%, 281 for the
   * slowest.}
   */
  public static String ofPercentiles(String label, double median, double p99, double slowest) {
    return "%s: %s for half of them, %s for 99%%, %s for the slowest."
        .formatted(label, number(median), number(p99), number(slowest));
  }

  /** Formats with three significant digits; whole numbers stay unchanged. */
  public static String number(double value) {
    BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
    return rounded.abs().compareTo(BigDecimal.valueOf(100)) >= 0
        ? NumberFormats.commas(Math.round(value))
        : rounded.stripTrailingZeros().toPlainString();
  }
}
