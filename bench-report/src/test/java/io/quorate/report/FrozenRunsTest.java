// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.quorate.format.ConsoleText;
import io.quorate.report.compare.RunValues;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.results.ExperimentRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Real runs, frozen, and all that the report makes of them: tables, the text of the page,
 * result.json, dbtester's files, and the names of the pictures. A change of the report changes them
 * only on purpose. With {@code -Dfrozen.update} the test writes the expected files instead of
 * comparing them, so that {@code git diff} shows what a change does; then it is skipped, not
 * passed.
 */
class FrozenRunsTest {
  private static final Path RESOURCES = Path.of("src/test/resources/io/quorate/report");
  private static final Path RUNS = RESOURCES.resolve("frozen");
  private static final Path EXPECTED = RESOURCES.resolve("frozen-reports");

  @TempDir Path results;

  /** Closed loops compare two databases, of the open loop one database failed. */
  @ParameterizedTest
  @ValueSource(strings = {"closed", "open", "watch", "capacity"})
  void theReportOfARealRunStaysAsItIs(String name) throws IOException {
    Path run = results.resolve("frozen-" + name).resolve("20261125T110000Z");
    TestRuns.copy(RUNS.resolve(name), run);
    write(run.resolve("etcd/gatling/simulation-1/index.html"), "");

    StringWriter console = new StringWriter();
    new CommandLine(new ReportCommand()).setOut(new PrintWriter(console)).execute(run.toString());

    Map<String, String> made = made(run, RUNS.resolve(name));
    made.put("compared.txt", compared(run));
    made.put("console.txt", console.toString().replace(results.toString(), "RESULTS"));
    assertThat(made.get("console.txt").lines())
        .filteredOn(line -> !line.contains("RESULTS") && !line.startsWith("repeat "))
        .allMatch(line -> line.length() <= ConsoleText.WIDTH);
    made.replaceAll((file, text) -> text.replace(results.getFileName().toString(), "RESULTS"));
    Path directory = EXPECTED.resolve(name);
    if (System.getProperty("frozen.update") != null) {
      replace(directory, made);
      abort("wrote %d files to %s: read git diff".formatted(made.size(), directory));
    }
    Map<String, String> expected = texts(directory);
    assertThat(made.keySet()).isEqualTo(expected.keySet());
    SoftAssertions files = new SoftAssertions();
    expected.forEach((file, text) -> files.assertThat(made.get(file)).as(file).isEqualTo(text));
    files.assertAll();
  }

  /** The values of a run that are compared with those of others, one in each line. */
  private static String compared(Path run) {
    StringBuilder lines = new StringBuilder();
    for (DatabaseFigures database : RunFigures.of(ExperimentRun.read(run)).databases()) {
      RunValues.of(database)
          .values()
          .forEach(
              (row, value) ->
                  lines
                      .append(database.run().directory().id() + ", " + row.group() + ": ")
                      .append(row.metric() + " " + value + "\n"));
    }
    return lines.toString();
  }

  @Test
  void everyFileThatAReportAddsRemovesOrChangesShowsInTheTexts() throws IOException {
    Path before = results.resolve("before");
    Path run = results.resolve("run");
    for (Path directory : List.of(before, run)) {
      write(directory.resolve("plan.json"), "{}");
      write(directory.resolve("etcd/steps.csv"), "STEP\n1\n");
    }
    write(run.resolve("index.html"), "<h1>Run</h1><svg>picture</svg><p>fast</p>");
    write(run.resolve("result.json"), "{}");
    write(run.resolve("etcd/summary.txt"), "fast\n");
    write(run.resolve("etcd/more/rows.csv"), "1\n");
    write(run.resolve("plots/A.csv"), "1,2");
    write(run.resolve("plots/A.svg"), "<svg/>");
    Map<String, String> texts = made(run, before);
    assertThat(texts)
        .isEqualTo(
            Map.of(
                "page.txt", "Run\nfast",
                "result.json", "{}",
                "etcd.txt", "== etcd/more/rows.csv\n1\n== etcd/summary.txt\nfast\n",
                "plots.txt", "== plots/A.csv\n1,2\n(no end of line)\n== plots/A.svg\n"));

    for (String added : List.of("B.svg", "summary.txt", "plots/B.svg", "plots/B.csv", "zk/a.csv")) {
      write(run.resolve(added), "");
      assertThat(made(run, before)).as(added).isNotEqualTo(texts);
      Files.delete(run.resolve(added));
    }
    assertThat(made(run, before)).isEqualTo(texts);
    write(run.resolve("etcd/steps.csv"), "STEP\n2\n");
    assertThat(made(run, before).get("etcd.txt")).contains("== etcd/steps.csv\nSTEP\n2\n");
    Files.delete(run.resolve("etcd/steps.csv"));
    assertThat(made(run, before).get("etcd.txt")).contains("== etcd/steps.csv\n(deleted)\n");
  }

  /**
   * All files that the report has added, changed or deleted, by the name of the expected file:
   * those of a directory are joined in one. Of the page there is the text, of pictures the name.
   */
  private static Map<String, String> made(Path run, Path before) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    Set<Path> names = new HashSet<>();
    for (Path directory : List.of(run, before)) {
      TestRuns.files(directory).forEach(file -> names.add(directory.relativize(file)));
    }
    for (Path name : names.stream().sorted().toList()) {
      Path file = run.resolve(name);
      Path old = before.resolve(name);
      if (Files.exists(file) && Files.exists(old) && Files.mismatch(file, old) < 0) {
        continue;
      }
      if (name.toString().equals("index.html")) {
        texts.put("page.txt", text(Files.readString(file)));
      } else if (name.getNameCount() == 1) {
        texts.put(name.toString(), content(file));
      } else {
        texts.merge(
            name.getName(0) + ".txt", "== " + name + "\n" + lines(content(file)), String::concat);
      }
    }
    return texts;
  }

  private static String content(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "(deleted)\n";
    }
    return file.toString().matches(".*\\.(csv|txt|json|xml)") ? Files.readString(file) : "";
  }

  private static String lines(String text) {
    return text.isEmpty() || text.endsWith("\n") ? text : text + "\n(no end of line)\n";
  }

  /** The text of a page, one line for each piece of text. */
  private static String text(String html) {
    return html.replaceAll("(?s)<(script|style|svg)\\b.*?</\\1>", "\n")
        .replaceAll("<[^>]*>", "\n")
        .replace("&nbsp;", " ")
        .replaceAll("[ \t]+", " ")
        .replaceAll(" ?\n ?", "\n")
        .replaceAll("\n{2,}", "\n")
        .strip();
  }

  private static void replace(Path directory, Map<String, String> texts) throws IOException {
    if (Files.exists(directory)) {
      for (Path old : TestRuns.files(directory)) {
        Files.delete(old);
      }
    }
    for (Map.Entry<String, String> each : texts.entrySet()) {
      write(directory.resolve(each.getKey()), each.getValue());
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Map<String, String> texts(Path directory) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path file : TestRuns.files(directory)) {
      texts.put(directory.relativize(file).toString(), Files.readString(file));
    }
    return texts;
  }
}
