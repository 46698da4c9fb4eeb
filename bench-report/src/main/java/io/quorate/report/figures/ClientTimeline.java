package io.quorate.report.figures;

import io.quorate.results.requests.ClientResults.Second;
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
   * Merges rows of the same second and adds missing seconds.
   *
   * @param rows rows in order, at least one
   * @param steps steps of the same run
   */
  static ClientTimeline of(List<Second> rows, List<StepFigures> steps) {
    double[] covered =
        steps.stream().flatMapToDouble(step -> Arrays.stream(step.coveredSeconds())).toArray();
    List<ClientSecond> seconds = new ArrayList<>();
    for (Second row : rows) {
      int i = seconds.size();
      seconds.add(ClientSecond.of(row, covered.length == rows.size() ? covered[i] : 1));
    }
    return of(seconds, ClientSecond::and, ClientSecond::pause);
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

  long last() {
    return seconds.get(seconds.size() - 1).unixSecond();
  }

  /**
   * Returns counts by second as rates over the covered time.
   *
   * @param counts counts by second; NaN in a pause
   */
  public double[] rates(double... counts) {
    return SecondRates.of(
        counts, seconds.stream().mapToDouble(ClientSecond::coveredSeconds).toArray());
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
}
