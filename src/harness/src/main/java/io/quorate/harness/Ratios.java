// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.format.NumberFormats;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Computes the ratios of one contender's values to another's, pair by pair. */
final class Ratios {
  /** A pair of measurements, one after the other. */
  record Pair(Figures ours, Figures theirs) {
    double ratio(ToDoubleFunction<Figures> figure) {
      return figure.applyAsDouble(ours) / figure.applyAsDouble(theirs);
    }
  }

  private static final int NAME_WIDTH = 28;
  private static final int COLUMN_WIDTH = 10;

  private Ratios() {}

  /** Returns the median, lowest and highest ratio of each value, as a small table. */
  static String table(List<Pair> pairs) {
    return line("ours / theirs", "median", "lowest", "highest")
        + line("requests per second", pairs, Figures::requestsPerSecond)
        + line("CPU per request", pairs, Figures::cpuMicrosPerRequest)
        + line("median latency", pairs, Figures::medianMillis);
  }

  private static String line(String name, List<Pair> pairs, ToDoubleFunction<Figures> figure) {
    double[] sorted = pairs.stream().mapToDouble(pair -> pair.ratio(figure)).sorted().toArray();
    return line(name, shown(median(sorted)), shown(sorted[0]), shown(sorted[sorted.length - 1]));
  }

  private static double median(double... sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static String line(String name, String... cells) {
    StringBuilder line = new StringBuilder(name);
    line.append(" ".repeat(NAME_WIDTH - name.length()));
    for (String cell : cells) {
      line.append(" ".repeat(Math.max(1, COLUMN_WIDTH - cell.length()))).append(cell);
    }
    return line.append('\n').toString();
  }

  private static String shown(double ratio) {
    return NumberFormats.fixed(ratio, 2);
  }
}
