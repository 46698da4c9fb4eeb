// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.report.judge.Gate.Outcome;
import io.quorate.report.judge.Sample.Kind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Comparisons of simulated runs that take turns (A B B A), decided by a gate of 10%. */
class GateTest {
  private static final Gate TEN_PERCENT = new Gate(0.1);
  private static final int FEW = 1_000;
  private static final int MANY = 10_000;

  /** What makes runs differ that have no change between them: factors in the order of the runs. */
  enum Noise {
    NORMAL(noise -> noise),
    DRIFT(noise -> with(noise, i -> 0.02 * i)),
    AUTOCORRELATION(GateTest::correlated),
    OUTLIER(GateTest::withOutlier),
    EQUAL(noise -> new double[noise.length]);

    private final UnaryOperator<double[]> change;

    Noise(UnaryOperator<double[]> change) {
      this.change = change;
    }
  }

  private interface Addend {
    double at(int run);
  }

  private static double[] with(double[] noise, Addend addend) {
    double[] all = noise.clone();
    Arrays.setAll(all, i -> noise[i] + addend.at(i));
    return all;
  }

  /** Makes the slowest run much slower. */
  private static double[] withOutlier(double[] noise) {
    double slowest = Arrays.stream(noise).max().orElseThrow();
    return with(noise, i -> noise[i] == slowest ? 1.5 : 0);
  }

  private static double[] correlated(double[] noise) {
    double[] all = noise.clone();
    for (int i = 1; i < all.length; i++) {
      all[i] = 0.6 * all[i - 1] + 0.8 * noise[i];
    }
    return all;
  }

  /** Returns as many runs of a baseline and of a candidate that takes longer, A B B A. */
  static double[][] runs(Random random, int count, Noise kind, double deviation, double slower) {
    double[] noise = new double[2 * count];
    Arrays.setAll(noise, i -> deviation * random.nextGaussian());
    double[] all = kind.change.apply(noise);
    double[][] sides = new double[2][count];
    for (int i = 0; i < all.length; i++) {
      int side = i % 4 == 1 || i % 4 == 2 ? 1 : 0;
      sides[side][i / 2] = 10 * Math.exp(all[i]) * (1 + side * slower);
    }
    return sides;
  }

  private static Change simulated(
      Random random, int before, int after, Noise kind, double deviation, double slower) {
    double[][] sides = runs(random, Math.max(before, after), kind, deviation, slower);
    return Change.of(
        new Sample(Kind.TIME, Arrays.copyOf(sides[0], before)),
        new Sample(Kind.TIME, Arrays.copyOf(sides[1], after)));
  }

  /** Returns the part of all comparisons that had each outcome. */
  private static Map<Outcome, Double> parts(
      int comparisons, int before, int after, Noise kind, double deviation, double slower) {
    Random random = new Random(61);
    Map<Outcome, Double> parts = new EnumMap<>(Outcome.class);
    Arrays.stream(Outcome.values()).forEach(each -> parts.put(each, 0.0));
    for (int i = 0; i < comparisons; i++) {
      Change change = simulated(random, before, after, kind, deviation, slower);
      parts.merge(TEN_PERCENT.of(change), 1.0 / comparisons, Double::sum);
    }
    return parts;
  }

  private static void requireGoodErrors(int comparisons, Noise kind, double deviation) {
    for (double harmless : new double[] {0, 0.1}) {
      assertThat(parts(comparisons, 6, 6, kind, deviation, harmless).get(Outcome.FAILED))
          .as("false alarms at %s with %s of %s", harmless, kind, deviation)
          .isLessThanOrEqualTo(0.05);
    }
    Map<Outcome, Double> slower = parts(comparisons, 6, 6, kind, deviation, 0.2);
    assertThat(slower.get(Outcome.PASSED)).as("%s of %s", kind, deviation).isLessThan(0.05);
    if (deviation > 0.1 && kind != Noise.EQUAL) {
      assertThat(slower.get(Outcome.INCONCLUSIVE)).isGreaterThan(0.5);
    }
  }

