// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import io.quorate.format.NumberFormats;
import io.quorate.results.latency.Percentile;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Converts values to the decimals of files for programs; leaves out values that are not finite. */
public final class Decimals {
  private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  private Decimals() {}

  /** Returns a finite number with six significant digits, rounded from its exact binary value. */
  public static BigDecimal significant(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
  }

  static Optional<BigDecimal> shortest(double value) {
    return Double.isFinite(value)
        ? Optional.of(new BigDecimal(NumberFormats.shortest(value)))
        : Optional.empty();
  }

  static Optional<BigDecimal> shortest(OptionalDouble value) {
    return shortest(value.orElse(Double.NaN));
  }

  static Optional<BigDecimal> rounded(OptionalDouble value) {
    return rounded(value.orElse(Double.NaN));
  }

  /** Returns a number with four decimals at most. */
  static Optional<BigDecimal> rounded(double value) {
    return Double.isFinite(value)
        ? shortest(Double.parseDouble(NumberFormats.fixed(value, 4)))
        : Optional.empty();
  }

  static Map<String, BigDecimal> percentiles(Map<Percentile, Double> percentiles) {
    return named(
        percentiles.entrySet().stream().map(e -> figure(e.getKey().label(), e.getValue())));
  }

  static Map.Entry<String, Optional<BigDecimal>> figure(String name, double value) {
    return Map.entry(name, shortest(value));
  }

  static Map<String, BigDecimal> named(Stream<Map.Entry<String, Optional<BigDecimal>>> figures) {
    Map<String, BigDecimal> named = new LinkedHashMap<>();
    figures.forEach(each -> each.getValue().ifPresent(value -> named.put(each.getKey(), value)));
    return named;
  }
}
