// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Searches the capacity of simulated stores, whose true one is known. */
class SimulatedCapacityTest {
  private static final SearchPlan FULL = SearchPlan.FULL;

  /** P(sojourn time > t) = exp(-(mu - lambda) t), so lambda = 1000 - ln(100) / 20 ms. */
  @Test
  void findsTheCapacityOfAnExponentialQueueWithinFivePercent() {
    assertWithinFivePercent(SimulatedStore.exponential(1_000), 769.7);
  }

  /** Trials of some 20,000 requests near the capacity are mostly undecided, but agree. */
  @Test
  void findsTheCapacityOfASlowStoreWhoseDecidingTrialsAreUndecided() {
    List<SimulatedSearch> found =
        LongStream.rangeClosed(1, 20)
            .mapToObj(seed -> SimulatedSearch.of(SimulatedStore.exponential(604), FULL, 302, seed))
            .filter(search -> search.conclusion().isKnown())
            .toList();

    assertThat(found).hasSizeGreaterThanOrEqualTo(18);
    assertThat(found)
        .allSatisfy(search -> assertThat(search.error(373.7)).isCloseTo(0, within(0.05)));
  }

  /** No load holds: two of 60 seconds are more than 1%. A quick search may not see them. */
  @Test
  void findsNothingInAStoreThatFreezesEachMinute() {
    for (long seed = 1; seed <= 10; seed++) {
      SimulatedSearch search =
          SimulatedSearch.of(SimulatedStore.exponential(1_000).withStalls(60, 2), FULL, 450, seed);
      assertThat(search.conclusion().isKnown()).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void findsItWhereTheSpeedDiffersByOnePercentFromTrialToTrial() {
    assertWithinFivePercent(SimulatedStore.exponential(1_000).withNoise(0.01), 769.7);
  }

  /**
   * The store stalls for 30 ms every 5 s: at 660/s 1% of the requests of 4,000 simulated seconds
   * were late, 0.88% at 640/s and 1.1% at 680/s.
   */
  @Test
  void findsItMostlyWhereStandstillsComeRegularly() {
    assertMostlyWithinFivePercent(SimulatedStore.exponential(1_000).withStalls(5, 0.03), 660, 16);
  }

  /**
   * The store stalls for 0.5 s every 5 minutes, as disks do: 2.5 times what a trial of 20 s allows,
   * a sixth of what an hour does. So 0.83% of the others may be late: 1000 - ln(120) / 20 ms. A
   * search that believed each trial was wrong by up to 41%.
   */
  @Test
  void isSeldomMisledByARareLongStandstill() {
    assertMostlyWithinFivePercent(
        SimulatedStore.exponential(1_000).withNoise(0.01).withStalls(300, 0.5), 760.6, 18);
  }

  @Test
  void aQuickSearchFindsItWithinTenPercent() {
    for (long seed = 1; seed <= 20; seed++) {
      SimulatedSearch search =
          SimulatedSearch.of(SimulatedStore.exponential(1_000), SearchPlan.QUICK, 450, seed);
      assertThat(search.error(769.7)).as("seed %d", seed).isCloseTo(0, within(0.1));
    }
  }

  /** Below capacity the queue is empty, above it grows without end: both follow from the rate. */
  @Test
  void findsTheCliffOfAStoreThatCollapses() {
    SimulatedStore store =
        new SimulatedStore(
            (random, load) -> load > 640 ? 0.005 : 0.001, SimulatedStore.Stalls.NONE, 0, 1);

    for (long seed = 1; seed <= 20; seed++) {
      SimulatedSearch search = SimulatedSearch.of(store, FULL, 450, seed);
      assertThat(search.conclusion().outcome()).isEqualTo(Outcome.CLIFF);
      assertThat(search.error(640)).as("seed %d", seed).isBetween(-0.05, 0.0);
      assertThat(search.trials()).as("seed %d", seed).hasSizeLessThanOrEqualTo(13);
      assertThat(search.simulatedSeconds()).as("seed %d", seed).isLessThan(12 * 60);
    }
  }

  @Test
  void findsTheCapacityAtTheEndOfASearchDuringWhichTheStoreBecomesSlower() {
    for (long seed = 1; seed <= 20; seed++) {
      SimulatedSearch search =
          SimulatedSearch.of(SimulatedStore.exponential(1_000).withDrift(1.00002), FULL, 450, seed);
      double perSecond = 1_000 / Math.pow(1.00002, search.simulatedSeconds());
      assertThat(search.error(perSecond - 230.3)).as("seed %d", seed).isCloseTo(0, within(0.05));
    }
  }

  @Test
  void isUnstableOnAStoreThatBecomesSlowerFasterThanItSearches() {
    SimulatedSearch search =
        SimulatedSearch.of(SimulatedStore.exponential(1_000).withDrift(1.001), FULL, 450, 1);

    assertThat(search.conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
  }

  private static void assertWithinFivePercent(SimulatedStore store, double truth) {
    for (long seed = 1; seed <= 20; seed++) {
      SimulatedSearch search = SimulatedSearch.of(store, FULL, 450, seed);
      assertThat(search.error(truth)).as("seed %d", seed).isCloseTo(0, within(0.05));
      assertThat(search.trials()).as("seed %d", seed).hasSizeLessThanOrEqualTo(15);
    }
  }

  private static void assertMostlyWithinFivePercent(SimulatedStore store, double truth, int least) {
    List<Double> errors =
        LongStream.rangeClosed(1, 20)
            .mapToObj(seed -> SimulatedSearch.of(store, FULL, 450, seed).error(truth))
            .toList();

    assertThat(errors).allSatisfy(error -> assertThat(error).isCloseTo(0, within(0.1)));
    assertThat(errors.stream().filter(error -> Math.abs(error) <= 0.05))
        .hasSizeGreaterThanOrEqualTo(least);
  }
}
