// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.util.List;

/** Maps values to positions on an axis. */
public sealed interface Scale permits LinearScale, LogScale, PercentileScale, LabelScale {
  /**
   * A mark on an axis.
   *
   * @param position position on the axis
   */
  record Mark(double position, String label) {}

  /**
   * Returns the position of a value.
   *
   * @return the position; NaN if the value cannot be shown
   */
  double position(double value);

  /** Returns the range of an axis with these values, as positions, the first below the second. */
  double[] range(double least, double greatest);

  /**
   * Returns the marks between two positions.
   *
   * @param most largest number of marks, 2 or more
   */
  List<Mark> marks(double from, double to, int most);
}
