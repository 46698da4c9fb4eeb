// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Await;
import io.quorate.cluster.Script;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./quorate} of a checkout, with a Maven and a Java that only say that they were there. */
class LauncherIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Programs that the launcher and these stubs need, for a PATH without flock. */
  private static final List<String> TOOLS =
      List.of("sh", "cat", "rm", "ln", "mv", "mkdir", "find", "sed", "sleep", "ps", "tail");

  @TempDir Path directory;
  private Path checkout;
  private Path target;
  private Path builds;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void aCheckoutThatWasNeverBuilt() throws IOException {
    checkout = Files.createDirectories(directory.resolve("checkout"));
    target = checkout.resolve("bench-gatling/target");
    builds = directory.resolve("builds");
    Path launcher = Path.of(System.getProperty("quorate.home", "..")).resolve("quorate");
    Files.copy(launcher, checkout.resolve("quorate"));
    Files.createFile(checkout.resolve("pom.xml"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(
          Files.createDirectories(directory.resolve("without-flock")).resolve(tool), onPath(tool));
    }
    Script.write(
        directory.resolve("stubs/mvn"),
        """
        echo begin $PPID "$@" >>%1$s
        mkdir -p %2$s/lib
        while [ -e %3$s ]; do sleep 0.05; done
        echo end >>%1$s
        """
            .formatted(builds, target, directory.resolve("hold")));
    Script.write(directory.resolve("stubs/java"), "echo openjdk version '\"17\"'\n");
  }

  @AfterEach
  void stop() {
    started.forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void of_many_at_once_one_builds_and_the_others_wait(boolean flock) throws Exception {
    Path hold = Files.createFile(directory.resolve("hold"));
    for (int i = 0; i < 6; i++) {
      launch(flock, "" + i);
    }
    Await.until("all but one wait", LIMIT, () -> waiting() == 5);
    Files.delete(hold);
    allEndWell();
    assertThat(text(builds).lines()).hasSize(2);
    assertThat(leftBehind()).isEmpty();
  }

  /** Six at once, because two that both find it dead must not remove each other's lock. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_build_that_was_killed_does_not_hold_up_the_next_and_still_one_builds(boolean flock)
      throws Exception {
    Path hold = Files.createFile(directory.resolve("hold"));
    Process killed = launch(flock, "killed");
    Await.until("a build", LIMIT, () -> text(builds).startsWith("begin"));
    List<ProcessHandle> all = killed.descendants().toList();
    killed.destroyForcibly().waitFor();
    all.forEach(ProcessHandle::destroyForcibly);
    started.remove(killed);
    Await.until("nothing of it", LIMIT, () -> all.stream().noneMatch(ProcessHandle::isAlive));
    for (int i = 0; i < 6; i++) {
      launch(flock, "" + i);
    }
    Await.until("all but one wait", LIMIT, () -> waiting() == 5);
    Files.delete(hold);
    allEndWell();
    assertThat(text(builds).lines().filter("end"::equals)).hasSize(1);
  }

  @Test
  void with_flock_what_an_older_launcher_left_does_not_matter() throws Exception {
    Files.createDirectories(target.resolve("quorate-build.lock"));
    launch(true, "x");
    allEndWell();
  }

  @Test
  void the_comparison_is_built_for_its_command_only_and_with_it_the_product() throws Exception {
    for (String command : List.of("run", "harness", "harness", "run")) {
      launch(true, command, command);
      allEndWell();
    }
    assertThat(text(builds)).containsSubsequence("begin", "end", "begin", "-Pharness", "end");
    assertThat(text(builds).lines().filter("end"::equals)).hasSize(2);
  }

  private Process launch(boolean flock, String name, String... arguments) throws IOException {
    String tools = flock ? System.getenv("PATH") : directory.resolve("without-flock").toString();
    List<String> command = new ArrayList<>();
    command.addAll(List.of(onPath("sh").toString(), checkout.resolve("quorate").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("PATH", directory.resolve("stubs") + File.pathSeparator + tools);
    builder.redirectErrorStream(true).redirectOutput(directory.resolve(name + ".out").toFile());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private void allEndWell() throws Exception {
    for (Process each : started) {
      assertThat(each.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(each.exitValue()).isZero();
    }
  }

  private long waiting() {
    try (var files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".out"))
          .filter(file -> text(file).contains("quorate: waiting for another build to end"))
          .count();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private List<Path> leftBehind() throws IOException {
    try (var files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("quorate-build.lock"))
          .filter(file -> !file.toString().endsWith(".flock"))
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Path onPath(String tool) {
    for (String each : System.getenv("PATH").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(each, tool))) {
        return Path.of(each, tool);
      }
    }
    throw new AssertionError("no " + tool + " on PATH");
  }
}
