// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.cli.Quorate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time and memory that the report of a large run takes: makes up a run, has {@code
 * quorate report} render it in a separate process with two CPUs and a heap as given, and prints
 * wall clock time, CPU time and the greatest resident memory. Runs that are there are used again. A
 * program and no test: {@code src/site/markdown/reference/files.md} says how to start it.
 */
final class ReportBenchmark {
  private static final List<Integer> STEPS = List.of(1, 10, 50, 100, 300, 500, 700, 1000);

  private static final Map<String, SyntheticRun> RUNS =
      Map.of(
          "10-minutes",
          new SyntheticRun(List.of("etcd", "zookeeper", "consul"), 600, 1667, STEPS, 500),
          "1000-seconds",
          new SyntheticRun(
              List.of("etcd", "zookeeper", "consul", "zetcd", "cetcd"), 1000, 1000, STEPS, 900),
          "3-hours",
          new SyntheticRun(
              List.of("etcd", "zookeeper", "consul", "zetcd", "cetcd"),
              10_800,
              3000,
              STEPS,
              10_000));

  private ReportBenchmark() {}

  /** Arguments: the directory of the runs, one of {@code RUNS}, and the heap, such as 512m. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 3 || !RUNS.containsKey(arguments[1])) {
      System.err.println(
          "usage: ReportBenchmark DIRECTORY " + String.join("|", RUNS.keySet()) + " HEAP");
      System.exit(2);
    }
    Path parent = Path.of(arguments[0]).resolve(arguments[1]);
    Path run = parent.resolve("synthetic").resolve("20261121T075146Z");
    if (!Files.exists(run.resolve("written"))) {
      if (Files.exists(run)) {
        throw new IOException(run + " is not complete: remove it");
      }
      System.out.println("making " + run + " ...");
      RUNS.get(arguments[1]).write(parent);
      Files.createFile(run.resolve("written"));
    }
    render(run, arguments[2]);
  }

  private static void render(Path run, String heap) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:ActiveProcessorCount=2", "-Xmx" + heap));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Quorate.class.getName()));
    command.addAll(List.of("report", run.toString()));
    long start = System.nanoTime();
    Process child =
        new ProcessBuilder(command)
            .redirectOutput(run.resolve("printed.txt").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path status = Path.of("/proc", Long.toString(child.pid()), "status");
    String resident = "VmHWM: not known";
    Duration processor = Duration.ZERO;
    while (!child.waitFor(20, TimeUnit.MILLISECONDS)) {
      resident = greatestResident(status).orElse(resident);
      processor = child.info().totalCpuDuration().orElse(processor);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%s: exit code %d, %.1f s wall, %.1f s of CPU, %s%n",
        run,
        child.exitValue(),
        seconds,
        processor.toMillis() / 1e3,
        resident.replaceAll("\\s+", " "));
    System.exit(child.exitValue());
  }

  private static Optional<String> greatestResident(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmHWM"))
          .findFirst();
    } catch (IOException ended) {
      return Optional.empty();
    }
  }
}
