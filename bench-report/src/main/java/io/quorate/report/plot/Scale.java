package io.quorate.report.plot;

import java.util.List;

/** How values lie on an axis. */
sealed interface Scale permits LinearScale, LogScale, PercentileScale {
  /**
   * A mark on an axis.
   *
   * @param position on the axis
   */
  record Mark(double position, String label) {}

  /**
   * Where a value lies.
   *
   * @return NaN if it cannot be shown
   */
  double position(double value);

  /** From and to where an axis with these values goes, as positions, the first below the second. */
  double[] range(double least, double greatest);

  /**
   * The marks between two positions.
   *
   * @param most how many there are at most, 2 or more
   */
  List<Mark> marks(double from, double to, int most);
}
