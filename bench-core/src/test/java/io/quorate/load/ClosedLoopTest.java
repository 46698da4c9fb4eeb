// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  private final StoreClient client = MemoryStore.STORE.clients().get(0).start();
  private final Connection memory =
      client.open(
          new DriverSettings(
              new Endpoint("127.0.0.1", 1),
              Duration.ofSeconds(5),
              Duration.ofSeconds(5),
              Access.PLAIN));
  private final ExecutorService elsewhere = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    elsewhere.shutdownNow();
    memory.close();
    client.close();
  }

  private StepMeasurement run(long requests, int clients, RequestSource request) throws Exception {
    StepRecorder recorder = new StepRecorder(clients, RunClock.start(), List.of(""), false);
    new ClosedLoop(
            new RequestCounter(0, requests),
            request,
            recorder,
            new RateLimiter(OptionalLong.empty()),
            ThinkTime.NONE)
        .run(clients, List.of(memory))
        .get(60, TimeUnit.SECONDS);
    recorder.operations().get(0).interval();
    return recorder.measurement();
  }

  @Test
  void clients_make_exactly_the_requests_they_share_each_number_once() throws Exception {
    ConcurrentHashMap<Long, Boolean> sent = new ConcurrentHashMap<>();
    StepMeasurement measured =
        run(
            10_000,
            7,
            (connection, index, completion) -> {
              assertThat(sent.put(index, true)).isNull();
              elsewhere.execute(() -> completion.answered(Answer.WRITTEN));
            });
    assertThat(sent).hasSize(10_000).containsKeys(0L, 9_999L);
    assertThat(measured.successes().count()).isEqualTo(10_000);
    assertThat(measured.histogram().getTotalCount()).isEqualTo(10_000);
  }

  @Test
  void a_million_requests_that_end_at_once_do_not_deepen_the_stack() throws Exception {
    assertThat(
            run(
                1_000_000,
                2,
                (connection, index, completion) -> completion.answered(Answer.WRITTEN)))
        .extracting(measured -> measured.successes().count())
        .isEqualTo(1_000_000L);
  }

  /** The first requests are answered when each client has sent one. */
  @Test
  void as_many_requests_are_under_way_as_there_are_clients_and_never_more() throws Exception {
    int clients = 5;
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(clients);
    run(
        2_000,
        clients,
        (connection, index, completion) -> {
          most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          all.countDown();
          elsewhere.execute(
              () -> {
                await(all);
                underWay.decrementAndGet();
                completion.answered(Answer.WRITTEN);
              });
        });
    assertThat(most).hasValue(clients);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  @Test
  void more_clients_than_requests_still_end() throws Exception {
    assertThat(run(3, 50, (connection, index, completion) -> completion.answered(Answer.WRITTEN)))
        .extracting(measured -> measured.successes().count())
        .isEqualTo(3L);
  }

  @Test
  void errors_are_counted_by_kind_and_the_loop_goes_on() throws Exception {
    StepMeasurement measured = run(100, 3, ClosedLoopTest::everyTenthFails);
    assertThat(measured.successes().count()).isEqualTo(90);
    assertThat(measured.errors())
        .extracting(ErrorTally::kind, ErrorTally::message, ErrorTally::count)
        .containsExactly(tuple("rejected", "no leader", 10L));
  }

  private static void everyTenthFails(Connection connection, long index, Completion completion) {
    if (index % 10 == 0) {
      completion.failed(ErrorKind.REJECTED, "no leader");
    } else {
      completion.answered(Answer.WRITTEN);
    }
  }

  @Test
  void a_driver_that_throws_is_an_error_of_kind_other() throws Exception {
    StepMeasurement measured =
        run(
            2,
            1,
            (connection, index, completion) -> {
              throw new IllegalStateException("broken");
            });
    assertThat(measured.errors())
        .extracting(ErrorTally::kind, ErrorTally::message, ErrorTally::count)
        .containsExactly(tuple("other", "java.lang.IllegalStateException: broken", 2L));
  }

  @Test
  void a_lost_connection_pauses_its_client_and_the_loop_ends_all_the_same() throws Exception {
    StepMeasurement measured =
        run(
            5,
            1,
            (connection, index, completion) -> completion.failed(ErrorKind.CONNECTION, "gone"));
    assertThat(measured.errors()).extracting(ErrorTally::count).containsExactly(5L);
    assertThat(measured.elapsedNanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(400));
  }

  @Test
  void a_cancelled_budget_lets_no_further_request_begin() {
    RequestCounter budget = new RequestCounter(10, 5);
    assertThat(budget.take()).isEqualTo(10);
    budget.cancel();
    assertThat(budget.take()).isNegative();
  }
}
