// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Latency by the number of keys written: one row for every 1000 keys, with the values of the second
 * in which they were reached.
 *
 * <p>As in the reference, a row is named by the number of keys rounded up to 1000. The first row
 * belongs to the second in which the first 1000 keys were complete. Unlike in the reference, the
 * last row is named by the number of written keys, and a run of fewer than 1000 keys has only that
 * row. There are no rows of zeros for failed requests.
 */
public final class KeyNumbers {
  private static final long UNIT = 1000;

  private KeyNumbers() {}

  /**
   * Returns the numbers of keys, each with the index of its second.
   *
   * @param throughputs keys written in each second, in order
   */
  public static SortedMap<Long, Integer> seconds(long... throughputs) {
    SortedMap<Long, Integer> rows = new TreeMap<>();
    long total = LongStream.of(throughputs).sum();
    long written = 0;
    long label = 0;
    for (int second = 0; second < throughputs.length; second++) {
      written += throughputs[second];
      boolean enough = written >= Math.min(UNIT, total);
      while (enough && written > label) {
        label += UNIT;
        rows.put(Math.min(label, total), second);
      }
    }
    return rows;
  }
}
