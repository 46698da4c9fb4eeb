// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.plot.draw.Scale;
import java.util.ArrayList;
import java.util.List;

/**
 * The axis of small pictures in the rows of a table, which a page draws in any width.
 *
 * @param marks marks with their labels
 */
public record Strip(List<Mark> marks, Scale scale, double from, double to) {
  private static final double MARGIN = 3;

  /** Percentage of the width that labels need to stand apart on a phone. */
  private static final int APART = 11;

  private static final int MOST = 6;

  /**
   * A mark.
   *
   * @param place percentage of the width
   */
  public record Mark(double place, String label) {}

  /** Returns an axis that shows these values. */
  public static Strip of(Scale scale, double least, double greatest) {
    double[] range = scale.range(least, greatest);
    Strip unmarked = new Strip(List.of(), scale, range[0], range[1]);
    List<Mark> marks = new ArrayList<>();
    scale
        .marks(range[0], range[1], MOST)
        .forEach(
            mark -> {
              double place = unmarked.percentage(mark.position());
              if (marks.isEmpty() || place - marks.get(marks.size() - 1).place >= APART) {
                marks.add(new Mark(place, mark.label()));
              }
            });
    return unmarked.withMarks(marks);
  }

  public Strip withMarks(List<Mark> others) {
    return new Strip(others, scale, from, to);
  }

  /** Returns the place of a value as a percentage of the width, at most at an end of the axis. */
  public double place(double value) {
    return percentage(Math.max(from, Math.min(to, scale.position(value))));
  }

  private double percentage(double position) {
    double part = (position - from) / (to - from);
    return Math.round(100 * (MARGIN + (100 - 2 * MARGIN) * part)) / 100.0;
  }
}
