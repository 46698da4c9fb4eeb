// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TrialLatenciesTest {
  /** Returns the latencies from 1 to a number of nanoseconds, so that each is its own rank. */
  private static Histogram upTo(int count) {
    Histogram histogram = new Histogram(5);
    for (int nanos = 1; nanos <= count; nanos++) {
      histogram.recordValue(nanos);
    }
    return histogram;
  }

  @Test
  void aPercentileIsKnownFromTenRequestsBeyondIt() {
    TrialLatencies few = TrialLatencies.of(upTo(20));
    assertThat(few.p50Nanos()).hasValue(10);
    assertThat(few.p99Nanos()).isEmpty();
    assertThat(few.p99Interval()).isEmpty();

    TrialLatencies enough = TrialLatencies.of(upTo(1_000));
    assertThat(enough.p99Nanos()).hasValue(990);
    assertThat(enough.p99Interval()).isPresent();
    assertThat(enough.p999Nanos()).isEmpty();

    assertThat(TrialLatencies.of(upTo(10_000)).p999Nanos()).hasValue(9_990);
    assertThat(TrialLatencies.of(upTo(0)).p50Nanos()).isEmpty();
  }

  /** With n = 1,000, np = 990 and s = 3.146: 983.8 and 996.2. With n = 10,000, s = 9.950. */
  @Test
  void theIntervalOfP99LiesBetweenTwoRanksOfTheBinomialDistribution() {
    assertThat(TrialLatencies.of(upTo(1_000)).p99Interval())
        .hasValue(new PercentileInterval(983, 998));
    assertThat(TrialLatencies.of(upTo(10_000)).p99Interval())
        .hasValue(new PercentileInterval(9_880, 9_921));
  }
}
