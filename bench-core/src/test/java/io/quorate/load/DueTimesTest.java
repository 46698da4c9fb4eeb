// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadModel.Arrivals;
import io.quorate.scenario.Shard;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DueTimesTest {
  private static LongStream times(long rate, Arrivals arrivals, long seed, int count) {
    DueTimes due = new DueTimes(new LoadModel.Open(rate, arrivals, 1), seed, Shard.WHOLE);
    return LongStream.generate(due::next).limit(count);
  }

  @Test
  void uniform_requests_are_due_at_their_number_divided_by_the_rate_without_drift() {
    assertThat(times(3, Arrivals.CONSTANT, 1, 7))
        .containsExactly(
            0L, 333333333L, 666666667L, 1_000_000_000L, 1333333333L, 1666666667L, 2_000_000_000L);
    assertThat(times(300_000, Arrivals.CONSTANT, 1, 3_000_001).max()).hasValue(10_000_000_000L);
  }

  @Test
  void random_requests_are_due_in_order_at_the_rate_and_independently_of_each_other() {
    long[] due = times(1000, Arrivals.POISSON, 42, 1_000_001).toArray();
    assertThat(due).isSorted();
    assertThat(due[1_000_000] / 1e9).isCloseTo(1000, within(4.0));
    // of a Poisson process the number in each interval has a variance that is its mean
    long[] perSecond = new long[1000];
    for (long nanos : due) {
      if (nanos < 1_000_000_000_000L) {
        perSecond[(int) (nanos / 1_000_000_000L)]++;
      }
    }
    double variance = LongStream.of(perSecond).mapToDouble(n -> (n - 1000) * (n - 1000)).sum();
    assertThat(variance / 1000).isCloseTo(1000, within(200.0));
  }

  @Test
  void the_same_seed_gives_the_same_times() {
    assertThat(times(1000, Arrivals.POISSON, 5, 100).toArray())
        .isEqualTo(times(1000, Arrivals.POISSON, 5, 100).toArray())
        .isNotEqualTo(times(1000, Arrivals.POISSON, 6, 100).toArray());
  }

  @ParameterizedTest
  @EnumSource(Arrivals.class)
  void shards_send_together_at_exactly_the_times_of_one_load_generator(Arrivals arrivals) {
    int count = 7;
    LoadModel.Open model = new LoadModel.Open(1009, arrivals, 1);
    LongStream ofAll = LongStream.empty();
    for (int number = 1; number <= count; number++) {
      Shard shard = new Shard(number, count);
      DueTimes due = new DueTimes(model, 42, shard);
      ofAll = LongStream.concat(ofAll, LongStream.generate(due::next).limit(shard.share(10_000)));
    }
    assertThat(ofAll.sorted().toArray()).isEqualTo(times(1009, arrivals, 42, 10_000).toArray());
  }
}
