// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadModel.Arrivals;
import io.quorate.scenario.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Runs a pacer by a clock that only sleeping and the test move on. */
class PacerTest {
  private static final long MS = 1_000_000;

  private long nowNanos = -5 * MS; // the nano clock may be negative
  private final List<Long> sentNanos = new ArrayList<>();
  private final List<Long> dueNanos = new ArrayList<>();

  private Pacer pacer(long ratePerSecond, long requests) {
    DueTimes due =
        new DueTimes(new LoadModel.Open(ratePerSecond, Arrivals.CONSTANT, 1), 1, Shard.WHOLE);
    return new Pacer(due, ratePerSecond, requests, () -> nowNanos, nanos -> nowNanos += nanos);
  }

  private void run(Pacer pacer, LongConsumer sending) {
    pacer.run(
        () -> false,
        due -> {
          dueNanos.add(due);
          sentNanos.add(nowNanos);
          sending.accept(sentNanos.size());
        });
  }

  @Test
  void a_request_is_sent_when_it_is_due_at_any_rate() {
    for (long rate : List.of(1L, 900L, 1_000L, 1_100L, 20_000L, 50_000L)) {
      run(pacer(rate, 100), number -> {});
      assertThat(sentNanos).hasSize(100).isEqualTo(dueNanos);
      sentNanos.clear();
      dueNanos.clear();
    }
  }

  @Test
  void the_time_until_a_request_is_due_is_slept_and_never_spent_awake() {
    List<Long> slept = new ArrayList<>();
    DueTimes due = new DueTimes(new LoadModel.Open(1_000, Arrivals.CONSTANT, 1), 1, Shard.WHOLE);
    Pacer pacer =
        new Pacer(
            due,
            1_000,
            3,
            () -> nowNanos,
            nanos -> {
              slept.add(nanos);
              nowNanos += nanos;
            });
    run(pacer, number -> {});
    assertThat(slept.stream().mapToLong(Long::longValue).sum())
        .isEqualTo(sentNanos.get(2) + 5 * MS);
    assertThat(slept).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void after_a_stall_it_catches_up_at_no_more_than_twice_the_rate() {
    Pacer pacer = pacer(1_000, 300);
    run(
        pacer,
        number -> {
          if (number == 10) {
            nowNanos += 100 * MS;
          }
        });
    assertThat(pacer.stalls()).hasSize(1);
    LoadGeneratorStall stall = pacer.stalls().get(0);
    assertThat(stall.nanos()).isBetween(99 * MS, 100 * MS);
    assertThat(stall.startNanos()).isEqualTo(dueNanos.get(10));
    assertThat(stall.endNanos()).isEqualTo(sentNanos.get(10));
    // 100 missed requests take 100 half intervals, less what it may be late
    assertThat(sentNanos.get(110) - sentNanos.get(10)).isGreaterThan(45 * MS);
    assertThat(sentNanos.get(299)).isEqualTo(dueNanos.get(299));
  }

  @Test
  void a_longer_stall_while_it_catches_up_is_one_with_the_first() {
    Pacer pacer = pacer(1_000, 400);
    run(
        pacer,
        number -> {
          if (number == 10) {
            nowNanos += 50 * MS;
          } else if (number == 20) {
            nowNanos += 150 * MS;
          }
        });
    assertThat(pacer.stalls()).hasSize(1);
    assertThat(pacer.stalls().get(0).nanos()).isGreaterThan(150 * MS);
    assertThat(pacer.stalls().get(0).endNanos()).isEqualTo(sentNanos.get(20));
  }

  @Test
  void a_request_that_is_dropped_before_it_has_caught_up_counts_to_the_stall() {
    Pacer pacer = pacer(1_000, 300);
    run(
        pacer,
        number -> {
          if (number == 10) {
            nowNanos += 100 * MS;
          }
          if (number == 5 || number == 20 || number == 30 || number == 290) {
            pacer.dropped();
          }
        });
    assertThat(pacer.stalls()).hasSize(1);
    assertThat(pacer.stalls().get(0).dropped()).isEqualTo(2);
  }

  @Test
  void nothing_is_sent_before_it_is_due_if_it_is_stopped_while_it_waits() {
    Pacer pacer = pacer(1, 2);
    int[] asked = {0};
    pacer.run(
        () -> !sentNanos.isEmpty() && asked[0]++ > 0,
        due -> {
          sentNanos.add(nowNanos);
          dueNanos.add(due);
        });
    assertThat(asked[0]).isPositive();
    assertThat(sentNanos).hasSize(1).isEqualTo(dueNanos);
  }
}
