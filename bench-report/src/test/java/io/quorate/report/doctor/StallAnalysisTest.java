// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.doctor.CircularShift.Window;
import io.quorate.store.server.StallCause;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StallAnalysisTest {
  private static final double[] SIX = {3_000, 11_000, 24_000, 33_000, 41_000, 55_000};
  private final CircularShift test = new CircularShift(List.of(new Window(0, 60_000)));

  @Test
  void a_stopped_process_comes_before_the_slow_fsync_that_it_looks_like() {
    List<Evidence> evidence = new ArrayList<>(events(StallCause.LOG_SYNC, "etcd-1", 300, SIX));
    evidence.addAll(events(StallCause.STOPPED, "etcd-1", 300, SIX));

    StallAnalysis found = StallAnalysis.of(stalls(SIX), evidence, test);

    assertThat(found.explanations()).hasSize(1);
    assertThat(found.explanations().get(0).cause()).isEqualTo(StallCause.STOPPED);
    assertThat(found.unexplained()).isZero();
  }

  @Test
  void a_cause_that_explains_many_more_stalls_comes_first() {
    List<Evidence> evidence = new ArrayList<>(events(StallCause.LOG_SYNC, "etcd-1", 300, SIX));
    evidence.addAll(events(StallCause.STOPPED, "etcd-2", 300, 3_000));

    StallAnalysis found = StallAnalysis.of(stalls(SIX), evidence, test);

    assertThat(found.explanations().get(0).cause()).isEqualTo(StallCause.LOG_SYNC);
  }

  @Test
  void two_causes_share_the_stalls_and_the_rest_is_unexplained() {
    List<Evidence> evidence =
        new ArrayList<>(events(StallCause.SNAPSHOT, "etcd-1", 300, 3_000, 11_000, 24_000));
    evidence.addAll(events(StallCause.LOG_SYNC, "etcd-2", 300, 33_000, 41_000, 55_000));

    StallAnalysis found =
        StallAnalysis.of(
            stalls(3_000, 11_000, 24_000, 33_000, 41_000, 47_000, 55_000), evidence, test);

    assertThat(found.explanations())
        .extracting(StallAnalysis.Explanation::cause)
        .containsExactly(StallCause.SNAPSHOT, StallCause.LOG_SYNC);
    assertThat(found.unexplained()).isEqualTo(1);
  }

  @Test
  void a_stall_of_the_load_generator_stops_further_blame() {
    List<Evidence> evidence =
        new ArrayList<>(events(StallCause.LOAD_GENERATOR, "load generator", 300, SIX));
    evidence.addAll(events(StallCause.LOG_SYNC, "etcd-1", 300, 3_000, 11_000, 24_000, 47_000));

    StallAnalysis found =
        StallAnalysis.of(
            stalls(3_000, 11_000, 24_000, 33_000, 41_000, 47_000, 55_000), evidence, test);

    assertThat(found.explanations()).hasSize(1);
    assertThat(found.explanations().get(0).sentence())
        .isEqualTo(
            "6 of 7 stalls (86% of their time) overlap a stall of the load generator (300 ms).");
  }

  @Test
  void stalls_of_the_load_generator_come_before_other_processes() {
    List<Evidence> evidence = new ArrayList<>(events(StallCause.OTHER_PROCESSES, "cc1", 300, SIX));
    evidence.addAll(events(StallCause.LOAD_GENERATOR, "load generator", 300, SIX));

    assertThat(StallAnalysis.of(stalls(SIX), evidence, test).explanations().get(0).cause())
        .isEqualTo(StallCause.LOAD_GENERATOR);
  }

  @Test
  void few_stalls_of_the_load_generator_are_taken_away_before_others_are_blamed() {
    List<Evidence> evidence =
        new ArrayList<>(events(StallCause.LOAD_GENERATOR, "load generator", 300, 3_000));
    evidence.addAll(events(StallCause.STOPPED, "etcd-1", 300, SIX));

    StallAnalysis found = StallAnalysis.of(stalls(SIX), evidence, test);

    assertThat(found.explanations())
        .extracting(StallAnalysis.Explanation::sentence)
        .satisfiesExactly(
            own -> assertThat(own).startsWith("1 of 6 stalls"),
            stop -> assertThat(stop).startsWith("5 of 5 stalls"));
    assertThat(found.explanations())
        .extracting(StallAnalysis.Explanation::isHeadline)
        .containsExactly(false, true);
  }

  @Test
  void a_planned_fault_is_the_cause_of_the_stalls_within_it_without_a_test_of_chance() {
    List<Evidence> evidence =
        new ArrayList<>(
            List.of(
                new Evidence(
                    StallCause.FAULT,
                    "etcd-1",
                    2_000,
                    40_000,
                    Double.POSITIVE_INFINITY,
                    "kill-leader")));
    evidence.addAll(events(StallCause.SNAPSHOT, "etcd-2", 300, SIX));

    StallAnalysis found = StallAnalysis.of(stalls(SIX), evidence, test);

    assertThat(found.explanations().get(0).sentence())
        .isEqualTo(
            "4 of 6 stalls (67% of their time) overlap a fault or maintenance that the run planned"
                + " (kill-leader).");
    assertThat(found.explanations()).hasSize(1);
    assertThat(found.unexplained()).isEqualTo(2);
  }

  @Test
  void a_cause_that_meets_as_many_stalls_by_chance_is_none() {
    // two long stalls with events, and events during most of the time
    List<Stall> stalls = new ArrayList<>(stalls(11_000, 24_000, 33_000, 41_000));
    stalls.add(new Stall(3_000, 5_000, 2_000));
    List<Evidence> evidence = new ArrayList<>();
    for (double start = 0; start < 60_000; start += 1_000) {
      evidence.add(new Evidence(StallCause.SNAPSHOT, "etcd-1", start, start + 500, 300, ""));
    }
    evidence.add(new Evidence(StallCause.SNAPSHOT, "etcd-1", 3_000, 5_000, 2_000, ""));

    assertThat(StallAnalysis.of(stalls, evidence, test).explanations()).isEmpty();
  }

  @Test
  void evidence_of_one_second_for_stalls_of_tenths_is_no_headline() {
    List<Evidence> evidence =
        DoubleStream.of(SIX)
            .mapToObj(
                start ->
                    new Evidence(
                        StallCause.LOG_SYNC, "etcd-1", start - 500, start + 500, 300, "300 ms"))
            .toList();

    StallAnalysis found = StallAnalysis.of(stalls(SIX), evidence, test);

    assertThat(found.explanations())
        .extracting(StallAnalysis.Explanation::isHeadline)
        .containsExactly(false);
  }

  @Test
  void a_periodic_cause_of_periodic_stalls_is_found() {
    double[] periodic = {
      2_000, 8_000, 14_000, 20_000, 26_000, 32_000, 38_000, 44_000, 50_000, 56_000
    };
    List<Evidence> evidence = events(StallCause.LOG_SYNC, "etcd-1", 300, periodic);

    StallAnalysis found = StallAnalysis.of(stalls(periodic), evidence, test);

    assertThat(found.explanations()).hasSize(1);
    // shifts by the period overlap as much
    assertThat(found.explanations().get(0).overlap().p()).isGreaterThan(0.1);
  }

  @Test
  void periodic_events_of_which_few_meet_a_stall_accuse_nobody() {
    double[] periodic = {
      2_000, 8_000, 14_000, 20_000, 26_000, 32_000, 38_000, 44_000, 50_000, 56_000
    };
    List<Evidence> evidence = events(StallCause.LOG_SYNC, "etcd-1", 300, periodic);

    StallAnalysis found = StallAnalysis.of(stalls(2_000, 20_000, 44_000), evidence, test);

    assertThat(found.explanations()).isEmpty();
  }

  @Test
  void two_short_stalls_accuse_nobody() {
    StallAnalysis found =
        StallAnalysis.of(
            stalls(3_000, 11_000), events(StallCause.STOPPED, "etcd-1", 300, 3_000, 11_000), test);

    assertThat(found.explanations()).isEmpty();
    assertThat(found.unexplained()).isEqualTo(2);
  }

  @Test
  void one_long_stall_with_one_event_is_explained() {
    List<Stall> stall = List.of(new Stall(20_000, 22_500, 2_500));
    StallAnalysis found =
        StallAnalysis.of(
            stall,
            List.of(
                new Evidence(StallCause.DEFRAGMENTATION, "etcd-1", 20_100, 22_400, 2_300, "2.3 s")),
            new CircularShift(List.of(new Window(0, 600_000))));

    assertThat(found.explanations()).hasSize(1);
    assertThat(found.explanations().get(0).sentence())
        .startsWith(
            "1 of 1 stall (100% of its time) overlaps a defragmentation: etcd-1 (2.3 s; 0.0 expected");
  }

  private static List<Stall> stalls(double... starts) {
    return DoubleStream.of(starts).mapToObj(start -> new Stall(start, start + 300, 300)).toList();
  }

  private static List<Evidence> events(
      StallCause cause, String source, double ms, double... starts) {
    return DoubleStream.of(starts)
        .mapToObj(start -> new Evidence(cause, source, start, start + ms, ms, "300 ms"))
        .toList();
  }

  private static <T> List<T> concat(List<T> one, List<T> other) {
    List<T> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }
}
