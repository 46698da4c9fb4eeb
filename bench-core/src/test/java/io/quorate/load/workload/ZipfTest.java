// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ZipfTest {
  @Property(seed = "1")
  void every_rank_is_one_of_the_keys(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long size,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double uniform) {
    assertThat(new KeySequence.Zipf(size).rank(uniform)).isBetween(0L, size - 1);
  }

  @Test
  void the_first_two_ranks_come_exactly_as_often_as_the_formula_says_and_the_tenth_nearly() {
    int draws = 1_000_000;
    KeySequence.Zipf zipf = new KeySequence.Zipf(1000);
    SplittableRandom random = new SplittableRandom(1);
    int[] times = new int[1000];
    for (int i = 0; i < draws; i++) {
      times[(int) zipf.rank(random.nextDouble())]++;
    }
    double zeta = KeySequence.Zipf.zeta(1000);
    assertThat(times[0] / (double) draws).isCloseTo(1 / zeta, within(0.002));
    assertThat(times[1] / (double) draws).isCloseTo(Math.pow(2, -0.99) / zeta, within(0.002));
    // the inversion is exact for two ranks only; of the rest it keeps the sum
    assertThat(LongStream.range(0, 10).map(rank -> times[(int) rank]).sum() / (double) draws)
        .isCloseTo(KeySequence.Zipf.zeta(10) / zeta, within(0.02));
  }

  @Test
  void the_sum_of_many_terms_is_that_of_adding_them_one_by_one() {
    double sum = 0;
    for (int k = 1_000_000; k >= 1; k--) {
      sum += Math.pow(k, -0.99);
    }
    assertThat(KeySequence.Zipf.zeta(1_000_000)).isCloseTo(sum, within(1e-9));
  }
}
