// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
  private static final long SOME_NANOS = 200_000_000;

  @Test
  void the_end_of_the_threads_comes_after_their_work() throws InterruptedException {
    EventLoops loops = EventLoops.withoutSockets("test");
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean done = new AtomicBoolean();
    loops
        .next()
        .execute(
            () -> {
              begun.countDown();
              LockSupport.parkNanos(SOME_NANOS);
              done.set(true);
            });
    begun.await();
    loops.close();
    assertThat(done).isTrue();
  }

  @Test
  void one_of_the_threads_may_end_them() throws InterruptedException, ExecutionException {
    EventLoops loops = EventLoops.withoutSockets("test");
    loops.next().submit(loops::close).get();
  }
}
