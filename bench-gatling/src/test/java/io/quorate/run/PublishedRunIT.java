// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each command gives the same answer for a published run as for the run itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublishedRunIT {
  private static final String SCENARIO =
      """
      title: Puts
      databases: [memory]
      operation: put
      keys: {size: 8}
      values: {size: 64}
      requests: 400
      cold-start: true
      load: {rate: 200/s, connections: 2}
      """;

  private Path directory;
  private Runs own;
  private Runs published;

  /**
   * Two runs in a directory of results.
   *
   * @param ids names of both runs before they were published
   */
  private record Runs(Path results, Path baseline, Path run, List<String> ids) {
    String filled(String text, Path output) {
      return text.replace("OUTPUT", output.toString())
          .replace("RESULTS", results.toString())
          .replace("BASELINE", baseline.toString())
          .replace("RUN", run.toString());
    }

    /** Returns a text without what differs between the directories. */
    String general(String text, Path output) {
      String general = text.replace(output.toString(), "OUTPUT");
      for (int i = 1; i >= 0; i--) {
        Path run = i == 1 ? this.run : baseline;
        String below = results.relativize(run) + "|[\\w-]+/" + ids.get(i);
        general =
            general
                .replace(run.toString(), "RUN " + i)
                .replaceAll("(?<![\\w./-])(?:" + below + ")(?![\\w-])", "RUN " + i);
      }
      return general
          .replace(results.toString(), "RESULTS")
          .replace("/run.tar.xz", "")
          .replaceAll("\"host\":\"[^\"]*\"", "\"host\":\"unknown\"");
    }
  }

  /** The commands that read runs, and what they write. */
  enum Row {
    REPORT("report RUN --table --summary"),
    DOCTOR("doctor RUN --all"),
    COMPARE("compare BASELINE RUN --output OUTPUT", "comparison.json", "comparison.md"),
    COMPARE_ALL("compare RESULTS --output OUTPUT", "comparison.json"),
    HISTORY("history OUTPUT --add BASELINE --add RUN", "history.ndjson"),
    LIST("list --results RESULTS");

    private final String command;
    private final List<String> files;

    Row(String command, String... files) {
      this.command = command;
      this.files = List.of(files);
    }
  }

  @BeforeAll
  void publish(@TempDir(factory = MemoryBackedDirectory.class) Path made) throws IOException {
    directory = made;
    for (int run = 0; run < 2; run++) {
      InProcessRun puts = InProcessRun.ofScenario(directory, "puts", SCENARIO);
      assertThat(puts.exitCode()).as(puts.output()).isZero();
    }
    Path results = directory.resolve("results");
    List<String> ids;
    try (Stream<Path> runs = Files.list(results.resolve("puts"))) {
      List<Path> both = runs.sorted().toList();
      ids = both.stream().map(run -> run.getFileName().toString()).toList();
      own = new Runs(results, both.get(0), both.get(1), ids);
    }
    Path machine = directory.resolve("published/vm");
    Path day = machine.resolve("2026-11-21");
    InProcessRun publish =
        InProcessRun.run(
            directory,
            "publish",
            own.baseline.toString(),
            own.run.toString(),
            "--to",
            day.toString());
    assertThat(publish.exitCode()).as(publish.output()).isZero();
    published = new Runs(machine, day.resolve("puts"), day.resolve("puts-2"), ids);
  }

  @ParameterizedTest
  @EnumSource
  void a_command_reads_a_published_run_like_the_run_itself(Row row) throws IOException {
    assertThat(answer(row, published, "published")).isEqualTo(answer(row, own, "own"));
  }

  private String answer(Row row, Runs runs, String name) throws IOException {
    Path output = directory.resolve(row.name().toLowerCase(Locale.ROOT) + "-" + name);
    String[] arguments =
        Stream.of(row.command.split(" "))
            .map(each -> runs.filled(each, output))
            .toArray(String[]::new);
    InProcessRun run = InProcessRun.run(directory, arguments);
    StringBuilder answer = new StringBuilder("exit code " + run.exitCode() + "\n" + run.output());
    for (String file : row.files) {
      Path written = output.resolve(file); // no history of runs that were disturbed
      answer.append(Files.exists(written) ? Files.readString(written) : "no " + file);
    }
    assertThat(answer.toString()).doesNotContain("quorate-");
    return runs.general(answer.toString(), output);
  }
}
