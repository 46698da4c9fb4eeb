// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;

/**
 * The timeline of the clients, with exactly one entry for every second from the first to the last.
 *
 * @param seconds seconds in order, at least one
 */
public record ClientTimeline(List<ClientSecond> seconds) {
  /**
   * Time in seconds below which a count is not converted to a rate; such a time is added to its
   * neighbor.
   */
  private static final double SHORTEST = 0.25;

  /**
   * Merges rows of the same second and adds missing seconds.
   *
   * @param rows rows in order, at least one
   */
  static ClientTimeline of(List<ClientSecond> rows) {
    return of(rows, ClientSecond::and, ClientSecond::pause);
  }

  /**
   * Merges rows of the same second and adds missing seconds, in separate ways.
   *
   * @param rows rows in order, at least one
   * @param merge merges an earlier and a later row of one second
   * @param pause creates a missing second, from the second and the number of clients before it
   */
  public static ClientTimeline of(
      List<ClientSecond> rows,
      BinaryOperator<ClientSecond> merge,
      BiFunction<Long, Long, ClientSecond> pause) {
    TreeMap<Long, ClientSecond> merged = new TreeMap<>();
    rows.forEach(row -> merged.merge(row.unixSecond(), row, merge));
    List<ClientSecond> seconds = new ArrayList<>();
    for (long second = merged.firstKey(); second <= merged.lastKey(); second++) {
      ClientSecond known = merged.get(second);
      seconds.add(
          known != null
              ? known
              : pause.apply(second, merged.lowerEntry(second).getValue().clients()));
    }
    return new ClientTimeline(seconds);
  }

  public int size() {
    return seconds.size();
  }

  public ClientSecond at(int index) {
    return seconds.get(index);
  }

  public long first() {
    return seconds.get(0).unixSecond();
  }

  public long last() {
    return seconds.get(seconds.size() - 1).unixSecond();
  }

  /**
   * Returns counts by second as rates over the covered time.
   *
   * @param counts counts by second; NaN in a pause
   */
  public double[] rates(double... counts) {
    return rates(counts, seconds.stream().mapToDouble(ClientSecond::coveredSeconds).toArray());
  }

  double[] successRates() {
    return rates(
        seconds.stream()
            .mapToDouble(each -> each.requested() ? each.count() : Double.NaN)
            .toArray());
  }

  public long[] throughputs() {
    return seconds.stream().mapToLong(ClientSecond::count).toArray();
  }

  /**
   * Returns counts divided by the covered time. Times below a quarter of a second share the rate of
   * a neighbor.
   *
   * @param counts counts by second; NaN in a pause, which has no rate and separates neighbors
   * @param seconds covered time of each count, in seconds
   */
  static double[] rates(double[] counts, double[] seconds) {
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
