// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Family.Question;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FamilyTest {
  private static final int SEEDS = 1_000;
  private static final double[] NONE = {};
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

  private static Question question(
      Metric metric, double[] baseline, double[] candidate, double[] aa, String... obstacle) {
    Kind kind = Kind.of(metric);
    Change change = Change.of(new Sample(kind, baseline), new Sample(kind, candidate));
    return new Question(change, change.band(aa), Stream.of(obstacle).findFirst());
  }

  private static Decision decided(
      Metric metric, double[] baseline, double[] candidate, double[] aa) {
    return Family.decide(List.of(question(metric, baseline, candidate, aa)), Limits.USUAL).get(0);
  }

  private static Decision decided(double[] baseline, double[] candidate) {
    return decided(Metric.P99, baseline, candidate, NONE);
  }

  private static String text(Metric metric, double[] baseline, double[] candidate) {
    return decided(metric, baseline, candidate, NONE).text(Kind.of(metric));
  }

  private static String text(double[] baseline, double... candidate) {
    return text(Metric.P99, baseline, candidate);
  }

  private static double[] of(double... values) {
    return values;
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
  private static List<Decision> simulated(
      int seed, int runs, double noise, double change, double common) {
    Random random = new Random(seed);
    double[][] shared = {runs(random, runs, 1, noise), runs(random, runs, 1, noise)};
    List<Question> all = new ArrayList<>();
    for (Metric metric : METRICS) {
      double[][] sides = new double[2][];
      for (int side = 0; side < 2; side++) {
        double slower = side == 1 && !metric.isOfMachines() ? 1 + change : 1;
        double[] own = runs(random, runs, metric.isHigherBetter() ? 1 / slower : slower, noise);
        double[] both = shared[side];
        sides[side] =
            IntStream.range(0, runs).mapToDouble(i -> own[i] * Math.pow(both[i], common)).toArray();
      }
      all.add(question(metric, sides[0], sides[1], NONE));
    }
    return Family.decide(all, Limits.USUAL);
  }

  @ParameterizedTest
  @CsvSource({"5, 0.03, 0", "5, 0.1, 0", "6, 0.03, 1", "6, 0.1, 1", "10, 0.1, 0"})
  void without_a_change_at_most_five_in_a_hundred_comparisons_have_an_alarm(
      int runs, double noise, double common) {
    long alarms =
        IntStream.range(0, SEEDS)
            .filter(
                seed ->
                    simulated(seed, runs, noise, 0, common).stream().anyMatch(Decision::isDecided))
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

  @ParameterizedTest
  @CsvSource({
    "10, 11, too close to call",
    "10, 11.01, slower",
    "11, 10, too close to call",
    "11.01, 10, faster",
    "0, 0, too close to call",
    "0, 1, slower",
    "7, 7, too close to call"
  })
  void single_runs_within_ten_percent_are_a_tie_in_both_directions(
      double before, double after, String word) {
    assertThat(text(of(before), after)).isEqualTo(word);
    assertThat(text(Metric.THROUGHPUT, of(after), of(before))).isEqualTo(word);
    String count = word.replace("slower", "more").replace("faster", "less");
    assertThat(text(Metric.ERRORS, of(before), of(after))).isEqualTo(count);
    assertThat(text(Metric.SERVER_CPU, of(before), of(after))).isEqualTo(count);
  }

  @Test
  void two_or_three_runs_decide_if_all_of_them_are_beyond_a_tie() {
    assertThat(text(of(10, 10, 10), 20, 20, 20, 20)).isEqualTo("slower");
    assertThat(text(of(10, 12, 18), 20, 21, 22)).isEqualTo("slower");
    assertThat(text(of(10, 12, 18), 19, 21, 22)).isEqualTo("too few runs");
    assertThat(text(of(10, 12, 21), 20, 21, 22)).isEqualTo("too few runs");
    assertThat(text(of(10), 10.6, 10.4)).isEqualTo("too few runs");
    assertThat(text(of(10), 12, 12, 12, 12, 12, 12)).isEqualTo("slower");
  }

  @Test
  void four_runs_decide_by_their_interval() {
    assertThat(text(of(10.0, 10.4, 9.7, 10.2, 9.8), 10.5, 10.9, 10.2, 10.7, 10.3))
        .startsWith("too close to call: ");
    assertThat(text(of(10.0, 10.4, 9.7, 10.2), 10.8, 10.9, 10.7, 10.8)).isEqualTo("slower");
  }

  @Test
  void values_with_an_obstacle_are_not_compared_however_far_apart() {
    for (double[] runs : List.of(of(1), of(1, 1, 1), of(1, 2, 1, 2, 1))) {
      double[] after = Arrays.stream(runs).map(v -> v * 9).toArray();
      List<Question> family =
          List.of(
              question(Metric.P99, runs, after, NONE, "others ran"),
              question(Metric.P50, runs, after, NONE));
      List<Decision> decisions = Family.decide(family, Limits.USUAL);
      assertThat(decisions.get(0).text(Kind.TIME)).isEqualTo("not compared: others ran");
      assertThat(decisions.get(0).verdict()).isEqualTo(Verdict.NOT_COMPARABLE);
      assertThat(decisions.get(1).text(Kind.TIME)).isEqualTo("slower");
    }
  }

  @Test
  void equal_counts_of_all_runs_are_the_same_whatever_disturbed_them() {
    double[] four = of(0, 0, 0, 0);
    List<Question> family =
        List.of(
            question(Metric.ERRORS, four, four, NONE, "others ran"),
            question(Metric.ERRORS, four, of(0, 0, 0, 1), NONE, "others ran"),
            question(Metric.P99, of(1, 1, 1, 1), of(1, 1, 1, 1), NONE, "others ran"));
    assertThat(Family.decide(family, Limits.USUAL))
        .extracting(Decision::verdict)
        .containsExactly(Verdict.SAME, Verdict.NOT_COMPARABLE, Verdict.NOT_COMPARABLE);
  }

  @Test
  void a_value_that_only_one_side_has_is_not_compared() {
    assertThat(text(of(), 1, 1, 1, 1)).isEqualTo("not measured");
    assertThat(text(of(1))).isEqualTo("not measured");
    Question missing = question(Metric.P99, of(), of(), NONE, "others ran");
    assertThat(Family.decide(List.of(missing), Limits.USUAL).get(0).verdict())
        .isEqualTo(Verdict.NOT_MEASURED);
  }

  @Test
  void more_latency_is_slower_and_more_throughput_is_faster() {
    double[] before = {100, 101, 99, 100, 102};
    double[] after = {150, 151, 149, 150, 152};
    assertThat(text(before, after)).isEqualTo("slower");
    assertThat(text(after, before)).isEqualTo("faster");
    assertThat(text(Metric.THROUGHPUT, before, after)).isEqualTo("faster");
    assertThat(text(Metric.SERVER_CPU, before, after)).isEqualTo("more");
    assertThat(text(Metric.SERVER_MEMORY, after, before)).isEqualTo("less");
  }

  @Test
  void a_small_change_is_the_same_within_its_interval() {
    double[] before = {100, 101, 99, 100, 102};
    assertThat(text(before, before)).matches("same within [23].[0-9]%");
  }

  @Test
  void the_band_of_equal_versions_turns_no_change_into_none() {
    double[] before = {100, 100.1, 99.9, 100, 100.2};
    double[] after = Arrays.stream(before).map(v -> v * 1.06).toArray();
    assertThat(decided(before, after).verdict()).isEqualTo(Verdict.WORSE);
    double[] aa = {100, 106.7, 100, 106.7, 100, 106.7, 100, 106.7};
    assertThat(decided(Metric.P99, before, after, aa).text(Kind.TIME)).isEqualTo("slower");
  }

  @Test
  void an_outlier_is_named_with_what_the_others_show() {
    double[] before = {100, 101, 99, 100, 102, 98};
    String undecided =
        "too close to call: (over )?[0-9]+ more runs needed; without outliers slower, .30%";
    assertThat(text(before, 130, 131, 129, 130, 132, 20)).matches(undecided);
    assertThat(text(of(100, 101, 99, 100, 102, 700), 130, 131, 129, 130, 132, 128))
        .matches(undecided);
    assertThat(text(before, 100, 101, 99, 100, 102, 20)).doesNotContain("outliers");
    assertThat(text(before, 130, 131, 129, 90, 132, 80)).doesNotContain("outliers");
  }

  @Test
  void runs_that_differ_too_much_ask_for_more() {
    assertThat(text(of(100, 130, 90, 115, 80), 110, 140, 100, 120, 95))
        .matches("too close to call: (over )?[0-9]+ more runs needed");
  }

  @Test
  void errors_are_counted_and_none_are_the_same() {
    double[] none = {0, 0, 0, 0, 0};
    assertThat(text(Metric.ERRORS, none, none)).isEqualTo("same");
    double[] some = {5, 6, 7, 8, 9};
    assertThat(text(Metric.ERRORS, none, some)).isEqualTo("more");
    Change change = question(Metric.ERRORS, none, some, NONE).change();
    assertThat(Change.text(change.isRatio(), change.estimate())).isEqualTo("+7");
    assertThat(Change.text(change.isRatio(), change.low())).isEqualTo("+5");
  }

  @Test
  void errors_that_vary_much_are_still_more() {
    assertThat(text(Metric.ERRORS, new double[6], of(10, 20, 30, 40, 400, 5000))).isEqualTo("more");
  }

  @Test
  void a_percentage_of_a_value_that_was_once_0_is_of_the_median() {
    double[] before = {0, 100, 100.5, 100.2, 100.4, 100.3};
    double[] after = {101, 101.1, 101.5, 101.3, 101.2, 101.4};
    assertThat(question(Metric.DISK_WRITTEN, before, after, NONE).change().unit())
        .isBetween(100.2, 100.4);
    assertThat(decided(Metric.DISK_WRITTEN, before, after, NONE).verdict())
        .isNotEqualTo(Verdict.WORSE);
  }

  private static String bound(boolean isBefore, double[] before, boolean isAfter, double... after) {
    Change change =
        Change.of(new Sample(Kind.TIME, isBefore, before), new Sample(Kind.TIME, isAfter, after));
    return Family.decide(change, Limits.USUAL).text(Kind.TIME);
  }

  @Test
  void an_outage_that_did_not_end_decides_nothing_but_what_is_worse_already() {
    String unended = "not compared: an outage did not end while it was observed";
    double[] seen = of(7_200, 7_210, 7_190, 7_205);
    double[] less = of(1_000, 1_001, 999, 1_002);
    double[] more = of(20_000, 20_010, 19_990, 20_005);

    assertThat(bound(false, less, true, seen)).isEqualTo("slower");
    assertThat(bound(false, less, true, 7_200)).isEqualTo("slower");
    assertThat(bound(false, more, true, seen)).isEqualTo(unended);
    assertThat(bound(false, seen, true, seen)).isEqualTo(unended);
    assertThat(bound(false, of(20_000), true, 7_200)).isEqualTo(unended);
    for (double[] after : List.of(less, seen, more, of(7_200))) {
      assertThat(bound(true, seen, false, after)).isEqualTo(unended);
      assertThat(bound(true, seen, true, after)).isEqualTo(unended);
    }
  }
}
