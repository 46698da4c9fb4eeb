// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Await;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EverySecondTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void seconds_do_not_come_twice_when_the_clock_is_set_back() {
    Clock real = Clock.systemUTC();
    AtomicInteger asked = new AtomicInteger();
    List<Long> seconds = new CopyOnWriteArrayList<>();
    Clock stepping =
        new Clock() {
          @Override
          public Instant instant() {
            // from the sixth question on it is ten seconds earlier
            return real.instant().minusSeconds(asked.incrementAndGet() > 5 ? 10 : 0);
          }

          @Override
          public ZoneId getZone() {
            return real.getZone();
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        };
    try (EverySecond thread = new EverySecond("test", stepping, 0, seconds::add)) {
      Await.until("it was asked often", LIMIT, () -> asked.get() > 11);
      assertThat(thread).isNotNull();
    }
    assertThat(seconds).isNotEmpty().doesNotHaveDuplicates().isSorted();
  }
}
