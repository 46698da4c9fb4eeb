// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.QuorateException;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OneShotLoopTest {
  private static final Request SOME = new Request.Get(new byte[] {'k'}, ReadConsistency.DEFAULT);

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final Set<Connection> used = ConcurrentHashMap.newKeySet();
  private final StepRecorder recorder =
      new StepRecorder(3, RunClock.start(), List.of("get"), false);
  private long connects;

  /** A connection that answers one request on another thread, and counts itself. */
  private final class Once implements Connection {
    Once() {
      mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    }

    @Override
    public void submit(Request request, Completion completion) {
      assertThat(used.add(this)).isTrue();
      new Thread(() -> completion.answered(Answer.WRITTEN)).start();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }

  private StepMeasurement run(long requests, LongFunction<Connection> opener) throws Exception {
    recorder.recordConnects();
    new OneShotLoop(
            new RequestCounter(0, requests),
            (connection, index, completion) -> connection.submit(SOME, completion),
            recorder,
            new RateLimiter(OptionalLong.empty()),
            opener)
        .run(3, List.of())
        .get(60, TimeUnit.SECONDS);
    recorder.operations().get(0).interval();
    connects = recorder.connectInterval().map(Histogram::getTotalCount).orElseThrow();
    return recorder.measurement();
  }

  @Test
  void each_request_opens_and_closes_a_connection_of_its_own() throws Exception {
    StepMeasurement measured = run(200, number -> new Once());

    assertThat(measured.successes().count()).isEqualTo(200);
    assertThat(connects).isEqualTo(200);
    assertThat(used).hasSize(200);
    assertThat(open).hasValue(0);
    assertThat(mostOpen.get()).isBetween(1, 3);
  }

  @Test
  void a_request_without_a_connection_is_an_error_with_the_reason() throws Exception {
    StepMeasurement measured =
        run(
            6,
            number -> {
              if (number % 2 == 1) {
                throw new QuorateException("no server there");
              }
              return new Once();
            });

    assertThat(measured.successes().count()).isEqualTo(3);
    assertThat(connects).isEqualTo(3);
    assertThat(measured.errors())
        .extracting(ErrorTally::kind, ErrorTally::message, ErrorTally::count)
        .containsExactly(tuple("connection", "no server there", 3L));
    assertThat(open).hasValue(0);
  }
}
