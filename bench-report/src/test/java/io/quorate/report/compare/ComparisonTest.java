package io.quorate.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.compare.Comparison.Limits;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  private static final int SEEDS = 1_000;
  private static final List<Metric> FAMILY =
      List.of(
          Metric.P99,
          Metric.THROUGHPUT,
          Metric.P50,
          Metric.P90,
          Metric.P99_9,
          Metric.MAX,
          Metric.SERVER_CPU);

  private static Row row(Metric metric) {
    return new Row("10 clients, put", OptionalInt.of(1), Optional.of("put"), metric);
  }

  private static Change decided(
      Metric metric, double[] baseline, double[] candidate, OptionalDouble band) {
    Change change = Comparison.change("etcd", row(metric), baseline, candidate, band);
    return Comparison.decided(List.of(change), Limits.DEFAULT).get(0);
  }

  private static Change decided(double[] baseline, double[] candidate) {
    return decided(Metric.P99, baseline, candidate, OptionalDouble.empty());
  }

  private static double[] runs(Random random, int count, double level, double noise) {
    return IntStream.range(0, count)
        .mapToDouble(i -> level * Math.exp(noise * random.nextGaussian()))
        .toArray();
  }

  /** Returns the changes of all metrics of a store that became slower. */
  private static List<Change> simulated(int seed, int runs, double noise, double change) {
    Random random = new Random(seed);
    List<Change> family = new ArrayList<>();
    for (Metric metric : FAMILY) {
      double level = metric.isHigherBetter() ? 1 / (1 + change) : 1 + change;
      double[] before = runs(random, runs, 1, noise);
      double[] after = runs(random, runs, level, noise);
      family.add(Comparison.change("etcd", row(metric), before, after, OptionalDouble.empty()));
    }
    return Comparison.decided(family, Limits.DEFAULT);
  }

  private static boolean isAlarm(Change change) {
    return change.verdict() == Verdict.WORSE || change.verdict() == Verdict.BETTER;
  }

  @ParameterizedTest
  @CsvSource({"5, 0.03", "5, 0.1", "6, 0.03", "10, 0.1"})
  void without_a_change_at_most_five_in_a_hundred_comparisons_have_an_alarm(
      int runs, double noise) {
    long alarms =
        IntStream.range(0, SEEDS)
            .filter(
                seed -> simulated(seed, runs, noise, 0).stream().anyMatch(ComparisonTest::isAlarm))
            .count();
    assertThat(alarms).isLessThanOrEqualTo(SEEDS / 20);
  }

  @Test
  void a_change_of_ten_percent_is_found_in_nine_of_ten_comparisons() {
    long found =
        IntStream.range(0, SEEDS)
            .filter(seed -> simulated(seed, 5, 0.03, 0.1).get(0).verdict() == Verdict.WORSE)
            .count();
    assertThat(found).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
  }

  @ParameterizedTest
  @CsvSource({"0.03, 0.03", "0.03, 0.1", "0.1, 0.1"})
  void a_change_is_never_found_in_the_wrong_direction(double change, double noise) {
    long wrong =
        IntStream.range(0, SEEDS)
            .filter(seed -> simulated(seed, 5, noise, change).get(0).verdict() == Verdict.BETTER)
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
    OptionalDouble none = OptionalDouble.empty();
    assertThat(decided(Metric.THROUGHPUT, before, after, none).verdictText()).isEqualTo("faster");
    assertThat(decided(Metric.SERVER_CPU, before, after, none).verdictText()).isEqualTo("more");
    assertThat(decided(Metric.SERVER_MEMORY, after, before, none).verdictText()).isEqualTo("less");
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
    Change change = decided(Metric.P99, before, after, OptionalDouble.of(0.067));
    assertThat(change.verdictText()).isEqualTo("same: within the A/A band");
    assertThat(change.bandText()).isEqualTo("\u00b16.7%");
  }

  @Test
  void the_band_is_the_change_from_odd_to_even_runs() {
    double[] runs = {100, 110, 100, 110, 100, 110};
    assertThat(Comparison.band(runs, row(Metric.P99)).getAsDouble()).isBetween(0.099, 0.101);
    assertThat(Comparison.band(new double[] {1}, row(Metric.P99))).isEmpty();
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
    OptionalDouble noBand = OptionalDouble.empty();
    assertThat(decided(Metric.ERRORS, none, none, noBand).verdictText()).isEqualTo("same");
    Change change = decided(Metric.ERRORS, none, new double[] {5, 6, 7, 8, 9}, noBand);
    assertThat(change.verdictText()).isEqualTo("more");
    assertThat(change.changeText()).isEqualTo("+7");
    assertThat(change.intervalText()).isEqualTo("+5 to +9");
  }
}
