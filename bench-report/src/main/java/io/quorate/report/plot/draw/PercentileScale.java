// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.util.List;
import java.util.stream.Stream;

/**
 * A scale of percentiles, as in HdrHistogram's plots: the position of q is -log10(1 - q), so that
 * 90% to 99% is as long as 99% to 99.9%.
 */
public record PercentileScale() implements Scale {
  private static final List<String> LABELS =
      List.of("0", "50", "90", "99", "99.9", "99.99", "99.999", "99.9999", "99.99999", "99.999999");

  /**
   * Returns the position of a percentile.
   *
   * @param value percentile from 0 to 1
   */
  @Override
  public double position(double value) {
    return value < 1 ? -Math.log10(1 - value) : Double.NaN;
  }

  @Override
  public double[] range(double least, double greatest) {
    return new double[] {0, Math.max(1, position(greatest)) * 1.02};
  }

  @Override
  public List<Mark> marks(double from, double to, int most) {
    Stream<Mark> marks =
        LABELS.stream()
            .map(label -> new Mark(position(Double.parseDouble(label) / 100), label + "%"));
    return marks.filter(mark -> mark.position() >= from && mark.position() <= to).toList();
  }
}
