// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.format.NumberFormats;
import java.util.ArrayList;
import java.util.List;

/**
 * A linear scale of values, from 0.
 *
 * @param wholeNumbers whether all values are whole numbers
 */
public record LinearScale(boolean wholeNumbers) implements Scale {
  private static final double HEADROOM = 1.04;
  private static final int[] STEPS = {1, 2, 5, 10};

  /** The part of a unit by which a value may be outside and still get its mark. */
  private static final double ROUNDING = 1e-9;

  @Override
  public double position(double value) {
    return value;
  }

  @Override
  public double[] range(double least, double greatest) {
    return new double[] {Math.min(0, least), greatest <= 0 ? 1 : greatest * HEADROOM};
  }

  @Override
  public List<Mark> marks(double from, double to, int most) {
    double step = step((to - from) / most);
    List<Mark> marks = new ArrayList<>();
    for (long i = (long) Math.ceil(from / step - ROUNDING); i * step <= to * (1 + ROUNDING); i++) {
      marks.add(new Mark(i * step, label(i * step, step, to)));
    }
    return marks;
  }

  private double step(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (int step : STEPS) {
      if (step * power >= least * (1 - ROUNDING) && (!wholeNumbers || step * power >= 1)) {
        return step * power;
      }
    }
    return wholeNumbers && least < 1 ? 1 : 10 * power;
  }

  /** Formats a count in a short form: {@code 1,200} and {@code 12 k}. */
  static String count(long number) {
    if (number < 10_000) {
      return NumberFormats.commas(number);
    }
    return number < 10_000_000
        ? NumberFormats.commas(Math.round(number / 1e3)) + " k"
        : NumberFormats.commas(Math.round(number / 1e6)) + " M";
  }

  /**
   * Formats a value with a unit that suits the greatest value, and the decimals that distinguish
   * the marks.
   */
  private static String label(double value, double step, double greatest) {
    double unit = greatest >= 2e9 ? 1e9 : greatest >= 2e6 ? 1e6 : 1;
    String sign = unit == 1e9 ? " G" : unit == 1e6 ? " M" : "";
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step / unit) + ROUNDING));
    if (value == 0) {
      return "0";
    }
    return decimals == 0
        ? NumberFormats.commas(Math.round(value / unit)) + sign
        : NumberFormats.fixed(value / unit, decimals) + sign;
  }
}
