// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.Shard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatTest {
  private final Map<Integer, String> signs = new HashMap<>();
  private final Heartbeat.SilentShards silent = new Heartbeat.SilentShards();

  @TempDir private Path directory;

  private List<Integer> look(long second) {
    return silent.look(
        3, number -> Optional.ofNullable(signs.get(number)), TimeUnit.SECONDS.toNanos(second));
  }

  @Test
  void a_shard_whose_sign_does_not_change_for_a_minute_is_silent() {
    signs.put(1, "7");
    signs.put(2, "9");
    assertThat(look(1_000)).isEmpty();
    signs.put(1, "8");
    assertThat(look(1_059)).isEmpty();
    assertThat(look(1_060)).containsExactly(2);
    assertThat(look(1_119)).containsExactly(1, 2);
  }

  @Test
  void a_shard_that_shows_signs_again_or_has_ended_is_not_silent() {
    signs.put(1, "7");
    signs.put(2, "9");
    look(0);
    assertThat(look(60)).containsExactly(1, 2);
    signs.put(1, "8");
    signs.remove(2);
    assertThat(look(61)).isEmpty();
  }

  @Test
  void it_looks_no_more_than_once_a_second() {
    look(1);
    signs.put(1, "7");
    silent.look(
        3,
        number -> {
          throw new AssertionError("looked at shard " + number);
        },
        TimeUnit.MILLISECONDS.toNanos(1_999));
    look(2);
  }

  @Test
  @Timeout(60)
  void a_shard_shows_that_it_runs_in_a_directory_that_it_may_have_to_make() throws Exception {
    Path barrier = directory.resolve("meet");
    Path file = barrier.resolve("alive-2");
    try (Heartbeat sign = new Heartbeat(barrier, new Shard(2, 3))) {
      assertThat(sign).isNotNull();
      while (!Files.exists(file)) {
        Thread.sleep(10);
      }
    }
    assertThat(Files.readString(file)).containsOnlyDigits();
  }
}
