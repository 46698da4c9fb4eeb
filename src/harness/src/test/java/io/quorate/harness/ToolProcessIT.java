// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ToolProcessIT {
  @TempDir Path directory;

  @Test
  void what_it_printed_is_told() {
    assertThat(run("echo 1 2; echo careful >&2")).isEqualTo("1 2\n");
    assertThat(directory.resolve("out.err")).hasContent("careful");
  }

  @Test
  void a_failure_names_the_file_that_says_why() {
    assertThatThrownBy(() -> run("exit 3"))
        .isInstanceOf(QuorateException.class)
        .hasMessage("contender failed, see " + directory.resolve("out.err"));
  }

  @Test
  void an_interrupt_ends_it_and_what_it_started() throws Exception {
    Path pid = directory.resolve("pid");
    CompletableFuture<String> outcome = new CompletableFuture<>();
    Thread measuring =
        new Thread(
            () -> {
              try {
                outcome.complete(run("sleep 1000 & echo $! >pid.new; mv pid.new pid; wait"));
              } catch (QuorateException ended) {
                outcome.complete(ended.getMessage());
              }
            });
    measuring.start();
    while (!Files.exists(pid)) {
      Thread.sleep(10);
    }
    ProcessHandle sleeping = ProcessHandle.of(pid(pid)).orElseThrow();
    measuring.interrupt();

    assertThat(outcome.get()).isEqualTo("interrupted");
    sleeping.onExit().get(30, TimeUnit.SECONDS);
  }

  private String run(String script) {
    return ToolProcess.run(
        "contender",
        List.of("sh", "-c", "cd '" + directory + "'; " + script),
        directory.resolve("out"));
  }

  private static long pid(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }
}
