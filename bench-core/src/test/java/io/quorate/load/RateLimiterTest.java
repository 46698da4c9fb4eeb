// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private static final Connection AT_ONCE =
      new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          completion.answered(Answer.WRITTEN);
        }

        @Override
        public void close() {}
      };

  @Test
  void requests_get_slots_at_equal_distances_whoever_asks() {
    RateLimiter limit = new RateLimiter(OptionalLong.of(1_000));
    assertThat(limit.waitNanos(5_000)).isZero();
    assertThat(limit.waitNanos(5_000)).isEqualTo(1_000_000);
    assertThat(limit.waitNanos(205_000)).isEqualTo(1_800_000);
  }

  @Test
  void slots_that_nobody_took_are_not_made_up_for() {
    RateLimiter limit = new RateLimiter(OptionalLong.of(1_000));
    limit.waitNanos(0);
    assertThat(limit.waitNanos(50_000_000)).isZero();
    assertThat(limit.waitNanos(50_000_000)).isEqualTo(1_000_000);
  }

  @Test
  void without_a_limit_nobody_waits() {
    RateLimiter limit = new RateLimiter(OptionalLong.empty());
    assertThat(limit.waitNanos(0)).isZero();
    assertThat(limit.waitNanos(0)).isZero();
  }

  @Test
  void clients_of_a_limited_loop_make_all_their_requests_and_no_faster_than_they_may()
      throws Exception {
    StepMeasurement measured = run(new RequestCounter(0, 201), 20, OptionalLong.of(1_000));
    assertThat(measured.successes().count()).isEqualTo(201);
    assertThat(measured.elapsedNanos()).isGreaterThanOrEqualTo(199_000_000);
  }

  @Test
  void a_loop_that_ends_by_time_sends_nothing_afterwards() throws Exception {
    RequestCounter budget = new RequestCounter(0, 1_000_000_000);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger afterwards = new AtomicInteger();
    StepMeasurement measured =
        run(
            budget,
            2,
            OptionalLong.empty(),
            (connection, index, completion) -> {
              if (over.get()) {
                afterwards.incrementAndGet();
              } else if (index == 99) {
                budget.endAt(System.nanoTime());
                over.set(true);
              }
              connection.submit(new Request.Delete(new byte[0]), completion);
            });
    assertThat(measured.successes().count()).isGreaterThanOrEqualTo(100);
    // the other client may just have taken one
    assertThat(afterwards).hasValueLessThan(2);
    assertThat(budget.take()).isNegative();
  }

  private static StepMeasurement run(RequestCounter budget, int clients, OptionalLong limit)
      throws Exception {
    return run(
        budget,
        clients,
        limit,
        (connection, index, completion) ->
            connection.submit(new Request.Delete(new byte[0]), completion));
  }

  private static StepMeasurement run(
      RequestCounter budget, int clients, OptionalLong limit, RequestSource requests)
      throws Exception {
    StepRecorder recorder = new StepRecorder(clients, RunClock.start(), List.of(""), false);
    new ClosedLoop(budget, requests, recorder, new RateLimiter(limit), ThinkTime.NONE)
        .run(clients, List.of(AT_ONCE))
        .get(60, TimeUnit.SECONDS);
    return recorder.measurement();
  }
}
