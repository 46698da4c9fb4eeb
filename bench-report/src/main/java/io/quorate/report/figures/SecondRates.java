package io.quorate.report.figures;

import java.util.Arrays;

/** Computes rates from counts per second; the first and the last second are partial. */
public final class SecondRates {
  /**
   * Time in seconds below which a count is not converted to a rate; such a time is added to its
   * neighbor.
   */
  private static final double SHORTEST = 0.25;

  private SecondRates() {}

  /**
   * Returns counts divided by the covered time. Times below a quarter of a second share the rate of
   * a neighbor.
   *
   * @param counts counts by second; NaN in a pause, which has no rate and separates neighbors
   * @param seconds covered time of each count, in seconds
   */
  public static double[] of(double[] counts, double[] seconds) {
    double[] rates = new double[counts.length];
    int from = 0;
    while (from < counts.length) {
      int to = from + 1;
      if (Double.isNaN(counts[from])) {
        rates[from] = Double.NaN;
      } else {
        while (to < counts.length && !Double.isNaN(counts[to])) {
          to++;
        }
        withoutPause(counts, seconds, rates, from, to);
      }
      from = to;
    }
    return rates;
  }

  private static void withoutPause(
      double[] counts, double[] seconds, double[] rates, int from, int to) {
    int before = from;
    for (int start = from; start < to; ) {
      int end = start + 1;
      while (end < to && sum(seconds, start, end) < SHORTEST) {
        end++;
      }
      int first = sum(seconds, start, end) < SHORTEST ? before : start;
      double length = sum(seconds, first, end);
      Arrays.fill(rates, first, end, length > 0 ? sum(counts, first, end) / length : Double.NaN);
      before = start;
      start = end;
    }
  }

  private static double sum(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).sum();
  }
}
