// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedCommandTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private final List<String> log = new ArrayList<>();

  private Path out() {
    return directory.resolve("out");
  }

  private GuardedCommand command(String end, Duration limit) {
    return new GuardedCommand(
        "pause-leader", Optional.of(end), Map.of("QUORATE_OUT", out().toString()), limit, log::add);
  }

  private GuardedCommand command(String end) {
    return command(end, LIMIT);
  }

  private String written() throws IOException {
    return Files.exists(out()) ? Files.readString(out()) : "";
  }

  @Test
  void the_end_runs_once_after_the_beginning() throws IOException {
    GuardedCommand command = command("echo end $QUORATE_END >> $QUORATE_OUT");
    command.end();
    assertThat(written()).isEmpty();
    command.begin("echo begin >> $QUORATE_OUT", () -> {}, () -> false);
    assertThat(written()).isEqualTo("begin\n");
    command.end();
    command.end();
    assertThat(written()).isEqualTo("begin\nend\n");
    assertThat(log).isEmpty();
  }

  @Test
  void the_end_runs_after_a_beginning_that_fails_whose_text_is_only_logged() throws IOException {
    GuardedCommand command = command("echo end >> $QUORATE_OUT");
    assertThatThrownBy(
            () ->
                command.begin(
                    "printf 'no\\033pod s3cret'; : s3cret; exit 7", () -> {}, () -> false))
        .isInstanceOf(QuorateException.class)
        .hasMessage("the command 'pause-leader' ended with exit code 7");
    command.end();
    assertThat(written()).isEqualTo("end\n");
    assertThat(log).containsExactly("the command 'pause-leader' wrote: no\\x1bpod s3cret");
  }

  @Test
  void the_end_runs_after_a_beginning_that_hangs_which_is_killed() throws IOException {
    GuardedCommand command =
        command(
            "kill -0 $(cat $QUORATE_OUT) 2>/dev/null || echo end >> $QUORATE_OUT",
            Duration.ofSeconds(1));
    assertThatThrownBy(
            () ->
                command.begin(
                    "echo $$ > $QUORATE_OUT; (trap '' TERM; sleep 300)", () -> {}, () -> false))
        .hasMessage("the command 'pause-leader' did not end within 1 s");
    command.end();
    assertThat(written()).endsWith("\nend\n");
  }

  @Test
  void a_beginning_is_not_waited_for_when_the_run_ends() throws IOException {
    GuardedCommand command = command("echo end >> $QUORATE_OUT");
    assertThatThrownBy(() -> command.begin("sleep 300", () -> {}, () -> true))
        .hasMessage("the run ended before the command 'pause-leader' did");
    command.end();
    assertThat(written()).isEqualTo("end\n");
  }

  @Test
  void a_failed_end_is_reported_without_its_text() {
    GuardedCommand command = command("echo s3cret; exit 4");
    command.begin("true", () -> {}, () -> false);
    assertThatThrownBy(command::end)
        .hasMessage("the command 'pause-leader end' ended with exit code 4");
    assertThat(log).containsExactly("the command 'pause-leader end' wrote: s3cret");
  }

  @Test
  void the_end_runs_even_if_its_guard_was_killed() throws Exception {
    GuardedCommand command = command("echo end >> $QUORATE_OUT");
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    command.begin("true", () -> {}, () -> false);
    List<ProcessHandle> guards =
        ProcessHandle.current().children().filter(each -> !before.contains(each)).toList();
    assertThat(guards).hasSize(1);
    guards.get(0).destroyForcibly();
    guards.get(0).onExit().join();
    command.end();
    assertThat(written()).isEqualTo("end\n");
  }

  /** Kills a JVM while the command runs, and while its effect lasts. */
  @ParameterizedTest
  @ValueSource(
      strings = {"echo $$ > $QUORATE_OUT; sleep 300", "sh -c 'echo $PPID > $QUORATE_OUT; exit 3'"})
  void the_end_runs_after_this_jvm_was_killed(String begin) throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                begin,
                "kill -0 $(cat $QUORATE_OUT); echo $? > $QUORATE_OUT.end",
                out().toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    try {
      Await.until("it begins", LIMIT, () -> Files.exists(out()));
      if (begin.contains("exit")) {
        Await.until(
            "the command ends",
            LIMIT,
            () -> log("log").contains("the command 'pause-leader' ended with exit code 3"));
      }
    } finally {
      owner.destroyForcibly();
    }
    Path end = directory.resolve("out.end");
    Await.until("the end runs", LIMIT, () -> log("out.end").endsWith("\n"));
    assertThat(end).as("the first command runs no longer").hasContent("1");
    assertThat(log("log"))
        .contains(
            "the load generator has ended during a fault: now the command 'pause-leader end'");
  }

  private String log(String name) {
    try {
      return Files.readString(directory.resolve(name));
    } catch (IOException notYet) {
      return "";
    }
  }

  /** A JVM that begins, and does not end. */
  static final class Owner {
    public static void main(String[] arguments) throws InterruptedException {
      try {
        new GuardedCommand(
                "pause-leader",
                Optional.of(arguments[1]),
                Map.of("QUORATE_OUT", arguments[2]),
                System.out::println)
            .begin(arguments[0], () -> {}, () -> false);
      } catch (QuorateException failure) {
        System.out.println(failure.getMessage());
      }
      Thread.sleep(Duration.ofMinutes(5).toMillis());
    }
  }
}
