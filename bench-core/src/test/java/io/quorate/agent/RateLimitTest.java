package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.agent.server.RefusalLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void so_many_are_let_through_in_a_second_and_more_after_a_rest() {
    RateLimit limit = new RateLimit(10, 3);
    assertThat(let(limit, 100, 5 * SECOND)).isEqualTo(30);
    assertThat(let(limit, 100, 6 * SECOND)).isEqualTo(10);
    assertThat(let(limit, 100, 6 * SECOND + SECOND / 2)).isEqualTo(5);
    assertThat(let(limit, 100, 600 * SECOND)).isEqualTo(30);
  }

  @Test
  void the_nano_clock_may_be_negative_or_overflow() {
    RateLimit limit = new RateLimit(10, 1);
    assertThat(let(limit, 100, Long.MAX_VALUE)).isEqualTo(10);
    assertThat(let(limit, 100, Long.MIN_VALUE + SECOND - 1)).isEqualTo(10);
  }

  private static long let(RateLimit limit, int tries, long nanoTime) {
    return IntStream.range(0, tries).filter(any -> limit.take(nanoTime)).count();
  }

  @Test
  void refusals_are_said_thirty_times_a_minute_and_then_counted() {
    List<String> console = new ArrayList<>();
    AtomicLong clock = new AtomicLong();
    RefusalLog log = new RefusalLog(console::add, clock::get);
    IntStream.range(0, 1_030).forEach(i -> log.accept("10.0.0.1: no"));
    assertThat(console).hasSize(30).containsOnly("refused 10.0.0.1: no");
    console.clear();
    clock.set(61 * SECOND);
    log.accept("10.0.0.2: no");
    assertThat(console).containsExactly("refused 1000 more", "refused 10.0.0.2: no");
  }
}
