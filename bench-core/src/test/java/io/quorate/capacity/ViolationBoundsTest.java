// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ViolationBoundsTest {
  private static List<ViolationCount> alike(int seconds, long intended, long violating) {
    return Collections.nCopies(seconds, new ViolationCount(intended, violating));
  }

  @Test
  void areThoseOfWilsonWhereAllSecondsAreAlike() {
    TrialResult.ViolationBounds bounds = TrialResult.ViolationBounds.of(alike(20, 500, 5), 1);

    assertThat(bounds.part()).isEqualTo(0.01);
    assertThat(bounds.lower()).isCloseTo(0.008490, within(0.000001));
    assertThat(bounds.upper()).isCloseTo(0.011775, within(0.000001));
  }

  @Test
  void areWiderWhereViolationsComeInClusters() {
    List<ViolationCount> clustered =
        Stream.concat(alike(19, 500, 0).stream(), Stream.of(new ViolationCount(500, 100))).toList();

    TrialResult.ViolationBounds bounds = TrialResult.ViolationBounds.of(clustered, 1);

    assertThat(bounds.part()).isEqualTo(0.01);
    assertThat(bounds.lower()).isZero();
    assertThat(bounds.upper()).isBetween(0.02, 0.04);
    assertThat(bounds.verdict(0.01)).isEqualTo(TrialVerdict.UNDECIDED);
  }

  @Test
  void failWhereFarMoreThanAllowedViolateTheLimit() {
    assertThat(TrialResult.ViolationBounds.of(alike(20, 500, 50), 1).verdict(0.01))
        .isEqualTo(TrialVerdict.FAIL);
  }

  @Test
  void passWhereManyRequestsKeepTheLimit() {
    assertThat(TrialResult.ViolationBounds.of(alike(20, 500, 1), 1).verdict(0.01))
        .isEqualTo(TrialVerdict.PASS);
  }

  @Test
  void areUndecidedWhereTooFewRequestsKeepTheLimit() {
    TrialResult.ViolationBounds bounds = TrialResult.ViolationBounds.of(alike(20, 10, 0), 1);

    assertThat(bounds.upper()).isCloseTo(0.013347, within(0.000001));
    assertThat(bounds.verdict(0.01)).isEqualTo(TrialVerdict.UNDECIDED);
  }

  @Test
  void areExactWhereNothingIsAllowed() {
    assertThat(TrialResult.ViolationBounds.of(alike(20, 10, 0), 1).verdict(0))
        .isEqualTo(TrialVerdict.PASS);
    assertThat(TrialResult.ViolationBounds.of(alike(20, 1_000_000, 1), 1).verdict(0))
        .isEqualTo(TrialVerdict.FAIL);
  }

  @Test
  void sayNothingWhereNothingWasDue() {
    assertThat(TrialResult.ViolationBounds.of(List.of(), 1))
        .isEqualTo(new TrialResult.ViolationBounds(0, 0, 1));
  }

  @Test
  void areTheSameForTheSameSeed() {
    List<ViolationCount> seconds =
        List.of(new ViolationCount(10, 1), new ViolationCount(20, 3), new ViolationCount(5, 0));

    assertThat(TrialResult.ViolationBounds.of(seconds, 7))
        .isEqualTo(TrialResult.ViolationBounds.of(seconds, 7));
  }
}
