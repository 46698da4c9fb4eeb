// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.compare.Comparison.Limits;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  private static final int SEEDS = 1_000;
  private static final double[] NONE = {};
  private static final Limits LIMITS = new Limits(0.01, 0.05);
  private static final List<Metric> METRICS =
      List.of(
          Metric.P99,
          Metric.THROUGHPUT,
          Metric.P50,
          Metric.P90,
          Metric.P99_9,
          Metric.MAX,
          Metric.SERVER_CPU,
          Metric.SERVER_MEMORY,
          Metric.DISK_WRITTEN,
          Metric.GENERATOR_CPU);

  private static Row row(Metric metric) {
    return new Row("10 clients, put", OptionalInt.of(1), Optional.of("put"), metric);
  }

  private static Change decided(Metric metric, double[] baseline, double[] candidate, double[] aa) {
    Change change = Comparison.change("etcd", row(metric), baseline, candidate, aa);
    return Comparison.decided(List.of(change), LIMITS).get(0);
  }

  private static Change decided(double[] baseline, double[] candidate) {
    return decided(Metric.P99, baseline, candidate, NONE);
  }

  private static double[] runs(Random random, int count, double level, double noise) {
    return IntStream.range(0, count)
        .mapToDouble(i -> level * Math.exp(noise * random.nextGaussian()))
        .toArray();
  }

  /**
   * Returns the changes of all metrics of a store whose requests became slower.
   *
   * @param common part of the noise that all metrics of a run have in common
   */
  private static List<Change> simulated(
      int seed, int runs, double noise, double change, double common) {
    Random random = new Random(seed);
    double[][] shared = {runs(random, runs, 1, noise), runs(random, runs, 1, noise)};
    List<Change> all = new ArrayList<>();
    for (Metric metric : METRICS) {
      double[][] sides = new double[2][];
      for (int side = 0; side < 2; side++) {
        double slower = side == 1 && !metric.isOfMachines() ? 1 + change : 1;
        double[] own = runs(random, runs, metric.isHigherBetter() ? 1 / slower : slower, noise);
        double[] both = shared[side];
        sides[side] =
            IntStream.range(0, runs).mapToDouble(i -> own[i] * Math.pow(both[i], common)).toArray();
      }
      all.add(Comparison.change("etcd", row(metric), sides[0], sides[1], NONE));
    }
    return Comparison.decided(all, LIMITS);
  }

  private static boolean isAlarm(Change change) {
    return change.verdict() == Verdict.WORSE || change.verdict() == Verdict.BETTER;
  }

  @ParameterizedTest
  @CsvSource({"5, 0.03, 0", "5, 0.1, 0", "6, 0.03, 1", "6, 0.1, 1", "10, 0.1, 0"})
  void without_a_change_at_most_five_in_a_hundred_comparisons_have_an_alarm(
      int runs, double noise, double common) {
    long alarms =
        IntStream.range(0, SEEDS)
            .filter(
                seed ->
                    simulated(seed, runs, noise, 0, common).stream()
                        .anyMatch(ComparisonTest::isAlarm))
            .count();
    assertThat(alarms).isLessThanOrEqualTo(SEEDS / 20);
  }

  @ParameterizedTest
  @CsvSource({"0.03, 0", "0.0213, 1"})
  void a_change_of_ten_percent_is_found_in_nine_of_ten_comparisons(double noise, double common) {
    long found =
        IntStream.range(0, SEEDS)
            .filter(
                seed -> simulated(seed, 5, noise, 0.1, common).get(0).verdict() == Verdict.WORSE)
            .count();
    assertThat(found).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
  }

  @ParameterizedTest
  @CsvSource({"0.03, 0.03", "0.03, 0.1", "0.1, 0.1"})
  void a_change_is_never_found_in_the_wrong_direction(double change, double noise) {
    long wrong =
        IntStream.range(0, SEEDS)
            .filter(seed -> simulated(seed, 5, noise, change, 0).get(0).verdict() == Verdict.BETTER)
            .count();
    assertThat(wrong).isLessThanOrEqualTo(SEEDS / 100);
  }

  @Test
  void fewer_than_four_runs_decide_nothing() {
    Change change = decided(new double[] {10, 10, 10}, new double[] {20, 20, 20, 20});
    assertThat(change.verdict()).isEqualTo(Verdict.TOO_FEW_RUNS);
    assertThat(change.changeText()).isEqualTo("+100%");
    assertThat(change.intervalText()).isEmpty();
    assertThat(change.verdictText()).isEqualTo("not decided");
  }

  @Test
  void a_value_that_only_one_side_has_is_not_compared() {
    Change change = decided(new double[0], new double[] {1, 1, 1, 1});
    assertThat(change.verdictText()).isEqualTo("not measured");
    assertThat(change.changeText()).isEqualTo("-");
  }

  @Test
  void more_latency_is_slower_and_more_throughput_is_faster() {
    double[] before = {100, 101, 99, 100, 102};
    double[] after = {150, 151, 149, 150, 152};
    assertThat(decided(before, after).verdictText()).isEqualTo("slower");
    assertThat(decided(after, before).verdictText()).isEqualTo("faster");
    assertThat(decided(Metric.THROUGHPUT, before, after, NONE).verdictText()).isEqualTo("faster");
    assertThat(decided(Metric.SERVER_CPU, before, after, NONE).verdictText()).isEqualTo("more");
    assertThat(decided(Metric.SERVER_MEMORY, after, before, NONE).verdictText()).isEqualTo("less");
  }

  @Test
  void a_small_change_is_the_same_within_its_interval() {
    double[] before = {100, 101, 99, 100, 102};
    assertThat(decided(before, before).verdictText()).matches("same within [23].[0-9]%");
  }

  @Test
  void a_change_within_the_band_of_equal_versions_is_the_same() {
    double[] before = {100, 100.1, 99.9, 100, 100.2};
    double[] after = Arrays.stream(before).map(v -> v * 1.06).toArray();
    assertThat(decided(before, after).verdict()).isEqualTo(Verdict.WORSE);
    double[] aa = {100, 106.7, 100, 106.7, 100, 106.7, 100, 106.7};
    Change change = decided(Metric.P99, before, after, aa);
    assertThat(change.verdictText()).isEqualTo("same: within the A/A band");
    assertThat(change.bandText()).isEqualTo("\u00b16.7%");
  }

  @Test
  void the_band_is_the_change_from_odd_to_even_runs() {
    double[] runs = {100, 110, 100, 110, 100, 110, 100, 110};
    assertThat(Comparison.band(runs, true).getAsDouble()).isBetween(0.099, 0.101);
    assertThat(Comparison.band(Arrays.copyOf(runs, 6), true)).isEmpty();
    runs[0] = 0;
    assertThat(Comparison.band(runs, true)).isEmpty();
  }

  @Test
  void runs_that_differ_too_much_ask_for_more() {
    Change change =
        decided(new double[] {100, 130, 90, 115, 80}, new double[] {110, 140, 100, 120, 95});
    assertThat(change.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(change.verdictText()).matches("inconclusive: [0-9]+ more runs needed");
  }

  @Test
  void errors_are_counted_and_none_are_the_same() {
    double[] none = {0, 0, 0, 0, 0};
    assertThat(decided(Metric.ERRORS, none, none, NONE).verdictText()).isEqualTo("same");
    Change change = decided(Metric.ERRORS, none, new double[] {5, 6, 7, 8, 9}, NONE);
    assertThat(change.verdictText()).isEqualTo("more");
    assertThat(change.changeText()).isEqualTo("+7");
    assertThat(change.intervalText()).isEqualTo("+5 to +9");
  }

  @Test
  void errors_that_vary_much_are_still_more() {
    double[] none = {0, 0, 0, 0, 0, 0};
    Change change = decided(Metric.ERRORS, none, new double[] {10, 20, 30, 40, 400, 5000}, NONE);
    assertThat(change.verdictText()).isEqualTo("more");
  }

  @Test
  void a_percentage_of_a_value_that_was_once_0_is_of_the_median() {
    double[] before = {0, 100, 100.5, 100.2, 100.4, 100.3};
    double[] after = {101, 101.1, 101.5, 101.3, 101.2, 101.4};
    Change change = decided(Metric.DISK_WRITTEN, before, after, NONE);
    assertThat(change.unit()).isBetween(100.2, 100.4);
    assertThat(change.verdict()).isNotEqualTo(Verdict.WORSE);
  }
}
