// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import java.util.List;
import java.util.Optional;

/**
 * The same time of several injections of a fault.
 *
 * @param values all values, in the order of the injections
 */
public record OutageSpread(
    OutageTime median, OutageTime least, OutageTime greatest, List<OutageTime> values) {
  /** Returns the spread of these values; empty if there are none. */
  public static Optional<OutageSpread> of(List<OutageTime> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    List<OutageTime> sorted = values.stream().sorted().toList();
    OutageTime low = sorted.get((sorted.size() - 1) / 2);
    OutageTime high = sorted.get(sorted.size() / 2);
    return Optional.of(
        new OutageSpread(
            new OutageTime((low.ms() + high.ms()) / 2, low.ended() && high.ended()),
            sorted.get(0),
            sorted.get(sorted.size() - 1),
            List.copyOf(values)));
  }

  /** Returns the median, with the least and the greatest value if there are several. */
  public String text() {
    if (values.size() == 1) {
      return median.text();
    }
    List<OutageTime> all = List.of(median, least, greatest);
    boolean alike =
        greatest.ended() && all.stream().map(OutageSpread::unit).distinct().count() == 1;
    String range = least.text() + " to " + greatest.text();
    return median.text() + " (" + (alike ? range.replace(unit(median), "") : range) + ")";
  }

  /** Returns the unit in the text of a time, with the blank before it. */
  private static String unit(OutageTime time) {
    return time.text().replaceFirst("[^a-z]* ", " ");
  }
}
