// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quorate.scenario.ValueSizes;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SizeDistributionTest {
  private final SizeDistribution sizes = new SizeDistribution();

  @Test
  void a_few_sizes_are_kept_as_they_are() {
    for (int i = 0; i < 100; i++) {
      sizes.add(i < 70 ? 100 : i < 95 ? 30_000 : 0);
    }
    assertThat(sizes.isExact()).isTrue();
    assertThat(sizes.sizes().shares())
        .containsExactly(
            new ValueSizes.Share(0, 5),
            new ValueSizes.Share(100, 70),
            new ValueSizes.Share(30_000, 25));
  }

  @Test
  void many_sizes_become_a_few_with_the_same_mean() {
    Random random = new Random(1);
    double bytes = 0;
    int largest = 0;
    for (int i = 0; i < 100_000; i++) {
      int size = (int) Math.min(900_000, 200 * Math.exp(1.5 * random.nextGaussian()));
      bytes += size;
      largest = Math.max(largest, size);
      sizes.add(size);
    }
    ValueSizes found = sizes.sizes();
    assertThat(sizes.isExact()).isFalse();
    assertThat(found.shares()).hasSizeBetween(10, 20);
    assertThat(found.totalWeight()).isEqualTo(100_000);
    assertThat((double) found.meanBytes()).isCloseTo(bytes / 100_000, withinPercentage(0.5));
    assertThat(found.mostBytes()).isBetween(20_000, largest);
  }

  @Test
  void many_values_have_weights_that_a_scenario_can_have() {
    for (int i = 0; i < 3_000_000; i++) {
      sizes.add(i % 3 == 0 ? 10 : 20);
    }
    assertThat(sizes.sizes().shares())
        .containsExactly(new ValueSizes.Share(10, 500_000), new ValueSizes.Share(20, 1_000_000));
  }
}
