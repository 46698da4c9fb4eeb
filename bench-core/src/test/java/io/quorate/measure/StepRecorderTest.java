// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class StepRecorderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long ORIGIN = 5 * SECOND;

  /** At nano time 5 s it is the second 1000 since 1970. */
  private final StepRecorder recorder =
      new StepRecorder(10, new RunClock(1000 * SECOND, ORIGIN), List.of(""), false);

  private final OperationRecorder put = recorder.operations().get(0);

  private void succeed(long startNanos, long latencyNanos) {
    put.succeeded(put.second(startNanos), startNanos, startNanos + latencyNanos);
  }

  @Test
  void a_request_counts_in_the_second_in_which_it_was_sent() {
    SecondTally sentIn = put.second(ORIGIN + SECOND - 1);
    put.second(ORIGIN + SECOND);
    put.succeeded(sentIn, ORIGIN + SECOND - 1, ORIGIN + 4 * SECOND - 1);

    assertThat(recorder.measurement().seconds())
        .extracting(SecondMeasurement::unixSecond, second -> second.successes().count())
        .containsExactly(tuple(1000L, 1L), tuple(1001L, 0L));
  }

  @Test
  void a_second_without_requests_is_there_with_counts_of_zero() {
    succeed(ORIGIN, 10);
    succeed(ORIGIN + 3 * SECOND, 20);

    assertThat(recorder.measurement().seconds())
        .extracting(SecondMeasurement::unixSecond, second -> second.successes().count())
        .containsExactly(tuple(1000L, 1L), tuple(1001L, 0L), tuple(1002L, 0L), tuple(1003L, 1L));
  }

  @Test
  void time_passes_from_the_first_client_on() {
    assertThat(recorder.elapsedNanos(ORIGIN + SECOND)).isZero();

    recorder.clientStarted(ORIGIN + 300);
    recorder.clientStarted(ORIGIN + 200);

    assertThat(recorder.elapsedNanos(ORIGIN + SECOND)).isEqualTo(SECOND - 200);
  }

  @Test
  void a_late_sender_finds_the_earlier_second_again() {
    succeed(ORIGIN + 2 * SECOND, 10);
    succeed(ORIGIN, 20);
    succeed(ORIGIN + 1, 30);

    assertThat(recorder.measurement().seconds())
        .extracting(SecondMeasurement::unixSecond, second -> second.successes().count())
        .containsExactly(tuple(1000L, 2L), tuple(1001L, 0L), tuple(1002L, 1L));
  }

  @Test
  void requests_that_ended_after_the_last_look_at_their_second_are_told_at_the_next() {
    succeed(ORIGIN, 30);
    SecondTally pending = put.second(ORIGIN + 1);
    succeed(ORIGIN + SECOND, 40);
    assertThat(put.news(ORIGIN + SECOND - 1)).as("no second has ended").isEmpty();
    assertThat(put.news(ORIGIN + SECOND))
        .containsExactly(new SecondMeasurement(1000, new Latencies(1, 30, 30, 30, 900), List.of()));
    assertThat(put.news(ORIGIN + SECOND)).isEmpty();

    put.succeeded(pending, ORIGIN + 1, ORIGIN + 11);
    put.failed(pending, "timeout", "no answer", 7);
    put.dropped(pending);
    ErrorTally error = new ErrorTally("timeout", "no answer", 1, 7);
    assertThat(put.news(ORIGIN + SECOND))
        .containsExactly(
            new SecondMeasurement(1000, new Latencies(1, 10, 10, 30, 100), List.of(error), 1));
    put.failed(pending, "timeout", "no answer", 8);
    assertThat(put.news(ORIGIN + 2 * SECOND))
        .containsExactly(
            new SecondMeasurement(
                1000, Latencies.NONE, List.of(new ErrorTally("timeout", "no answer", 1, 8))),
            new SecondMeasurement(1001, new Latencies(1, 40, 40, 40, 1600), List.of()));
  }

  @Test
  void count_sum_minimum_and_maximum_are_exact() {
    succeed(ORIGIN, 1_234_567_891);
    succeed(ORIGIN, 1);
    succeed(ORIGIN + SECOND, 987_654_321_987L);

    Latencies successes = recorder.measurement().successes();
    assertThat(successes.count()).isEqualTo(3);
    assertThat(successes.sumNanos()).isEqualTo(988_888_889_879L);
    assertThat(successes.minNanos()).isEqualTo(1);
    assertThat(successes.maxNanos()).isEqualTo(987_654_321_987L);
  }

  @Test
  void the_standard_deviation_is_that_of_the_population() {
    for (long latency : new long[] {2, 4, 4, 4, 5, 5, 7, 9}) {
      succeed(ORIGIN, latency);
    }
    assertThat(recorder.measurement().successes().standardDeviationNanos())
        .isCloseTo(2.0, within(1e-9));
  }

  @Test
  void an_error_enters_no_latency_statistics_and_keeps_its_time() {
    put.failed(put.second(ORIGIN), "timeout", "no answer within 5 s", 5 * SECOND);
    put.failed(put.second(ORIGIN), "timeout", "no answer within 5 s", 5 * SECOND + 1);
    put.failed(put.second(ORIGIN), "rejected", "no leader", 7);
    put.interval();

    StepMeasurement measured = recorder.measurement();
    assertThat(measured.successes()).isEqualTo(Latencies.NONE);
    assertThat(measured.histogram().getTotalCount()).isZero();
    assertThat(measured.errors())
        .containsExactly(
            new ErrorTally("timeout", "no answer within 5 s", 2, 10 * SECOND + 1),
            new ErrorTally("rejected", "no leader", 1, 7));
  }

  @Test
  void a_server_that_makes_up_ever_new_messages_does_not_fill_the_memory() {
    for (int i = 0; i < 10_000; i++) {
      put.failed(put.second(ORIGIN), "other", "failure " + i, 1);
    }
    List<ErrorTally> errors = recorder.measurement().errors();
    assertThat(errors).hasSize(101);
    assertThat(errors.get(0)).isEqualTo(new ErrorTally("other", "(other messages)", 9_900, 9_900));
  }

  @Test
  void aRequestThatFailsBeforeItIsDueTakesNoTime() {
    put.failed(put.second(ORIGIN), "unavailable", "connection refused", -128_049);
    put.failed(put.second(ORIGIN), "unavailable", "connection refused", 7);
    assertThat(put.measurement().seconds().get(0).errors())
        .containsExactly(new ErrorTally("unavailable", "connection refused", 2, 7));
    assertThatThrownBy(() -> new ErrorTally("unavailable", "connection refused", 1, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_latency_above_the_histograms_range_is_kept_exactly_in_the_maximum() {
    succeed(ORIGIN, 2 * LatencyRecorder.MAX_NANOS);
    Histogram interval = put.interval();
    assertThat(interval.getMaxValue()).isGreaterThanOrEqualTo(LatencyRecorder.MAX_NANOS);
    assertThat(recorder.measurement().successes().maxNanos())
        .isEqualTo(2 * LatencyRecorder.MAX_NANOS);
  }

  @Test
  void an_interval_holds_what_came_since_the_last_one_and_the_total_holds_all() {
    succeed(ORIGIN, 100);
    assertThat(put.interval().getTotalCount()).isEqualTo(1);
    succeed(ORIGIN, 200);
    succeed(ORIGIN, 300);
    assertThat(put.interval().getTotalCount()).isEqualTo(2);
    assertThat(put.interval().getTotalCount()).isZero();
    assertThat(recorder.measurement().histogram().getTotalCount()).isEqualTo(3);
  }

  @Test
  void the_elapsed_time_runs_from_the_first_request_to_the_end_of_the_last_one() {
    recorder.clientStarted(ORIGIN + 50);
    recorder.clientStarted(ORIGIN + 10);
    recorder.clientFinished(ORIGIN + 1000);
    recorder.clientFinished(ORIGIN + 900);
    assertThat(recorder.measurement().elapsedNanos()).isEqualTo(990);
  }

  @Test
  void the_longest_time_without_a_success_is_known_wherever_seconds_begin() {
    recorder.clientStarted(ORIGIN + 900_000_000);
    succeed(ORIGIN + 900_000_000, 10_000_000);
    succeed(ORIGIN + 910_000_000, 1_800_000_000);
    recorder.clientFinished(ORIGIN + 2_710_000_000L);
    assertThat(recorder.measurement().gaps())
        .isEqualTo(
            new SuccessGaps(
                1_800_000_000,
                List.of(new SuccessGaps.Gap(ORIGIN + 910_000_000, ORIGIN + 2_710_000_000L))));
  }

  @Test
  void a_client_that_stands_still_alone_is_no_time_without_a_success() {
    recorder.clientStarted(ORIGIN);
    recorder.clientStarted(ORIGIN);
    for (long at = 0; at < 30; at++) {
      succeed(ORIGIN + at * 100_000_000, 100_000_000);
    }
    succeed(ORIGIN, 3 * SECOND);
    recorder.clientFinished(ORIGIN + 3 * SECOND);
    recorder.clientFinished(ORIGIN + 3 * SECOND);
    assertThat(recorder.measurement().gaps()).isEqualTo(new SuccessGaps(100_000_000, List.of()));
  }

  @Test
  void before_the_first_and_after_the_last_success_none_succeeds_either() {
    recorder.clientStarted(ORIGIN);
    succeed(ORIGIN + 2 * SECOND, SECOND);
    put.failed(put.second(ORIGIN + 3 * SECOND), "timeout", "no answer", 5 * SECOND);
    recorder.clientFinished(ORIGIN + 8 * SECOND);
    assertThat(recorder.measurement().gaps())
        .isEqualTo(
            new SuccessGaps(
                5 * SECOND,
                List.of(
                    new SuccessGaps.Gap(ORIGIN, ORIGIN + 3 * SECOND),
                    new SuccessGaps.Gap(ORIGIN + 3 * SECOND, ORIGIN + 8 * SECOND))));
  }

  @Test
  void without_a_success_the_whole_step_is_a_time_without_one() {
    recorder.clientStarted(ORIGIN);
    recorder.clientFinished(ORIGIN + 2 * SECOND);
    assertThat(recorder.measurement().gaps())
        .isEqualTo(
            new SuccessGaps(2 * SECOND, List.of(new SuccessGaps.Gap(ORIGIN, ORIGIN + 2 * SECOND))));
    assertThat(new StepRecorder(1, new RunClock(0, 0), List.of(""), false).measurement().gaps())
        .isEqualTo(new SuccessGaps(0, List.of()));
  }

  @Test
  void a_finished_step_keeps_its_exact_values_and_hardly_any_memory() {
    int steps = 50;
    List<StepRecorder> finished = new ArrayList<>();
    long before = usedBytes();
    for (int i = 0; i < steps; i++) {
      StepRecorder step =
          new StepRecorder(1, new RunClock(0, ORIGIN), List.of("get", "put", "txn"), true);
      for (OperationRecorder operation : step.operations()) {
        operation.succeeded(operation.begun(ORIGIN), ORIGIN, ORIGIN, ORIGIN + 100 * SECOND, 0);
        operation.interval();
        operation.serviceInterval();
      }
      step.finish();
      finished.add(step);
    }
    assertThat((usedBytes() - before) / steps).isLessThan(500_000);
    assertThat(finished).allMatch(step -> step.measurement().successes().count() == 3);
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Test
  void threads_that_record_at_the_same_time_lose_nothing() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      long offset = t;
      threads.add(
          new Thread(
              () -> {
                for (int i = 1; i <= 100_000; i++) {
                  succeed(ORIGIN + (i % 3) * SECOND + offset, i);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      put.interval();
      thread.join();
    }
    put.interval();

    StepMeasurement measured = recorder.measurement();
    assertThat(measured.successes().count()).isEqualTo(400_000);
    assertThat(measured.successes().sumNanos()).isEqualTo(4 * 5_000_050_000L);
    assertThat(measured.histogram().getTotalCount()).isEqualTo(400_000);
    assertThat(measured.seconds()).hasSize(3);
  }

  @Property(seed = "1", tries = 50)
  void percentiles_are_within_three_digits_of_the_true_ones(
      @ForAll @Size(min = 1, max = 500) List<@LongRange(min = 1, max = 10_000_000_000L) Long> all) {
    OperationRecorder fresh =
        new StepRecorder(1, new RunClock(0, 0), List.of(""), false).operations().get(0);
    all.forEach(latency -> fresh.succeeded(fresh.second(1), 1, 1 + latency));
    Histogram interval = fresh.interval();
    List<Long> sorted = all.stream().sorted().toList();
    for (double percentile : new double[] {10, 50, 90, 99, 99.9}) {
      long exact = sorted.get((int) Math.max(0, Math.ceil(percentile * sorted.size() / 100) - 1));
      assertThat((double) interval.getValueAtPercentile(percentile))
          .isCloseTo(exact, within(exact * 1e-3 + 1));
    }
  }

  private static org.assertj.core.groups.Tuple tuple(Object... values) {
    return org.assertj.core.groups.Tuple.tuple(values);
  }
}
