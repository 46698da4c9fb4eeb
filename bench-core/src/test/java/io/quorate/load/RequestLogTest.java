// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.ErrorKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RequestLogTest {
  private final Listener listener = new Listener();
  private final RequestLog log = new RequestLog(listener);

  /** Keeps the beginnings of all requests in their order; throws at one of them. */
  private static final class Listener implements RequestListener {
    private final List<Long> heard = new ArrayList<>();
    private long thrownAt = -1;

    @Override
    public void succeeded(int operation, long startNanos, long endNanos) {
      heard.add(startNanos);
      if (startNanos == thrownAt) {
        throw new IllegalStateException("expected by this test");
      }
    }

    @Override
    public void failed(
        int operation, long startNanos, long endNanos, ErrorKind kind, String message) {
      heard.add(startNanos);
    }
  }

  @Test
  void all_successes_are_told_in_their_order_when_the_log_has_ended() {
    LongStream.range(0, 1_000).forEach(i -> log.succeeded(0, i, i + 1));
    log.ended();
    RequestLog.told().join();
    assertThat(listener.heard)
        .containsExactlyElementsOf(LongStream.range(0, 1_000).boxed().toList());
  }

  @Test
  void a_failure_is_told_without_an_end() {
    log.failed(0, 7, 8, ErrorKind.TIMEOUT, "late");
    RequestLog.told().join();
    assertThat(listener.heard).containsExactly(7L);
  }

  @Test
  void what_is_logged_after_all_was_told_is_told_too() {
    log.failed(0, 1, 2, ErrorKind.TIMEOUT, "late");
    RequestLog.told().join();
    log.failed(0, 3, 4, ErrorKind.TIMEOUT, "late");
    RequestLog.told().join();
    assertThat(listener.heard).containsExactly(1L, 3L);
  }

  @Test
  void a_listener_that_throws_misses_no_later_requests() {
    listener.thrownAt = 1;
    for (long i = 1; i <= 3; i++) {
      log.succeeded(0, i, i + 1);
      log.ended();
    }
    RequestLog.told().join();
    assertThat(listener.heard).containsExactly(1L, 2L, 3L);
  }
}
