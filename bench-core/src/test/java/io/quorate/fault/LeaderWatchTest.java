// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Member;
import io.quorate.store.Endpoint;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaderWatchTest {
  private static final List<Member> MEMBERS =
      IntStream.rangeClosed(1, 3)
          .mapToObj(i -> Member.elsewhere(i, "m-" + i, new Endpoint("127.0.0.1", i)))
          .toList();

  private static long limit() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
  }

  @Test
  void a_member_that_does_not_answer_delays_no_other() {
    CountDownLatch end = new CountDownLatch(1);
    long before = System.nanoTime();
    try (LeaderWatch watch =
        new LeaderWatch(
            MEMBERS, member -> member.index() == 3 || (member.index() == 1 && !answers(end)))) {
      LeaderWatch.Seen seen = watch.await(limit(), new StopSignal()).orElseThrow();
      assertThat(end.getCount()).isOne();
      assertThat(seen.member().name()).isEqualTo("m-3");
      assertThat(seen.nanos()).isBetween(before, System.nanoTime());
    } finally {
      end.countDown();
    }
  }

  /** Answers that it leads, but only at the end. */
  private static boolean answers(CountDownLatch end) {
    try {
      return !end.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  @Test
  void nobody_is_waited_for_if_nobody_is_asked() {
    try (LeaderWatch watch = new LeaderWatch(List.of(), member -> true)) {
      assertThat(watch.await(limit(), new StopSignal())).isEmpty();
    }
  }

  @Test
  void the_end_of_the_run_is_not_waited_for() {
    StopSignal stop = new StopSignal();
    stop.stop();
    try (LeaderWatch watch = new LeaderWatch(MEMBERS, member -> false)) {
      assertThat(watch.await(limit(), stop)).isEmpty();
    }
  }
}
