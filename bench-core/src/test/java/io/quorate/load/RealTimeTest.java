// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the scheduling of threads in a separate process, as it is for all threads of one. */
@EnabledOnOs(OS.LINUX)
class RealTimeTest {
  @Test
  void every_thread_has_it_or_none_and_a_process_that_is_started_does_not() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                RealTimeProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines;
    try (var out = process.inputReader()) {
      lines = out.lines().toList();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lines)
        .isIn(
            List.of("granted: true", "other thread: 2", "started process: 0"),
            List.of("granted: false", "other thread: 0", "started process: 0"));
  }

  /** Asks, and prints policies: field 41 of {@code proc(5)}'s stat. */
  public static final class RealTimeProcess {
    private RealTimeProcess() {}

    public static void main(String[] arguments) throws Exception {
      Object lock = new Object();
      String[] stat = {null};
      Thread other =
          new Thread(
              () -> {
                synchronized (lock) { // entered when this process has asked
                  stat[0] = policy("/proc/thread-self/stat");
                }
              });
      boolean granted;
      synchronized (lock) {
        other.start();
        while (other.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        granted = RealTime.ask();
      }
      other.join();
      System.out.println("granted: " + granted);
      System.out.println("other thread: " + stat[0]);
      Process started = new ProcessBuilder("cat", "/proc/self/stat").start();
      try (var out = started.inputReader()) {
        System.out.println("started process: " + field(out.readLine()));
      }
    }

    private static String policy(String file) {
      try {
        return field(java.nio.file.Files.readString(Path.of(file)));
      } catch (IOException failure) {
        return failure.toString();
      }
    }

    private static String field(String stat) {
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[41 - 3];
    }
  }
}
