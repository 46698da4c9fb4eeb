// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.quorate.report.SyntheticRun;
import io.quorate.report.compare.CompareCommand;
import io.quorate.scenario.OperationMix;
import io.quorate.store.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The files for benchstat, which the Go toolchain builds, and its verdicts next to ours. */
class BenchstatIT {
  private static final String BENCHSTAT =
      "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da";

  /** Of all tests, so that benchstat is built once and runs that several tests need once, too. */
  @TempDir private static Path home;

  /** Writes runs that complete about this rate of 1,000/s, and their values for benchstat. */
  private static Path runs(String name, int requestsPerSecond) throws IOException {
    Path text = home.resolve(name + ".txt");
    if (Files.exists(text)) {
      return text;
    }
    for (int run = 0; run < 6; run++) {
      Path written =
          new SyntheticRun(
                  List.of("etcd"),
                  30,
                  requestsPerSecond + 2 * run,
                  List.of(1_000),
                  30,
                  OperationMix.of(Operation.PUT),
                  true,
                  Duration.ofNanos(50_000))
              .write(home.resolve(name));
      MadeUpHistory.change(written.resolve("etcd"), ":51:46Z", ":51:46.%03dZ".formatted(run + 1));
    }
    new MadeUpHistory(home.resolve(name)).history("--format", "go", "--output", text.toString());
    return text;
  }

  private static Map<String, String> verdicts(String baseline, String candidate) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new CompareCommand())
            .setOut(new PrintWriter(out))
            .execute(
                home.resolve(baseline).toString(),
                home.resolve(candidate).toString(),
                "--output",
                home.resolve("comparison-" + candidate).toString());
    assertThat(code).isZero();
    Map<String, String> verdicts = new LinkedHashMap<>();
    for (String metric : List.of("throughput", "p50", "p99")) {
      verdicts.put(
          metric,
          out.toString()
              .lines()
              .filter(line -> line.startsWith(metric + " "))
              .map(line -> line.replaceFirst(".* {2}", ""))
              .findFirst()
              .orElseThrow());
    }
    return verdicts;
  }

  private static String benchstat(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(program().toString()));
    words.addAll(List.of(arguments));
    Path errors = home.resolve("benchstat-errors.txt");
    Process process = new ProcessBuilder(words).redirectError(errors.toFile()).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    return text;
  }

  /** Returns the program, which the Go toolchain builds when it is needed first. */
  private static Path program() throws Exception {
    Path program = home.resolve("benchstat");
    if (!Files.exists(program)) {
      Path errors = home.resolve("go-errors.txt");
      ProcessBuilder builder =
          new ProcessBuilder("go", "install", BENCHSTAT)
              .redirectErrorStream(true)
              .redirectOutput(errors.toFile());
      builder.environment().put("GOBIN", home.toString());
      Process go;
      try {
        go = builder.start();
      } catch (IOException missing) {
        skip("found no go on PATH");
        throw missing;
      }
      assertThat(go.waitFor(5, TimeUnit.MINUTES)).isTrue();
      if (go.exitValue() != 0) {
        skip("cannot build benchstat: " + Files.readString(errors));
      }
    }
    return program;
  }

  private static void skip(String obstacle) {
    assertThat(System.getProperty("require.databases", ""))
        .as(obstacle + "; -Drequire.databases demands it")
        .isEmpty();
    System.out.println("SKIPPED BenchstatIT: " + obstacle);
    abort(obstacle);
  }

  /** Returns the row of the table with this unit. */
  private static String row(String text, String unit) {
    return text.lines()
        .dropWhile(line -> !line.contains(" " + unit + " "))
        .filter(line -> line.startsWith("Put/"))
        .findFirst()
        .orElseThrow(() -> new AssertionError(text));
  }

  @Test
  void benchstat_finds_the_same_change() throws Exception {
    Path before = runs("before", 400);
    Path after = runs("slower", 360);
    String found = benchstat(before.toString(), after.toString());
    assertThat(row(found, "op/s")).startsWith("Put/scenario=synthetic/database=etcd/load=");
    assertThat(row(found, "op/s")).containsPattern("-(8|9|10|11)\\.\\d+% \\(p=0\\.002 n=6\\)");
    assertThat(row(found, "p50-sec")).contains("~ (p=");
    assertThat(row(found, "p99-sec")).contains("~ (p=");
    Map<String, String> verdicts = verdicts("before", "slower");
    assertThat(verdicts.get("throughput")).isEqualTo("slower");
    assertThat(verdicts.get("p50")).doesNotContain("slower", "faster");
    assertThat(verdicts.get("p99")).doesNotContain("slower", "faster");
  }

  @Test
  void benchstat_finds_no_change_either() throws Exception {
    Path before = runs("before", 400);
    Path after = runs("same", 401);
    String found = benchstat(before.toString(), after.toString());
    for (String unit : List.of("op/s", "p50-sec", "p99-sec")) {
      assertThat(row(found, unit)).contains("~ (p=");
    }
    assertThat(verdicts("before", "same").values())
        .noneMatch(verdict -> verdict.matches("slower|faster"));
  }

  @Test
  void benchstat_compares_the_commits_of_one_file() throws Exception {
    List<HistoryEntry> entries = new ArrayList<>();
    double[] values = MadeUpHistory.levels(1, 24, 12, 5, 5.5);
    List<HistoryEntry> runs = MadeUpHistory.runs("etcd", values);
    for (int i = 0; i < 24; i++) {
      HistoryEntry each = runs.get(i);
      entries.add(
          new HistoryEntry(
              each.run(),
              each.runStart(),
              each.start(),
              Optional.of(i < 12 ? "old" : "new"),
              each.build(),
              each.scenario(),
              each.database(),
              each.title(),
              each.conditions(),
              each.values()));
    }
    MadeUpHistory history = new MadeUpHistory(home.resolve("perf")).add(entries);
    Path text = home.resolve("perf.txt");
    history.history("--format", "go", "--output", text.toString());
    String found = benchstat("-col", "/commit", text.toString());
    assertThat(found.lines().findFirst().orElseThrow()).contains(" old ", " new ");
    assertThat(row(found, "p99-sec")).containsPattern("\\+\\d+\\.\\d+% \\(p=0\\.000 n=12\\)");
    assertThat(history.history().out()).startsWith("slower: p99 of etcd");
  }
}
