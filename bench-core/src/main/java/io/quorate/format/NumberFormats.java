// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Formats numbers as published: in files and in the result table, the same in every locale. The
 * rules come from the reference (dbtester), and apply to every table and file.
 */
public final class NumberFormats {
  /**
   * Number of decimal digits that every double preserves; 17 digits distinguish any two doubles.
   */
  private static final int DOUBLE_DIGITS = 15;

  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private NumberFormats() {}

  /**
   * Formats with exactly {@code decimals} decimals, correctly rounded from the exact binary value,
   * ties to even. {@code String.format} rounds the shortest decimal text half up instead, which
   * differs.
   *
   * @throws IllegalArgumentException if the value is not a finite number
   */
  public static String fixed(double value, int decimals) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(value + " cannot be published as a number");
    }
    return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
  }

  /**
   * Returns the shortest decimal that is read as this number, without an exponent: {@code 5.10969},
   * {@code 0}. {@code Double.toString} of JDK 17 is not always the shortest.
   *
   * @throws IllegalArgumentException if the value is not a finite number
   */
  public static String shortest(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(value + " cannot be published as a number");
    }
    BigDecimal exact = new BigDecimal(value);
    BigDecimal shorter = exact;
    for (int digits = DOUBLE_DIGITS; digits <= DOUBLE_DIGITS + 2; digits++) {
      shorter = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (shorter.doubleValue() == value) {
        break;
      }
    }
    return shorter.stripTrailingZeros().toPlainString();
  }

  /** Formats a value of 0 or more with three digits, or rounded: {@code 5.10}, {@code 1,234}. */
  public static String threeDigits(double value) {
    return value < 100 ? fixed(value, value < 10 ? 2 : 1) : commas((long) Math.rint(value));
  }

  /** Formats with three digits, or rounded, without commas: {@code -5.10}, {@code 1234}. */
  public static String plainDigits(double value) {
    double size = Math.abs(value);
    return fixed(value, size < 10 ? 2 : size < 100 ? 1 : 0);
  }

  /** Formats a time of 0 or more: {@code 12.3 ms}. */
  public static String milliseconds(double value) {
    return threeDigits(value) + " ms";
  }

  /** Formats a part of 1: {@code 9.5%}, {@code 42%}. */
  public static String percent(double part) {
    return fixed(100 * part, part < 0.1 ? 1 : 0) + "%";
  }

  /** Formats a part of 1 without decimals: {@code 42%}. */
  public static String wholePercent(double part) {
    return fixed(100 * part, 0) + "%";
  }

  /** Formats with a comma before every three digits: {@code 1,000,000}. */
  public static String commas(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Formats a rate of 0 or more with three digits, or rounded: {@code 5}, {@code 1,234}. */
  public static String rate(double perSecond) {
    return perSecond == Math.rint(perSecond) ? commas((long) perSecond) : threeDigits(perSecond);
  }

  /** Formats a time for people: {@code 90 s}, {@code 59 min}, {@code 3 h 50 min}. */
  public static String duration(double seconds) {
    long minutes = Math.round(seconds / 60);
    if (seconds < 119.5) {
      return Math.round(seconds) + " s";
    }
    return minutes < 120
        ? minutes + " min"
        : minutes / 60 + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
  }

  /** Returns a number of things: {@code 1 client}, {@code 1,000 clients}. */
  public static String count(long number, String thing) {
    return commas(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /**
   * Formats bytes rounded to a unit of powers of 1000: one decimal below 10 ({@code 5.1 GB}), none
   * above ({@code 15 GB}). The value is not carried to the next unit: 999,999 is {@code 1000 kB}.
   *
   * @param bytes size or, below 0, the difference of a counter that began anew
   */
  public static String humanizedBytes(long bytes) {
    if (bytes < 0) {
      return "-" + humanizedBytes(-bytes);
    }
    if (bytes < 10) {
      return bytes + " B";
    }
    int exponent = (int) Math.floor(Math.log(bytes) / Math.log(1000));
    double scaled = Math.floor(bytes / Math.pow(1000, exponent) * 10 + 0.5) / 10;
    return fixed(scaled, scaled < 10 ? 1 : 0) + " " + BYTE_UNITS[exponent];
  }

  /**
   * Returns whether a part of a text is 1 to {@code most} digits. Faster than a regular expression,
   * which takes most of the time of a large file.
   */
  public static boolean isWhole(String text, int from, int to, int most) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return from < to && to - from <= most;
  }
}
