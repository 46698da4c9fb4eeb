package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadModel.Arrivals;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class OpenLoopTest {
  private static final int CONNECTIONS = 3;

  /** Connection that is never asked: the requests of these tests end by themselves. */
  private static final Connection NOWHERE =
      new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          throw new AssertionError("not asked");
        }

        @Override
        public void close() {}
      };

  private final StepRecorder recorder =
      new StepRecorder(CONNECTIONS, RunClock.start(), List.of("put"), true);
  private final CountDownLatch running = new CountDownLatch(CONNECTIONS);

  private void start(Budget budget, long count, LoadModel.Open model, NumberedRequests requests) {
    start(List.of(NOWHERE, NOWHERE, NOWHERE), budget, count, model, requests);
  }

  private void start(
      List<Connection> connections,
      Budget budget,
      long count,
      LoadModel.Open model,
      NumberedRequests requests) {
    OpenLoop loop =
        new OpenLoop(
            budget,
            new Pacer(new DueTimes(model, 1), model.ratePerSecond(), count),
            new Alertness(model.ratePerSecond()),
            requests,
            recorder,
            model.maxOutstanding(),
            CONNECTIONS);
    for (int i = 0; i < CONNECTIONS; i++) {
      loop.join(i, connections, new RequestLog(RequestListener.NOBODY), running::countDown);
    }
  }

  private StepMeasurement ended() throws InterruptedException {
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
    recorder.operations().forEach(each -> each.interval());
    recorder.operations().forEach(each -> each.serviceInterval());
    recorder.lagInterval();
    return recorder.measurement();
  }

  private StepMeasurement run(long count, LoadModel.Open model, NumberedRequests requests)
      throws InterruptedException {
    start(new Budget(0, count), count, model, requests);
    return ended();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_threads_of_the_connections_run_in_real_time_until_the_last_request_has_ended()
      throws Exception {
    boolean given =
        CompletableFuture.supplyAsync(RealTime::ask, each -> new Thread(each).start()).join();
    ExecutorService loop = Executors.newSingleThreadExecutor();
    Queue<String> policies = new ConcurrentLinkedQueue<>();
    try {
      start(
          List.of(on(loop), on(loop), on(loop)),
          new Budget(0, 10),
          10,
          new LoadModel.Open(1_000, Arrivals.UNIFORM, 100),
          (connection, index, completion) ->
              loop.execute(
                  () -> {
                    policies.add(RealTimeTest.policy());
                    completion.answered(Answer.WRITTEN);
                  }));
      ended();

      assertThat(policies)
          .hasSize(10)
          .containsOnly(given ? RealTimeTest.FIRST_IN_FIRST_OUT : RealTimeTest.USUAL);
      assertThat(loop.submit(RealTimeTest::policy).get()).isEqualTo(RealTimeTest.USUAL);
    } finally {
      loop.shutdown();
    }
  }

  @Test
  void ends_though_the_threads_of_the_connections_have_ended() throws Exception {
    Connection closed =
        on(
            work -> {
              throw new RejectedExecutionException("shut down");
            });
    start(
        List.of(closed, closed, closed),
        new Budget(0, 10),
        10,
        new LoadModel.Open(1_000, Arrivals.UNIFORM, 100),
        (connection, index, completion) -> completion.failed(ErrorKind.CONNECTION, "closed"));

    assertThat(ended().errors()).hasSize(1);
  }

  private static Connection on(Executor loop) {
    return new Connection() {
      @Override
      public void submit(Request request, Completion completion) {
        throw new AssertionError("not asked");
      }

      @Override
      public Optional<Executor> eventLoop() {
        return Optional.of(loop);
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void every_request_is_sent_once_though_none_waits_for_another() throws Exception {
    Queue<Completion> waiting = new ConcurrentLinkedQueue<>();
    StepMeasurement measured =
        run(
            1_000,
            new LoadModel.Open(100_000, Arrivals.UNIFORM, 1_000),
            (connection, index, completion) -> {
              waiting.add(completion);
              if (index == 999) {
                waiting.forEach(each -> each.answered(Answer.WRITTEN));
              }
            });
    assertThat(measured.successes().count()).isEqualTo(1_000);
    assertThat(measured.histogram().getTotalCount()).isEqualTo(1_000);
    OperationMeasurement put = measured.operations().get(0);
    assertThat(put.service().orElseThrow().getTotalCount()).isEqualTo(1_000);
    assertThat(put.shed()).isZero();
    assertThat(measured.lag().orElseThrow().getTotalCount()).isEqualTo(1_000);
  }

  @Test
  void what_is_due_while_too_many_are_under_way_is_shed_and_counted_exactly() throws Exception {
    List<Completion> waiting = new ArrayList<>();
    StepMeasurement measured =
        run(
            500,
            new LoadModel.Open(100_000, Arrivals.POISSON, 7),
            (connection, index, completion) -> {
              waiting.add(completion);
              if (waiting.size() == 7) {
                new Thread(() -> endWhenAllAreDue(waiting)).start();
              }
            });
    OperationMeasurement put = measured.operations().get(0);
    assertThat(measured.successes().count()).isEqualTo(7);
    assertThat(put.shed()).isEqualTo(493);
  }

  private void endWhenAllAreDue(List<Completion> waiting) {
    while (recorder.measurement().operations().get(0).shed() < 493) {
      Thread.onSpinWait();
    }
    List.copyOf(waiting).forEach(each -> each.answered(Answer.WRITTEN));
  }

  @Test
  void a_store_that_keeps_requests_waiting_shows_in_both_times() throws Exception {
    List<Completion> waiting = new ArrayList<>();
    StepMeasurement measured =
        run(
            100,
            new LoadModel.Open(1_000, Arrivals.UNIFORM, 1_000),
            (connection, index, completion) -> {
              waiting.add(completion);
              if (index == 99) {
                waiting.forEach(each -> each.answered(Answer.WRITTEN));
              }
            });
    OperationMeasurement put = measured.operations().get(0);
    // the first one was due, and sent, 99 intervals of a millisecond before the last one
    assertThat(measured.successes().maxNanos()).isGreaterThanOrEqualTo(99_000_000);
    assertThat(put.service().orElseThrow().getMaxValue()).isGreaterThan(90_000_000);
  }

  @Test
  void a_load_generator_that_stalls_shows_in_the_response_time_and_the_lag_alone()
      throws Exception {
    AtomicInteger sent = new AtomicInteger();
    StepMeasurement measured =
        run(
            300,
            new LoadModel.Open(1_000, Arrivals.UNIFORM, 1_000),
            (connection, index, completion) -> {
              completion.answered(Answer.WRITTEN);
              if (sent.incrementAndGet() == 100) {
                pause(100);
              }
            });
    OperationMeasurement put = measured.operations().get(0);
    assertThat(measured.successes().maxNanos()).isGreaterThan(90_000_000);
    assertThat(measured.lag().orElseThrow().getMaxValue()).isGreaterThan(90_000_000);
    assertThat(put.service().orElseThrow().getValueAtPercentile(50)).isLessThan(90_000_000);
    assertThat(measured.histogram().getValueAtPercentile(90))
        .isGreaterThan(put.service().orElseThrow().getValueAtPercentile(90));
  }

  /** Stops the thread that sends, which is what this is about. */
  private static void pause(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void after_a_stall_it_catches_up_at_no_more_than_twice_the_rate() {
    List<Long> sentNanos = new ArrayList<>();
    DueTimes due = new DueTimes(new LoadModel.Open(1_000, Arrivals.UNIFORM, 1), 1);
    Pacer pacer = new Pacer(due, 1_000, 300);
    pacer.run(
        0,
        50_000,
        () -> false,
        dueNanos -> {
          sentNanos.add(System.nanoTime());
          if (sentNanos.size() == 10) {
            pause(100);
          }
        });
    assertThat(pacer.stalls()).isPositive();
    assertThat(pacer.longestStallNanos()).isGreaterThan(80_000_000);
    // a hundred requests that were missed take at least 100 half intervals, less what it may be
    // late
    assertThat(sentNanos.get(110) - sentNanos.get(10)).isGreaterThan(45_000_000);
  }

  @Test
  void a_stall_while_it_catches_up_is_the_longest_if_it_falls_further_behind() {
    DueTimes due = new DueTimes(new LoadModel.Open(1_000, Arrivals.UNIFORM, 1), 1);
    Pacer pacer = new Pacer(due, 1_000, 400);
    AtomicInteger sent = new AtomicInteger();
    pacer.run(
        0,
        50_000,
        () -> false,
        dueNanos -> {
          int count = sent.incrementAndGet();
          if (count == 10) {
            pause(50);
          } else if (count == 20) {
            pause(150);
          }
        });
    assertThat(pacer.longestStallNanos()).isGreaterThan(150_000_000);
  }

  @Test
  void nothing_is_sent_before_it_is_due_where_a_pacer_is_stopped_while_it_waits() {
    DueTimes due = new DueTimes(new LoadModel.Open(1, Arrivals.UNIFORM, 1), 1);
    List<Long> lateNanos = new ArrayList<>();
    AtomicInteger asked = new AtomicInteger();

    new Pacer(due, 1, 2)
        .run(
            0,
            50_000,
            () -> !lateNanos.isEmpty() && asked.getAndIncrement() > 0,
            dueNanos -> lateNanos.add(System.nanoTime() - dueNanos));

    assertThat(asked).hasPositiveValue();
    assertThat(lateNanos).hasSize(1).allMatch(nanos -> nanos >= 0);
  }

  @Test
  void errors_are_counted_by_kind_and_a_driver_that_throws_is_one() throws Exception {
    StepMeasurement measured =
        run(
            10,
            new LoadModel.Open(10_000, Arrivals.UNIFORM, 10),
            (connection, index, completion) -> {
              if (index < 4) {
                throw new IllegalStateException("broken");
              }
              completion.failed(ErrorKind.REJECTED, "no leader");
            });
    assertThat(measured.errors())
        .extracting(ErrorTally::kind, ErrorTally::message, ErrorTally::count)
        .containsExactly(
            tuple("rejected", "no leader", 6L),
            tuple("other", "java.lang.IllegalStateException: broken", 4L));
  }

  @Test
  void a_cancelled_loop_sends_nothing_more_and_ends() throws Exception {
    Budget budget = new Budget(0, 1_000_000);
    start(
        budget,
        1_000_000,
        new LoadModel.Open(1_000, Arrivals.UNIFORM, 10),
        (connection, index, completion) -> {
          completion.answered(Answer.WRITTEN);
          if (index == 20) {
            budget.cancel();
          }
        });
    assertThat(ended().successes().count()).isEqualTo(21);
  }
}
