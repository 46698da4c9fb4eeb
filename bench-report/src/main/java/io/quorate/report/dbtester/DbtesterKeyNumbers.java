package io.quorate.report.dbtester;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Assigns seconds to numbers of keys by the reference's rule. */
final class DbtesterKeyNumbers {
  private static final long UNIT = 1000;

  private DbtesterKeyNumbers() {}

  /**
   * Returns the numbers of keys in thousands, each with the index of its second; empty where the
   * reference has a row of zeros.
   *
   * @param total requests of the whole run
   */
  static SortedMap<Long, Optional<Integer>> seconds(long total, long... throughputs) {
    return inUnits(UNIT, total, throughputs);
  }

  /**
   * Returns the numbers of keys, each with the index of its second; empty where the reference has a
   * row of zeros.
   *
   * @param unit 1000, but for tests
   * @param total requests of the whole run
   */
  static SortedMap<Long, Optional<Integer>> inUnits(long unit, long total, long... throughputs) {
    SortedMap<Long, Optional<Integer>> rows = new TreeMap<>();
    long written = 0;
    long label = 0;
    for (int second = 0; second < throughputs.length; second++) {
      written += throughputs[second];
      while (written >= unit && written > label) {
        label += unit;
        rows.put(label, Optional.of(second));
      }
    }
    for (long zero = label; zero < total; zero += unit) {
      rows.putIfAbsent(zero, Optional.empty());
    }
    rows.putIfAbsent(total, Optional.empty());
    rows.remove(0L);
    return rows;
  }
}
