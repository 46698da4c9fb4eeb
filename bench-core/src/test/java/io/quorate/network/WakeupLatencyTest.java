package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.Test;

class WakeupLatencyTest {
  private static final long SLOW_LINK_NANOS = 25_000_000;

  private final InFlightBytes buffered = new InFlightBytes();
  private final WakeupLatency waking = new WakeupLatency(buffered);

  @Test
  void a_thread_that_sleeps_longer_is_woken_earlier_up_to_a_millisecond() {
    assertThat(waking.aheadNanos(0)).isEqualTo(40_000);
    assertThat(waking.aheadNanos(3_200_000)).isEqualTo(140_000);
    assertThat(waking.aheadNanos(1_000_000_000)).isEqualTo(1_000_000);
  }

  @Test
  void bytes_count_as_come_a_little_before_they_are_read() throws Exception {
    EventLoop loop = new DefaultEventLoop();
    try {
      waking.measure(loop);
      long before = System.nanoTime();
      assertThat(waking.arrivalNanos(0)).isBetween(before - 40_000, System.nanoTime());
      assertThat(waking.arrivalNanos(SLOW_LINK_NANOS))
          .isBetween(before - 190_000, System.nanoTime());
    } finally {
      loop.shutdownGracefully();
    }
  }

  @Test
  void a_thread_with_much_to_do_does_not_sleep() throws Exception {
    EventLoop loop = new DefaultEventLoop();
    try {
      waking.measure(loop);
      for (int i = 0; i < 5; i++) {
        buffered.begin(1);
      }
      long before = System.nanoTime();
      assertThat(waking.arrivalNanos(SLOW_LINK_NANOS)).isGreaterThanOrEqualTo(before);
      assertThat(waking.aheadNanos(1_000_000_000)).isZero();
    } finally {
      loop.shutdownGracefully();
    }
  }
}
