// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.format.NumberFormats;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** A logarithmic scale: decades are equally long; values of 0 and less cannot be shown. */
public record LogScale() implements Scale {
  private static final double MARGIN = 0.04;
  private static final int[][] DIGITS = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}};

  @Override
  public double position(double value) {
    return value > 0 ? Math.log10(value) : Double.NaN;
  }

  @Override
  public double[] range(double least, double greatest) {
    double from = Math.log10(least);
    double to = Math.log10(greatest);
    double margin = Math.max(MARGIN * (to - from), 0.1);
    return new double[] {from - margin, to + margin};
  }

  @Override
  public List<Mark> marks(double from, double to, int most) {
    for (int[] digits : DIGITS) {
      List<Mark> marks = marks(from, to, digits, 1);
      if (marks.size() <= most) {
        return marks;
      }
    }
    int every = 2;
    while (marks(from, to, new int[] {1}, every).size() > most) {
      every++;
    }
    return marks(from, to, new int[] {1}, every);
  }

  private static List<Mark> marks(double from, double to, int[] digits, int everyDecade) {
    List<Mark> marks = new ArrayList<>();
    for (int decade = (int) Math.floor(from); decade <= to; decade++) {
      for (int digit : digits) {
        double position = decade + Math.log10(digit);
        if (position >= from && position <= to && Math.floorMod(decade, everyDecade) == 0) {
          marks.add(new Mark(position, label(digit, decade)));
        }
      }
    }
    return marks;
  }

  private static String label(int digit, int decade) {
    BigDecimal value = BigDecimal.valueOf(digit).scaleByPowerOfTen(decade);
    return decade < 0 || decade > 15
        ? value.toPlainString()
        : NumberFormats.commas(value.longValueExact());
  }
}
