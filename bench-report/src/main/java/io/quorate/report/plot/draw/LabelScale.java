// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.util.ArrayList;
import java.util.List;

/** A linear scale of places with texts, such as commits or dates. */
public record LabelScale(List<Label> labels) implements Scale {
  private static final double MARGIN = 0.02;

  /**
   * A place.
   *
   * @param text short text below the axis
   * @param detail text for a reader who points at the place
   */
  public record Label(double at, String text, String detail) {}

  public LabelScale {
    labels = List.copyOf(labels);
  }

  @Override
  public double position(double value) {
    return value;
  }

  @Override
  public double[] range(double least, double greatest) {
    double margin = greatest > least ? MARGIN * (greatest - least) : 1;
    return new double[] {least - margin, greatest + margin};
  }

  /** Returns as many labels as fit, from the first one on. */
  @Override
  public List<Mark> marks(double from, double to, int most) {
    double distance = (to - from) / most;
    double free = from;
    List<Mark> marks = new ArrayList<>();
    for (Label label : labels) {
      if (label.at >= free && label.at <= to) {
        marks.add(new Mark(label.at, label.text));
        free = label.at + distance;
      }
    }
    return marks;
  }
}
