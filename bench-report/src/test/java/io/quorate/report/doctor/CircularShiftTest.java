// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.report.doctor.CircularShift.Overlap;
import io.quorate.report.doctor.CircularShift.Window;
import io.quorate.store.server.StallCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CircularShiftTest {
  private static final double MINUTE = 60_000;
  private final CircularShift test = new CircularShift(List.of(new Window(0, MINUTE)));

  @Test
  void stalls_that_always_come_with_evidence_are_explained() {
    List<Stall> stalls = stalls(3_000, 11_000, 24_000, 41_000, 55_000);
    List<Evidence> evidence = evidence(300, 3_000, 11_000, 24_000, 41_000, 55_000);

    Overlap overlap = test.test(stalls, evidence);

    assertThat(overlap.observed()).isEqualTo(5);
    assertThat(overlap.expected()).isLessThan(1);
    assertThat(overlap.p()).isLessThanOrEqualTo(0.01);
    assertThat(test.explained(stalls, evidence)).isEqualTo(stalls);
  }

  @Test
  void evidence_that_is_always_there_explains_nothing() {
    List<Stall> stalls = stalls(3_000, 11_000, 24_000, 41_000, 55_000);
    List<Evidence> all = List.of(new Evidence(StallCause.CPU, "a", 0, MINUTE, MINUTE, ""));

    Overlap overlap = test.test(stalls, all);

    assertThat(overlap.observed()).isEqualTo(5);
    assertThat(overlap.expected()).isEqualTo(5);
    assertThat(overlap.p()).isEqualTo(1);
  }

  @Test
  void evidence_at_other_times_explains_nothing() {
    Overlap overlap = test.test(stalls(3_000, 11_000), evidence(300, 20_000, 30_000));

    assertThat(overlap.observed()).isZero();
    assertThat(overlap.p()).isEqualTo(1);
  }

  @Test
  void an_event_within_200_ms_counts_and_one_further_away_does_not() {
    List<Stall> stall = List.of(new Stall(10_000, 10_099, 99));

    assertThat(test.explained(stall, List.of(event(9_750, 9_820, 70)))).hasSize(1);
    assertThat(test.explained(stall, List.of(event(9_500, 9_600, 100)))).isEmpty();
    assertThat(test.explained(stall, List.of(event(10_250, 10_300, 50)))).hasSize(1);
  }

  @Test
  void an_event_that_is_much_shorter_than_the_stall_does_not_explain_it() {
    List<Stall> stall = List.of(new Stall(10_000, 10_400, 400));

    assertThat(test.explained(stall, List.of(event(10_100, 10_150, 50)))).isEmpty();
    assertThat(test.explained(stall, List.of(event(10_100, 10_220, 120)))).hasSize(1);
  }

  @Test
  void the_time_between_steps_is_left_out() {
    CircularShift two =
        new CircularShift(List.of(new Window(0, 1_000), new Window(100_000, 101_000)));
    List<Stall> stalls = List.of(new Stall(100_500, 100_600, 100));

    assertThat(two.explained(stalls, List.of(event(100_500, 100_600, 100)))).hasSize(1);
    // half of two seconds
    Overlap overlap = two.test(stalls, List.of(event(0, 900, 900)));
    assertThat(overlap.expected()).isCloseTo(0.6, within(0.3));
  }

  @Test
  void random_evidence_is_rarely_significant() {
    Random random = new Random(7);
    int significant = 0;
    for (int run = 0; run < 500; run++) {
      double[] some = random.doubles(12, 0, MINUTE).toArray();
      double[] others = random.doubles(15, 0, MINUTE).toArray();
      significant += test.test(stalls(some), evidence(300, others)).p() <= 0.01 ? 1 : 0;
    }
    // the seed is fixed; 1% of 500 is expected
    assertThat(significant).isBetween(0, 12);
  }

  private static List<Stall> stalls(double... starts) {
    return DoubleStream.of(starts).mapToObj(start -> new Stall(start, start + 300, 300)).toList();
  }

  private static List<Evidence> evidence(double ms, double... starts) {
    List<Evidence> all = new ArrayList<>();
    DoubleStream.of(starts).forEach(start -> all.add(event(start, start + ms, ms)));
    return all;
  }

  private static Evidence event(double start, double end, double ms) {
    return new Evidence(StallCause.LOG_SYNC, "etcd-1", start, end, ms, "");
  }
}
