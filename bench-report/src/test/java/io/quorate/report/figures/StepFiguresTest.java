// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.measure.GeneratorDelay;
import io.quorate.measure.Latencies;
import io.quorate.scenario.Steps;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

public class StepFiguresTest {
  private static final OptionalDouble UNKNOWN = OptionalDouble.empty();

  @Test
  void theFirstAndTheLastSecondOfAStepAreNotWhole() {
    StepFigures step = step(10, 100, 4, 900, 910, 920, 3);
    assertThat(step.maxThroughput()).hasValue(920);
    assertThat(step.minThroughput()).hasValue(900);
    assertThat(step.requestsPerSecond()).hasValue((4 + 900 + 910 + 920 + 3) / 3.25);
  }

  @Test
  void aSecondWithoutARequestAmidAStepIsTheLeast() {
    StepFigures step = step(10, 100, 400, 900, 0, 910, 300);
    assertThat(step.minThroughput()).hasValue(0);
    assertThat(step.maxThroughput()).hasValue(910);
  }

  @Test
  void aStepWithinTwoSecondsHasNoWholeOne() {
    StepFigures step = step(100, 100, 4345, 3811);
    assertThat(step.maxThroughput()).isEmpty();
    ThroughputRange range = range(step);
    assertThat(range.max()).isEmpty();
    assertThat(range.min()).isEmpty();
    assertThat(range.missing())
        .hasValue(
            "MAX-THROUGHPUT and MIN-THROUGHPUT are unknown: no step has a full one-second "
                + "interval (all requests took 1.2 s)");
    assertThat(range.note()).isEqualTo(range.missing());
  }

  @Test
  void aSecondThatTwoStepsShareIsWholeForNeither() {
    ThroughputRange range = range(step(1, 100, 5, 50, 7), step(10, 102, 900, 500, 3));
    assertThat(range.max()).hasValue(500);
    assertThat(range.min()).hasValue(50);
    assertThat(range.note()).isEmpty();
  }

  @Test
  void stepsWithoutAWholeSecondAreNamed() {
    ThroughputRange range =
        range(step(1, 100, 5, 50, 7), step(1000, 102, 900, 800), step(5, 103, 9));
    assertThat(range(step(1, 100, 5, 450, 7), step(1000, 102, 900, 800)).note())
        .hasValue(
            "MAX-THROUGHPUT and MIN-THROUGHPUT are left out, as the 1 second that lies wholly"
                + " within a step is not typical of all 1.2 s");
    assertThat(range.max()).isEmpty();
    assertThat(range.min()).isEmpty();
  }

  @Test
  void theMostOfAStepThatIsAllPartialSecondsIsNotBelowItsMean() {
    StepFigures slow = began(100.5, 2, 25, 50, 25);
    StepFigures fast = began(103.6, 1.2, 400, 800);
    assertThat(fast.maxThroughput()).hasValue(1000);
    assertThat(fast.minThroughput()).hasValue(1000);
    ThroughputRange range = range(slow, fast);
    assertThat(range.max()).hasValue(1000);
    assertThat(range.min()).hasValue(50);
    assertThat(range.note()).isEmpty();
  }

  @Test
  void theRoundingOfTheMostDoesNotContradictTheMean() {
    StepFigures step = began(100, 3.999_999, 500, 500, 500, 500);
    assertThat(new ThroughputRange(List.of(step), 500.000_125, 4).max()).hasValue(500);
    assertThat(new ThroughputRange(List.of(step), 499.999_875, 4).min()).hasValue(500);
  }

  @Test
  void partialSecondsCountForTheTimeThatTheyCover() {
    StepFigures step = began(100.5, 1.98, 250, 500, 240);
    assertThat(step.seconds())
        .extracting(ClientSecond::coveredSeconds)
        .usingElementComparator((one, two) -> Math.abs(one - two) < 1e-6 ? 0 : 1)
        .containsExactly(0.5, 1.0, 0.48);
    assertThat(step.maxThroughput()).hasValue(500);
    assertThat(step.minThroughput()).hasValue(500);
  }

  @Test
  void ratesAreOverTheCoveredTimeAndShortTimesShareTheRateOfTheirNeighbor() {
    assertThat(ClientTimeline.rates(new double[] {250, 500, 240}, new double[] {0.5, 1, 0.48}))
        .containsExactly(500, 500, 500);
    assertThat(ClientTimeline.rates(new double[] {9, 500, 41}, new double[] {0.01, 1, 0.1}))
        .containsExactly(new double[] {500, 500, 500}, within(10.0));
    assertThat(ClientTimeline.rates(new double[] {5, Double.NaN, 20}, new double[] {0.1, 0, 0.5}))
        .containsExactly(50, Double.NaN, 40);
  }

  private static StepFigures began(double second, double duration, long... throughputs) {
    return step(
        10,
        rows((long) second, throughputs),
        duration,
        UNKNOWN,
        UNKNOWN,
        OptionalDouble.of(second));
  }

  private static ThroughputRange range(StepFigures... steps) {
    return new ThroughputRange(List.of(steps), 400, 1.235);
  }

  private static StepFigures step(int clients, long firstSecond, long... throughputs) {
    return step(clients, rows(firstSecond, throughputs), 3.25, UNKNOWN, UNKNOWN, UNKNOWN);
  }

  /** Returns a step of a closed loop. */
  public static StepFigures step(
      int clients,
      SortedMap<Long, Latencies> seconds,
      double duration,
      OptionalDouble longestWithoutSuccess,
      OptionalDouble stalled,
      OptionalDouble began) {
    Histogram none = new Histogram(3);
    return new StepFigures(
        1,
        Steps.closed(clients, clients, 1000),
        new RequestFigures(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(duration),
            none,
            none,
            none,
            new GeneratorDelay(none, none),
            Optional.empty(),
            Basis.UNKNOWN),
        List.of(),
        List.of(),
        StepFigures.seconds(Steps.closed(clients, clients, 1000), seconds, began, duration),
        OptionalDouble.of(duration),
        longestWithoutSuccess,
        stalled,
        Map.of(),
        Map.of(),
        Map.of(),
        0,
        Optional.empty(),
        Optional.empty(),
        began);
  }

  /** Returns seconds with these numbers of successes. */
  public static SortedMap<Long, Latencies> rows(long firstSecond, long... throughputs) {
    SortedMap<Long, Latencies> rows = new TreeMap<>();
    for (long throughput : throughputs) {
      rows.put(
          firstSecond + rows.size(),
          new Latencies(throughput, 2_000_000 * throughput, 1_000_000, 3_000_000, 0));
    }
    return rows;
  }
}
