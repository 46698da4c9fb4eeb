// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseSignalTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void a_process_is_paused_and_resumed() throws IOException {
    assertThat(PauseSignal.obstacle()).isEmpty();
    Process process = new ProcessBuilder("sleep", "300").start();
    try {
      PauseSignal.pause(process.pid());
      Await.until("paused", LIMIT, () -> ProcessHandleInfo.isStopped(process.pid()));
      PauseSignal.resume(process.pid());
      Await.until("resumed", LIMIT, () -> !ProcessHandleInfo.isStopped(process.pid()));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void an_ended_process_is_named() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThatThrownBy(() -> PauseSignal.pause(process.pid()))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "the signal STOP cannot be sent to process %d: error 3 of the system"
                .formatted(process.pid()));
  }

  /** In a JVM where JNA cannot unpack its native code. */
  @Test
  void missing_native_code_is_an_obstacle() throws Exception {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Djna.tmpdir=/dev/null/none",
                "-Djna.nosys=true",
                "-cp",
                System.getProperty("java.class.path"),
                Obstacle.class.getName())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(java.getInputStream().readAllBytes()))
        .contains("signals cannot be sent, as JNA's native code cannot be loaded: name a");
  }

  /** Prints the obstacle. */
  static final class Obstacle {
    public static void main(String[] none) {
      System.out.println(PauseSignal.obstacle());
    }
  }
}
