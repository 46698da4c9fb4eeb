// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CapacityLikelihoodTest {
  private static LoadPoint tried(long load, double used, int seconds) {
    LoadPoint tried = new LoadPoint(load);
    TrialVerdict verdict = used > 1 ? TrialVerdict.FAIL : TrialVerdict.PASS;
    tried.add(
        new TrialResult(verdict, used, used / 100),
        new Trial(1, load, Trial.Stage.NARROW, 10, seconds, seconds));
    return tried;
  }

  private static CapacityLikelihood after(LoadPoint... tried) {
    return CapacityLikelihood.of(List.of(tried));
  }

  @Test
  void theCapacityIsBetweenALoadThatUsedLittleAndOneThatUsedEverything() {
    CapacityLikelihood likely = after(tried(850, 0, 20), tried(900, 0.1, 20), tried(1_000, 90, 20));

    assertThat(likely.quantile(0.5)).isBetween(900.0, 1_000.0);
    assertThat(likely.quantile(0.2)).isBetween(890.0, 950.0);
  }

  @Test
  void itIsSurerAfterTrialsNearTheLimit() {
    CapacityLikelihood likely =
        after(
            tried(900, 0.2, 20),
            tried(950, 0.5, 20),
            tried(1_000, 1.1, 60),
            tried(1_050, 2.4, 60),
            tried(1_100, 5.5, 20));

    assertThat(likely.quantile(0.5)).isBetween(980.0, 1_010.0);
    assertThat(likely.quantile(0.8) / likely.quantile(0.2)).isLessThan(1.05);
  }

  /** As on an etcd whose first trial of 20 s had a stall of half a second. */
  @Test
  void aLoadThatFailedALittleIsNotTheLimitWhereThoseJustBelowItUsedNothing() {
    CapacityLikelihood likely =
        after(tried(450, 2.5, 20), tried(321, 0, 20), tried(380, 0, 20), tried(432, 0, 20));

    assertThat(likely.quantile(0.3)).isGreaterThan(450 * 1.05);
  }

  @Test
  void itIsTheLimitWhereItFailedInTrialsOfAMinuteTwice() {
    LoadPoint failed = tried(450, 2.5, 60);
    failed.add(
        new TrialResult(TrialVerdict.FAIL, 3, 0.03),
        new Trial(2, 450, Trial.Stage.CONFIRM, 10, 60, 60));
    CapacityLikelihood likely =
        after(failed, tried(321, 0, 20), tried(380, 0.05, 20), tried(432, 0.5, 20));

    assertThat(likely.quantile(0.7)).isLessThan(450);
  }
}
