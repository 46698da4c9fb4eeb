// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.javaapi.core.Simulation;
import io.quorate.cluster.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Gatling in a separate process with its report, as its Maven plugin starts it. */
final class ForkedGatling implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path directory;
  private final Path output;
  private final Process process;

  ForkedGatling(
      Class<? extends Simulation> simulation, Path directory, Map<String, String> properties)
      throws IOException {
    this.directory = directory;
    output = directory.resolve("output.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "io.gatling.app.Gatling",
            "-s",
            simulation.getName(),
            "-rf",
            directory.toString()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
  }

  /** Waits until its users run. */
  void awaitStart() {
    Await.until("the start", LIMIT, () -> output().contains(" started..."));
  }

  /** Asks it to end, as an interruption on a terminal does. */
  void interrupt() {
    process.destroy();
  }

  /** Waits until it ends, and returns its exit code. */
  int exitCode() {
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("it does not end: " + output());
      }
      return process.exitValue();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  /** Returns the first page of the report. */
  String report() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return Files.readString(
          files.filter(each -> each.endsWith("index.html")).findFirst().orElseThrow());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
