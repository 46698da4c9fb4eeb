// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.QuorateException;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.store.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures etcd's own load tool, {@code benchmark put}, with as many keys as requests. */
final class EtcdBenchmark implements ComparedTool {
  private static final Pattern THROUGHPUT = Pattern.compile("Requests/sec:\\s+([0-9.e+]+)");
  private static final Pattern MEDIAN = Pattern.compile("50% in ([0-9.e+-]+) secs");
  private static final Pattern ERRORS = Pattern.compile("Error distribution:");

  /** Matches the output of POSIX's {@code times}: of the shell, and of the programs that it ran. */
  private static final Pattern TIMES = Pattern.compile("(\\d+)m([0-9.]+)s (\\d+)m([0-9.]+)s\\s*$");

  private static final double SECONDS_PER_MINUTE = 60;
  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;

  private final Path program;
  private final Scenario scenario;
  private final Step step;

  /**
   * Prepares a measurement.
   *
   * @param program executable
   * @param step the only step of the scenario
   */
  EtcdBenchmark(Path program, Scenario scenario, Step step) {
    this.program = program;
    this.scenario = scenario;
    this.step = step;
  }

  @Override
  public String name() {
    return "etcd-benchmark";
  }

  @Override
  public Figures measure(Endpoint server, Path directory) {
    if (scenario.requests().warmUp() > 0) {
      put(
          server,
          Math.max(scenario.requests().warmUp(), step.clients()),
          directory.resolve("warm-up"));
    }
    String printed = put(server, step.requests(), directory.resolve("measured"));
    if (ERRORS.matcher(printed).find()) {
      throw new QuorateException("etcd-benchmark had errors, see " + directory);
    }
    MatchResult times = found(TIMES, printed, directory);
    double cpuSeconds =
        SECONDS_PER_MINUTE * (number(times, 1) + number(times, 3))
            + number(times, 2)
            + number(times, 4);
    return new Figures(
        number(found(THROUGHPUT, printed, directory), 1),
        cpuSeconds / step.requests() * MICROS,
        number(found(MEDIAN, printed, directory), 1) * MILLIS);
  }

  /** Puts a number of keys and returns the output, followed by the output of {@code times}. */
  private String put(Endpoint server, long requests, Path output) {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "\"$@\"; status=$?; times; exit $status", "sh"));
    command.add(program.toString());
    command.addAll(List.of("--precise", "--endpoints", server.toString()));
    command.addAll(List.of("--conns", "" + step.connections(), "--clients", "" + step.clients()));
    command.addAll(List.of("put", "--sequential-keys", "--total", "" + requests));
    command.addAll(List.of("--key-space-size", "" + requests));
    command.addAll(List.of("--key-size", "" + scenario.requests().keys().sizeBytes()));
    command.addAll(List.of("--val-size", "" + scenario.requests().values().meanBytes()));
    return ToolProcess.run(name(), command, output);
  }

  private static MatchResult found(Pattern pattern, String text, Path directory) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new QuorateException(
          "etcd-benchmark did not print what was expected (%s), see %s"
              .formatted(pattern, directory));
    }
    return matcher.toMatchResult();
  }

  private static double number(MatchResult found, int group) {
    return Double.parseDouble(found.group(group));
  }
}
