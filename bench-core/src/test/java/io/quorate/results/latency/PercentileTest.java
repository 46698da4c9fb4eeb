// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.requests.Golden;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;

class PercentileTest {
  /**
   * The reference's rank is one above ours, and it has none where ours is the last: what {@code
   * dbtester-differences.md} says about percentiles, for the latencies 1 to n.
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

  @Test
  void percentiles_of_an_interval_are_those_of_its_histogram() {
    Random random = new Random(3);
    for (int count = 1; count <= 2_000; count += 1 + count / 20) {
      Histogram histogram = new Histogram(3);
      for (int i = 0; i < count; i++) {
        histogram.recordValue((long) Math.exp(5 + 18 * random.nextDouble()));
      }
      LatencyInterval interval =
          LatencyInterval.of(
              LatencyTag.of(1, LatencyTag.Time.SERVICE), 0, 1_000, RecordedBuckets.of(histogram));
      for (Percentile each : Percentile.values()) {
        assertThat(interval.nanos(each)).as(each + " of " + count).isEqualTo(each.of(histogram));
      }
    }
  }
}
