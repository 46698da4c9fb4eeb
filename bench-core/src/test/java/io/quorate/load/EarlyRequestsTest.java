package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EarlyRequestsTest {
  @Test
  void the_event_loop_sends_a_request_at_once_and_is_kept_until_it_is_due() {
    AtomicLong sentNanos = new AtomicLong();
    long dueNanos = System.nanoTime() + 500_000_000;

    new EarlyRequests(Runnable::run).add(dueNanos, () -> sentNanos.set(System.nanoTime()));

    assertThat(System.nanoTime() - dueNanos).isNotNegative();
    assertThat(sentNanos.get() - dueNanos).isNegative();
  }

  @Test
  void what_a_request_leaves_to_the_event_loop_is_done_before_it_waits_for_the_next_one()
      throws Exception {
    ExecutorService loop = Executors.newSingleThreadExecutor();
    Queue<String> done = new ConcurrentLinkedQueue<>();
    CountDownLatch all = new CountDownLatch(3);
    CountDownLatch added = new CountDownLatch(1);
    try {
      EarlyRequests early = new EarlyRequests(loop);
      loop.execute(() -> await(added));
      for (int i = 1; i <= 3; i++) {
        int request = i;
        early.add(
            System.nanoTime(),
            () -> {
              done.add("made " + request);
              loop.execute(
                  () -> {
                    done.add("written " + request);
                    all.countDown();
                  });
            });
      }
      added.countDown();

      assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(done)
          .containsExactlyElementsOf(
              List.of("made 1", "written 1", "made 2", "written 2", "made 3", "written 3"));
    } finally {
      loop.shutdown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void requests_are_sent_though_the_event_loop_has_ended() {
    AtomicInteger sent = new AtomicInteger();
    EarlyRequests early =
        new EarlyRequests(
            work -> {
              throw new RejectedExecutionException("shut down");
            });

    early.add(System.nanoTime(), sent::incrementAndGet);
    early.add(System.nanoTime(), sent::incrementAndGet);

    assertThat(sent).hasValue(2);
  }
}
