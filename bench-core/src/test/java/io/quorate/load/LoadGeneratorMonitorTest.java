// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadGeneratorMonitorTest {
  private static final long LATE_NANOS = Duration.ofMillis(20).toNanos();

  private final StepRecorder recorder =
      new StepRecorder(1, RunClock.start(), List.of("put"), false);

  @Test
  void an_event_loop_that_keeps_work_waiting_is_seen() throws InterruptedException {
    CountDownLatch probed = new CountDownLatch(3);
    LoadGeneratorMonitor watch = new LoadGeneratorMonitor();
    watch.start(List.of(new ProbedConnection(Optional.of(late(probed)))), recorder);
    assertThat(probed.await(30, TimeUnit.SECONDS)).isTrue();
    watch.stop();

    assertThat(recorder.receiverInterval().getMinNonZeroValue())
        .isGreaterThan(LATE_NANOS * 99 / 100);
    assertThat(watch.elapsedNanos()).isGreaterThan(LATE_NANOS);
  }

  @Test
  void where_a_client_library_takes_no_tasks_a_thread_stands_in() {
    LoadGeneratorMonitor watch = new LoadGeneratorMonitor();
    watch.start(List.of(new ProbedConnection(Optional.empty())), recorder);
    long seen = 0;
    while (seen < 3) {
      seen += recorder.receiverInterval().getTotalCount();
    }
    watch.stop();
    assertThat(seen).isGreaterThanOrEqualTo(3);
  }

  @Test
  void processor_time_and_garbage_collections_are_counted() {
    LoadGeneratorMonitor watch = new LoadGeneratorMonitor();
    watch.start(List.of(new ProbedConnection(Optional.empty())), recorder);
    while (watch.longestGcPauseNanos() == 0) {
      System.gc(); // a pause below a millisecond counts as none, so until one is longer
    }
    watch.stop();
    assertThat(watch.gcPauseNanos()).isGreaterThanOrEqualTo(watch.longestGcPauseNanos());
    assertThat(watch.cpuNanos()).isPositive();
    assertThat(watch.machineLoad().orElse(0)).isBetween(0.0, 1.0);
  }

  /** A loop that begins each task later than it was handed over. */
  private static Executor late(CountDownLatch probed) {
    return task -> {
      long due = System.nanoTime() + LATE_NANOS;
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      task.run();
      probed.countDown();
    };
  }

  private record ProbedConnection(Optional<Executor> eventLoop) implements Connection {
    @Override
    public void submit(Request request, Completion completion) {}

    @Override
    public void close() {}
  }
}