  @ParameterizedTest
  @EnumSource(Noise.class)
  void at_most_one_of_twenty_comparisons_has_a_false_alarm_or_passes_a_change(Noise kind) {
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
  void small_noise_decides() {
    assertThat(parts(FEW, 6, 6, Noise.NORMAL, 0.03, 0.2).get(Outcome.FAILED)).isGreaterThan(0.9);
    assertThat(parts(FEW, 6, 6, Noise.NORMAL, 0.03, 0).get(Outcome.PASSED)).isGreaterThan(0.9);
    assertThat(parts(FEW, 6, 6, Noise.EQUAL, 0.03, 0)).containsEntry(Outcome.FAILED, 0.0);
  }

  @ParameterizedTest
  @CsvSource({"0.03, 0.2", "0.1, 0.3", "0.15, 0.5"})
  void a_baseline_of_eight_runs_finds_at_least_what_one_of_seven_finds(
      double noise, double slower) {
    double seven = parts(FEW, 7, 6, Noise.NORMAL, noise, slower).get(Outcome.FAILED);
    double eight = parts(FEW, 8, 6, Noise.NORMAL, noise, slower).get(Outcome.FAILED);
    assertThat(eight).isGreaterThanOrEqualTo(seven - 0.02);
  }

  @Test
  void one_outlier_of_six_runs_hides_no_change() {
    double[] before = {10, 10.1, 9.9, 10, 10.2, 9.8};
    for (double outlier : new double[] {1, 5, 9, 30, 900}) {
      double[] after = {13, 13.1, 12.9, 13, 13.2, outlier};
      Change change = Change.of(new Sample(Kind.TIME, before), new Sample(Kind.TIME, after));
      assertThat(TEN_PERCENT.of(change)).as("outlier %s", outlier).isEqualTo(Outcome.FAILED);
      double[] noisy = before.clone();
      noisy[3] = outlier;
      change =
          Change.of(new Sample(Kind.TIME, noisy), new Sample(Kind.TIME, 13, 13, 13, 13, 13, 13));
      assertThat(TEN_PERCENT.of(change)).as("outlier %s", outlier).isEqualTo(Outcome.FAILED);
    }
  }

  @Test
  void throughput_may_fall_and_errors_may_rise_to_the_limit() {
    Sample before = new Sample(Kind.RATE, 100, 100, 100, 100);
    assertThat(new Gate(-0.1).of(Change.of(before, new Sample(Kind.RATE, 89, 89, 89, 89))))
        .isEqualTo(Outcome.FAILED);
    assertThat(new Gate(-0.1).of(Change.of(before, new Sample(Kind.RATE, 91, 91, 91, 91))))
        .isEqualTo(Outcome.PASSED);
    Sample none = new Sample(Kind.COUNT, 0, 0, 0, 0);
    assertThat(new Gate(0).of(Change.of(none, none))).isEqualTo(Outcome.PASSED);
    assertThat(new Gate(0).of(Change.of(none, new Sample(Kind.COUNT, 3, 1, 2, 7))))
        .isEqualTo(Outcome.FAILED);
    assertThat(new Gate(0).of(Change.of(none, new Sample(Kind.COUNT, 0, 0, 0, 7))))
        .isEqualTo(Outcome.INCONCLUSIVE);
  }

  @ParameterizedTest
  @CsvSource({"0.03, 0.06", "0.03, 0.14", "0.15, 0.5", "0.15, 0.3", "0.15, -0.2"})
  void after_the_further_runs_four_of_five_comparisons_are_decided(double noise, double slower) {
    Random random = new Random(61);
    int advised = 0;
    int decided = 0;
    for (int i = 0; i < FEW / 2; i++) {
      Change change = simulated(random, 6, 6, Noise.NORMAL, noise, slower);
      int more =
          TEN_PERCENT.of(change) == Outcome.INCONCLUSIVE ? TEN_PERCENT.furtherRuns(change) : 0;
      if (more > 0 && more < FurtherRuns.MANY) {
        advised++;
        Change further = simulated(random, more, more, Noise.NORMAL, noise, slower);
        Change all = together(change, further);
        decided += TEN_PERCENT.of(all) == Outcome.INCONCLUSIVE ? 0 : 1;
      }
    }
    assertThat((double) decided / advised).isGreaterThanOrEqualTo(0.8);
  }

  private static Change together(Change first, Change second) {
    return Change.of(
        together(first.baseline(), second.baseline()),
        together(first.candidate(), second.candidate()));
  }

  private static Sample together(Sample first, Sample second) {
    double[] all = Arrays.copyOf(first.values(), first.count() + second.count());
    System.arraycopy(second.values(), 0, all, first.count(), second.count());
    return new Sample(first.kind(), all);
  }
}
