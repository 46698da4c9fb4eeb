// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.Nightly;
import io.quorate.report.judge.Gate.Outcome;
import io.quorate.report.judge.GateTest.Noise;
import io.quorate.report.judge.Sample.Kind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Simulated pairs that are repeated until a gate of 10% is decided, 30 times at most. */
class PairsTest {
  private static final Gate TEN_PERCENT = new Gate(0.1);
  private static final int MAX = 30;
  private static final int FEW = 1_000;
  private static final int MANY = 10_000;

  private static Pairs simulated(
      Random random, int count, Noise kind, double deviation, double slower) {
    double[][] sides = GateTest.runs(random, count, kind, deviation, slower);
    return Pairs.of(Kind.TIME, sides[0], sides[1]);
  }

  private static Pairs first(int count, Pairs pairs) {
    return new Pairs(
        pairs.kind(), pairs.isRatio(), pairs.unit(), Arrays.copyOf(pairs.differences(), count));
  }

  /** Returns the part of all comparisons with each outcome at any of 30 stopping times. */
  private static Map<Outcome, Double> parts(
      int comparisons, Noise kind, double deviation, double slower) {
    Random random = new Random(61);
    Map<Outcome, Double> parts = new EnumMap<>(Outcome.class);
    Arrays.stream(Outcome.values()).forEach(each -> parts.put(each, 0.0));
    for (int i = 0; i < comparisons; i++) {
      Outcome outcome = simulated(random, MAX, kind, deviation, slower).outcome(TEN_PERCENT);
      parts.merge(outcome, 1.0 / comparisons, Double::sum);
    }
    return parts;
  }

  private static void requireGoodErrors(int comparisons, Noise kind, double deviation) {
    for (double harmless : new double[] {0, 0.1}) {
      assertThat(parts(comparisons, kind, deviation, harmless).get(Outcome.FAILED))
          .as("false alarms at %s with %s of %s", harmless, kind, deviation)
          .isLessThanOrEqualTo(0.05);
    }
    assertThat(parts(comparisons, kind, deviation, 0.2).get(Outcome.PASSED)).isLessThan(0.05);
  }

  @ParameterizedTest
  @EnumSource(Noise.class)
  void at_any_stopping_time_at_most_one_of_twenty_has_a_false_alarm(Noise kind) {
    requireGoodErrors(FEW, kind, 0.03);
    requireGoodErrors(FEW, kind, 0.15);
  }

  @Nightly
  @ParameterizedTest
  @EnumSource(Noise.class)
  void of_ten_thousand_comparisons_too(Noise kind) {
    requireGoodErrors(MANY, kind, 0.03);
    requireGoodErrors(MANY, kind, 0.15);
  }

  @Test
  void small_noise_is_decided_after_few_pairs() {
    for (double slower : new double[] {0, 0.2}) {
      Random random = new Random(61);
      int[] needed = new int[FEW];
      for (int i = 0; i < FEW; i++) {
        Pairs all = simulated(random, MAX, Noise.NORMAL, 0.03, slower);
        int pairs = Pairs.MIN;
        while (pairs < MAX && first(pairs, all).outcome(TEN_PERCENT) == Outcome.INCONCLUSIVE) {
          pairs++;
        }
        needed[i] = pairs;
      }
      Arrays.sort(needed);
      assertThat(needed[FEW / 2]).isLessThanOrEqualTo(7);
      assertThat(needed[FEW * 9 / 10]).isLessThanOrEqualTo(9);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.03, 0.06", "0.03, 0.14", "0.15, 0.5", "0.15, 0.3", "0.15, -0.2"})
  void after_the_further_pairs_four_of_five_comparisons_are_decided(double noise, double slower) {
    Random random = new Random(61);
    int advised = 0;
    int decided = 0;
    for (int i = 0; i < FEW / 5; i++) {
      Pairs all = simulated(random, 8 + FurtherRuns.MANY, Noise.NORMAL, noise, slower);
      Pairs now = first(8, all);
      int more =
          now.outcome(TEN_PERCENT) == Outcome.INCONCLUSIVE ? now.furtherPairs(TEN_PERCENT) : 0;
      if (more > 0 && more < FurtherRuns.MANY) {
        advised++;
        decided += first(8 + more, all).outcome(TEN_PERCENT) == Outcome.INCONCLUSIVE ? 0 : 1;
      }
    }
    assertThat((double) decided / advised).as("of %s", advised).isGreaterThanOrEqualTo(0.8);
  }

  @Test
  void the_ends_of_the_interval_are_what_a_gate_cannot_exclude() {
    double[] before = {10, 10, 10, 10, 10, 10, 10, 10};
    double[] after = {12, 12.1, 11.9, 12, 12.2, 11.8, 12, 12};
    Pairs pairs = Pairs.of(Kind.TIME, before, after);
    assertThat(pairs.end(true)).isBetween(0.15, 0.2);
    assertThat(pairs.end(false)).isBetween(0.2, 0.25);
    assertThat(first(5, pairs).end(true)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(first(5, pairs).outcome(TEN_PERCENT)).isEqualTo(Outcome.INCONCLUSIVE);
    assertThat(pairs.outcome(TEN_PERCENT)).isEqualTo(Outcome.FAILED);
    assertThat(pairs.outcome(new Gate(0.3))).isEqualTo(Outcome.PASSED);
  }

  @Test
  void equal_values_and_equal_counts_are_decided() {
    double[] same = {7, 7, 7, 7, 7, 7};
    Pairs equal = Pairs.of(Kind.TIME, same, same);
    assertThat(equal.outcome(TEN_PERCENT)).isEqualTo(Outcome.PASSED);
    assertThat(equal.end(true)).isCloseTo(0, within(1e-6));
    assertThat(equal.furtherPairs(TEN_PERCENT)).isZero();
    double[] none = new double[6];
    assertThat(Pairs.of(Kind.COUNT, none, none).outcome(new Gate(0))).isEqualTo(Outcome.PASSED);
    assertThat(Pairs.of(Kind.COUNT, none, same).outcome(new Gate(0))).isEqualTo(Outcome.FAILED);
    assertThat(Pairs.of(Kind.RATE, same, same).outcome(new Gate(-0.05))).isEqualTo(Outcome.PASSED);
  }
}
