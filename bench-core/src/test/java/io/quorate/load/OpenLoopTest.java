// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadModel.Arrivals;
import io.quorate.scenario.Shard;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

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
  private final Histogram lag = new Histogram(3);
  private final CountDownLatch running = new CountDownLatch(CONNECTIONS);

  private void start(
      RequestCounter budget, long count, LoadModel.Open model, RequestSource requests) {
    start(List.of(NOWHERE, NOWHERE, NOWHERE), budget, count, model, requests);
  }

  private void start(
      List<Connection> connections,
      RequestCounter budget,
      long count,
      LoadModel.Open model,
      RequestSource requests) {
    OpenLoop loop =
        new OpenLoop(
            budget,
            new Pacer(new DueTimes(model, 1, Shard.WHOLE), model.ratePerSecond(), count),
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
    lag.add(recorder.lagInterval());
    return recorder.measurement();
  }

  private StepMeasurement run(long count, LoadModel.Open model, RequestSource requests)
      throws InterruptedException {
    start(new RequestCounter(0, count), count, model, requests);
    return ended();
  }

  @Test
  void every_request_is_sent_once_though_none_waits_for_another() throws Exception {
    Queue<Completion> waiting = new ConcurrentLinkedQueue<>();
    StepMeasurement measured =
        run(
            1_000,
            new LoadModel.Open(100_000, Arrivals.CONSTANT, 1_000),
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
    assertThat(put.dropped()).isZero();
    assertThat(lag.getTotalCount()).isEqualTo(1_000);
  }

  @Test
  void response_time_is_queue_time_and_send_lag_and_service_time_of_each_request()
      throws Exception {
    long held = 3_000_000;
    StepMeasurement measured =
        run(
            5,
            new LoadModel.Open(100_000, Arrivals.CONSTANT, 5),
            (connection, index, completion) -> {
              long free = System.nanoTime() + held;
              while (System.nanoTime() < free + 1_000_000) {
                Thread.onSpinWait();
              }
              completion.sent(System.nanoTime(), held);
              completion.answered(Answer.WRITTEN);
            });
    Histogram queue = recorder.queueInterval();
    Histogram service = measured.operations().get(0).service().orElseThrow();
    assertThat(queue.getTotalCount()).isEqualTo(5);
    assertThat(queue.getMean()).isCloseTo(held, withinPercentage(0.2));
    assertThat(measured.histogram().getMean())
        .isCloseTo(queue.getMean() + lag.getMean() + service.getMean(), withinPercentage(0.5));
  }

  @Test
  void what_is_due_while_too_many_are_under_way_is_dropped_and_counted_exactly() throws Exception {
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
    assertThat(put.dropped()).isEqualTo(493);
  }

  private void endWhenAllAreDue(List<Completion> waiting) {
    while (recorder.measurement().operations().get(0).dropped() < 493) {
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
            new LoadModel.Open(1_000, Arrivals.CONSTANT, 1_000),
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
  void a_request_that_is_written_late_shows_in_the_response_time_and_the_lag_alone()
      throws Exception {
    StepMeasurement measured =
        run(
            300,
            new LoadModel.Open(1_000, Arrivals.CONSTANT, 1_000),
            (connection, index, completion) -> {
              if (index == 100) {
                pause(100);
              }
              completion.sent(System.nanoTime(), 0);
              completion.answered(Answer.WRITTEN);
            });
    OperationMeasurement put = measured.operations().get(0);
    assertThat(measured.successes().maxNanos()).isGreaterThan(90_000_000);
    assertThat(lag.getMaxValue()).isGreaterThan(90_000_000);
    long serviceSum = sum(put.service().orElseThrow());
    assertThat(sum(measured.histogram()) - serviceSum).isGreaterThan(90_000_000);
  }

  @Test
  void a_request_that_waited_for_its_connection_is_late_by_the_rest_only() throws Exception {
    run(
        1,
        new LoadModel.Open(1_000, Arrivals.CONSTANT, 1_000),
        (connection, index, completion) -> {
          long submitted = System.nanoTime();
          pause(50);
          long sent = System.nanoTime();
          completion.sent(sent, sent - submitted);
          completion.answered(Answer.WRITTEN);
        });
    StepMeasurement measured = recorder.measurement();
    assertThat(measured.successes().maxNanos()).isGreaterThanOrEqualTo(50_000_000);
    assertThat(lag.getMaxValue())
        .isLessThanOrEqualTo(
            lag.highestEquivalentValue(measured.successes().maxNanos() - 50_000_000));
  }

  private static long sum(Histogram times) {
    return Math.round(times.getMean() * times.getTotalCount());
  }

  /** Stops the thread that sends, which is what this is about. */
  private static void pause(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void errors_are_counted_by_kind_and_a_driver_that_throws_is_one() throws Exception {
    StepMeasurement measured =
        run(
            10,
            new LoadModel.Open(10_000, Arrivals.CONSTANT, 10),
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
    RequestCounter budget = new RequestCounter(0, 1_000_000);
    start(
        budget,
        1_000_000,
        new LoadModel.Open(1_000, Arrivals.CONSTANT, 10),
        (connection, index, completion) -> {
          completion.answered(Answer.WRITTEN);
          if (index == 20) {
            budget.cancel();
          }
        });
    assertThat(ended().successes().count()).isEqualTo(21);
  }
}
