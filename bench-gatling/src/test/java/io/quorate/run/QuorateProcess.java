// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** {@code ./quorate} as a person runs it: a separate process, whose output is kept. */
final class QuorateProcess implements AutoCloseable {
  /** The property of a test that sets {@code quorate.jvmArgs} itself. */
  private static final String JVM_OPTIONS = "JAVA_TOOL_OPTIONS";

  /** These JVMs end before what the second compiler costs has paid. */
  private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

  private final Process process;
  private final Path directory;
  private final Path output;

  private QuorateProcess(Process process, Path directory, Path output) {
    this.process = process;
    this.directory = directory;
    this.output = output;
  }

  static QuorateProcess start(Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    return startBehind(List.of(), directory, environment, arguments);
  }

  /** Behind other words on the command line, such as those of a program that starts it. */
  static QuorateProcess startBehind(
      List<String> before, Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dquorate.home=" + System.getProperty("quorate.home"));
    command.add("-Dquorate.progress.seconds=1");
    command.add(FIRST_COMPILER);
    if (!environment.containsKey(JVM_OPTIONS)) {
      // and send too little to touch the whole heap before
      command.add("-Dquorate.jvmArgs=" + FIRST_COMPILER + " -XX:-AlwaysPreTouch");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.quorate.cli.Quorate");
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(directory, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // of this JVM, which Java would tell in the first line of the output
    builder.environment().remove(JVM_OPTIONS);
    builder.environment().putAll(environment);
    return new QuorateProcess(builder.start(), directory, output);
  }

  /** Runs to the end. */
  static QuorateProcess run(Path directory, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    QuorateProcess process = start(directory, environment, arguments);
    process.waitFor(Duration.ofMinutes(10));
    return process;
  }

  int waitFor(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
      close();
      throw new AssertionError("still running after " + limit + ":\n" + output());
    }
    return process.exitValue();
  }

  int exitCode() {
    return process.exitValue();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  ProcessHandle loadGenerator() {
    return handle().children().findFirst().orElseThrow();
  }

  /** The servers of its load generator that are JVMs, in the order in which they were started. */
  List<ProcessHandle> servers() {
    return loadGenerator()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("/java"))
        .sorted(Comparator.comparingLong(ProcessHandle::pid))
        .toList();
  }

  /** The directory of the only run of a scenario in {@code results}. */
  Path onlyRun(String scenario) {
    try (Stream<Path> runs = Files.list(directory.resolve("results").resolve(scenario))) {
      List<Path> all = runs.toList();
      if (all.size() != 1) {
        throw new AssertionError("not one run: " + all + "\n" + output());
      }
      return all.get(0);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** All processes that work below a directory, as all of a run do. */
  static List<ProcessHandle> workingBelow(Path directory) {
    return ProcessHandle.allProcesses().filter(each -> worksBelow(each, directory)).toList();
  }

  static boolean worksBelow(ProcessHandle process, Path directory) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .startsWith(directory.toRealPath());
    } catch (IOException endedOrAnotherUsers) {
      return false;
    }
  }

  /** Sends a signal, to a process group if a number begins with a minus. */
  static void signal(String name, String... targets) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-s", name, "--"));
    command.addAll(List.of(targets));
    int exitCode = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exitCode != 0) {
      throw new AssertionError(command + " ended with " + exitCode);
    }
  }

  String output() {
    try {
      return Files.readString(output, UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Waits until the output holds a text; fails when the process ends or the limit is over. */
  void awaitOutput(String text, Duration limit) throws InterruptedException {
    await(
        () -> output().contains(text) || !process.isAlive(),
        limit,
        () -> "no '" + text + "' in:\n" + output());
    if (!output().contains(text)) {
      throw new AssertionError("ended without '" + text + "':\n" + output());
    }
  }

  /** Waits for a condition. */
  static void await(Supplier<Boolean> condition, Duration limit, Supplier<String> otherwise)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.get()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(otherwise.get());
      }
      Thread.sleep(50);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> family = process.descendants().toList();
    process.destroy();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
  }
}
