// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.requests.Golden;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;

class PercentileTest {
  /**
   * The reference's rank is one above ours, and it has none where ours is the last: what {@code
   * method.md} says about percentiles, for the latencies 1 to n.
   */
  @Test
  void theNearestRankIsOneBelowThatOfTheReference() {
    for (CSVRecord row : Golden.rows("functions/percentiles.csv")) {
      int n = Integer.parseInt(row.get(0));
      Histogram histogram = new Histogram(5);
      for (long value = 1; value <= n; value++) {
        histogram.recordValue(value);
      }
      List<String> expected = new ArrayList<>();
      for (Percentile percentile : Percentile.values()) {
        long ours = n == 0 ? 0 : Math.min(n, percentile.of(histogram));
        expected.add(Long.toString(ours == n ? 0 : ours + 1));
      }
      if (n >= 1000) {
        assertThat(row.toList().subList(1, 9)).as("n = " + n).isEqualTo(expected);
      }
    }
  }
}
