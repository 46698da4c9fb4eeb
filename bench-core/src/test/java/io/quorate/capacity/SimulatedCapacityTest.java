// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Searches the capacity of simulated stores, whose true one is known. {@link CapacityAccuracyTest}
 * makes more searches.
 */
class SimulatedCapacityTest {
  private static final SearchPlan FULL = SearchPlan.FULL;
  private static final SearchPlan QUICK = SearchPlan.QUICK;
  private static final double LATE_PER_SECOND =
      -Math.log(SimulatedSearch.ALLOWED) / SimulatedSearch.LATE_AFTER_SECONDS;

  /**
   * Returns how fast an exponential queue serves, so that a load is its capacity: P(sojourn time >
   * t) = exp(-(service rate - load) t).
   */
  static double serviceRate(double capacity) {
    return capacity + LATE_PER_SECOND;
  }

  private static List<SimulatedSearch> searches(
      int count, SimulatedStore store, SearchPlan plan, long start) {
    return LongStream.rangeClosed(1, count)
        .mapToObj(seed -> SimulatedSearch.of(store, plan, start, seed))
        .toList();
  }

  private static List<SimulatedSearch> plain(int count, SearchPlan plan, long capacity) {
    double rate = serviceRate(capacity);
    return searches(count, SimulatedStore.exponential(rate), plan, Math.round(rate / 2));
  }

  /** One of these searches may be unstable, and one wrong. */
  private static void assertRight(List<SimulatedSearch> searches, SearchPlan plan, double truth) {
    List<SimulatedSearch> known =
        searches.stream().filter(search -> search.conclusion().isKnown()).toList();

    assertThat(known).hasSizeGreaterThanOrEqualTo(searches.size() - 1);
    assertThat(known.stream().filter(search -> !search.isRight(truth, plan)))
        .hasSizeLessThanOrEqualTo(1);
  }

  /** 1% of few requests are few, so the range of a slow store is wider, but known. */
  @ParameterizedTest
  @ValueSource(longs = {75, 200, 374})
  void findsTheRangeOfASlowStore(long capacity) {
    assertRight(plain(4, FULL, capacity), FULL, capacity);
  }

  @Test
  void findsTheCapacityOfAFastStoreWithinFivePercent() {
    for (SimulatedSearch search : plain(3, FULL, 770)) {
      assertThat(search.error(770)).isCloseTo(0, within(0.05));
    }
  }

  @Test
  void aQuickSearchFindsItWithinTenPercent() {
    assertRight(plain(10, QUICK, 770), QUICK, 770);
  }

  @Test
  void findsItWhereTheSpeedDiffersByOnePercentFromTrialToTrial() {
    SimulatedStore store = SimulatedStore.exponential(1_000).withNoise(0.01);
    assertRight(searches(5, store, FULL, 500), FULL, 769.7);
  }

  /** No load holds: more than 1% of the seconds are frozen. A quick search may not see them. */
  @ParameterizedTest
  @ValueSource(ints = {30, 60})
  void findsNothingInAStoreThatFreezes(int everySeconds) {
    SimulatedStore store = SimulatedStore.exponential(1_000).withStalls(everySeconds, 2);

    assertThat(searches(3, store, FULL, 500)).noneMatch(search -> search.conclusion().isKnown());
  }

  /**
   * At 395/s 1% of the requests of 5 simulated hours were late, since a neighbor holds the store
   * for 0.2 s every 30 s; without it, 770/s hold.
   */
  @Test
  void aPeriodicNeighborDoesNotMakeTheCapacityFarTooHigh() {
    SimulatedStore store = SimulatedStore.exponential(1_000).withStalls(30, 0.2);

    assertThat(searches(5, store, FULL, 500))
        .filteredOn(search -> search.conclusion().isKnown())
        .allSatisfy(search -> assertThat(search.error(395)).isLessThan(0.25));
  }

  /** Below capacity the queue is empty, above it grows without end: both follow from the rate. */
  @Test
  void findsTheCliffOfAStoreThatCollapses() {
    SimulatedStore store =
        new SimulatedStore(
            (random, load) -> load > 640 ? 0.005 : 0.001, SimulatedStore.Stalls.NONE, 0, 1);

    for (SimulatedSearch search : searches(3, store, FULL, 450)) {
      assertThat(search.conclusion().outcome()).isEqualTo(Outcome.CLIFF);
      assertThat(search.error(640)).isBetween(-0.05, 0.0);
      assertThat(search.simulatedSeconds()).isLessThan(12 * 60);
    }
  }

  @Test
  void findsTheCapacityAtTheEndOfASearchDuringWhichTheStoreBecomesSlower() {
    SimulatedStore store = SimulatedStore.exponential(1_000).withDrift(1.00002);
    for (SimulatedSearch search : searches(3, store, FULL, 450)) {
      double perSecond = 1_000 / Math.pow(1.00002, search.simulatedSeconds());
      assertThat(search.error(perSecond - LATE_PER_SECOND)).isCloseTo(0, within(0.05));
    }
  }

  @Test
  void isUnstableOnAStoreThatBecomesSlowerFasterThanItSearches() {
    SimulatedStore store = SimulatedStore.exponential(1_000).withDrift(1.001);

    assertThat(searches(1, store, FULL, 450).get(0).conclusion().outcome())
        .isEqualTo(Outcome.UNSTABLE);
  }
}
