// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.install.DirectoryTree;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.Side;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A matrix of runs in one directory of published results, of which each test has a copy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublishedMatrixTest {
  private Path made;
  private String printed;
  private Path home;
  private MatrixDirectory matrix;
  private Path target;
  private Path other;
  private Path study;
  private String output;
  private String errors;

  @BeforeAll
  void publishOnce(@TempDir Path results) throws IOException {
    made = results;
    new SyntheticMatrix(2, 1).write(made);
    use(made);
    Files.writeString(
        matrix.attempts(SyntheticMatrix.LOW, 1).get(0).path().resolve("etcd/events.jsonl"),
        """
        {"kind":"server-log","source":"etcd-1","step":1,"startUnixNanos":1,"endUnixNanos":1,"dropped":0,"text":"wrote /home/jane/data/snapshot.1"}
        """);
    publish(matrix.path(), target);
    printed = output;
  }

  @BeforeEach
  void copy(@TempDir Path directory) throws IOException {
    home = directory;
    TestRuns.copy(made, home.resolve("results"));
    use(home.resolve("results"));
  }

  private void use(Path results) {
    matrix = new MatrixDirectory(results.resolve("study/20261122T080000Z"));
    target = results.resolve("lab-vm/2026-11-21");
    other = results.resolve("lab-vm/2026-11-22");
    study = target.resolve("study");
  }

  @Test
  void a_matrix_is_one_directory_with_its_page_and_all_of_its_runs() throws IOException {
    assertThat(contents(study).keySet())
        .containsExactly(
            "card.png",
            "index.html",
            "matrix-result.json",
            "matrix.csv",
            "run.tar.xz",
            "scenario.yaml");
    assertThat(printed)
        .contains("published: " + made.resolve("lab-vm/2026-11-21/study") + "\n", " run.tar.xz ");
    RunArchive archive = RunArchive.read(study.resolve("run.tar.xz"));
    assertThat(archive.directory()).isEqualTo("20261122T080000Z");
    assertThat(archive.files().keySet())
        .contains(
            "cells/001-etcd-low/1/etcd/latency.hlog",
            "cells/001-etcd-low/1/etcd/manifest.json",
            "cells/001-etcd-low/2/etcd/seconds.csv",
            "cells/002-etcd-high/2/etcd/steps.csv",
            "matrix.json")
        .noneMatch(name -> name.endsWith(".log") || name.contains("summary"));
  }

  @Test
  void it_is_rendered_again_from_its_files_alone_byte_for_byte() throws IOException {
    Map<String, String> published = contents(study);
    Path elsewhere = home.resolve("elsewhere");
    Files.createDirectories(elsewhere);
    Files.copy(study.resolve("run.tar.xz"), elsewhere.resolve("run.tar.xz"));
    new DirectoryTree(matrix.path()).remove();

    assertThat(command("report", elsewhere.toString())).isZero();

    Map<String, String> rendered = contents(elsewhere);
    assertThat(rendered.keySet()).isEqualTo(published.keySet());
    rendered.forEach((name, text) -> assertThat(text).as(name).isEqualTo(published.get(name)));
    assertThat(output).contains("2 cells, each run 2 times; 4 of 4 runs are complete.");
  }

  @Test
  void the_report_of_the_directory_of_the_date_renders_it_again_with_the_index()
      throws IOException {
    Map<String, String> published = contents(target);
    Files.delete(target.resolve("index.html"));
    Files.delete(study.resolve("index.html"));
    Files.delete(study.resolve("matrix.csv"));

    assertThat(command("report", target.toString())).isZero();

    assertThat(contents(target)).isEqualTo(published);
  }

  @Test
  void its_page_is_an_example_with_the_values_of_the_matrix_and_the_command_that_repeats_it()
      throws IOException {
    String page = Files.readString(study.resolve("index.html"));
    assertThat(page)
        .contains(
            "<h1>A &lt;study&gt;</h1>",
            "<details class=\"example\">",
            "not a reference",
            "<a href=\"run.tar.xz\">",
            "git checkout f9c4a351\n# scenario.yaml: next to this page\n./quorate run scenario.yaml ",
            "./quorate report")
        .doesNotContain("href=\"cells/\"", "--resume", "cells/001", "jane", made.toString());
    assertThat(command("report", matrix.path().toString())).isZero();
    assertThat(Files.readString(matrix.page()))
        .contains("href=\"cells/\"", "--resume")
        .doesNotContain("not a reference", "git checkout");
    for (String name : new String[] {"matrix.csv", "matrix-result.json"}) {
      assertThat(study.resolve(name)).hasSameTextualContentAs(matrix.path().resolve(name));
    }
  }

  @Test
  void names_and_paths_of_the_machine_are_left_out() throws IOException {
    RunArchive archive = RunArchive.read(study.resolve("run.tar.xz"));
    assertThat(new String(archive.files().get("matrix.json"), StandardCharsets.UTF_8))
        .contains("\"compare-members\" : \"true\"", "\"agent.keys\" : \"***\"")
        .doesNotContain("jane", "quorate.home");
    archive
        .files()
        .forEach(
            (name, content) ->
                assertThat(new String(content, StandardCharsets.UTF_8))
                    .as(name)
                    .doesNotContain("jane", "bench-1"));
  }

  @Test
  void the_last_attempt_of_a_run_counts() throws IOException {
    Path first = matrix.attempts(SyntheticMatrix.LOW, 2).get(0).path();
    Path second = matrix.nextAttempt(SyntheticMatrix.LOW, 2).path();
    new DirectoryTree(second).remove();
    TestRuns.copy(first, second);
    fail(first);

    publish(matrix.path(), other);

    assertThat(RunArchive.read(other.resolve("study/run.tar.xz")).files().keySet())
        .contains("cells/001-etcd-low/2/etcd/manifest.json")
        .noneMatch(name -> name.startsWith("cells/001-etcd-low/2-2"));
  }

  @Test
  void predictions_and_failed_runs_are_published_with_the_complete_ones() throws IOException {
    fail(matrix.attempts(SyntheticMatrix.HIGH, 1).get(0).path());
    String predicted =
        """
        {"at":"2026-11-22T08:00:00Z","cell":"002-etcd-high","series":"etcd","value":"put p50","gigabytes":4.0,"predicted":2.0,"sizes":[1.0,2.0,3.0]}
        """;
    Files.writeString(matrix.path().resolve("predictions.jsonl"), predicted);

    publish(matrix.path(), other);

    RunArchive archive = RunArchive.read(other.resolve("study/run.tar.xz"));
    assertThat(new String(archive.files().get("predictions.jsonl"), StandardCharsets.UTF_8))
        .isEqualTo(predicted);
    assertThat(Files.readString(other.resolve("study/index.html")))
        .contains("3 of 4 runs are complete", "002-etcd-high, repeat 1: failed: in /***/data")
        .doesNotContain("jane");
    assertThat(command("publish", "--check", other.toString())).isZero();
  }

  @Test
  void a_matrix_without_a_complete_run_is_refused() throws IOException {
    for (String cell : List.of(SyntheticMatrix.LOW, SyntheticMatrix.HIGH)) {
      fail(matrix.attempts(cell, 1).get(0).path());
      fail(matrix.attempts(cell, 2).get(0).path());
    }

    assertThat(command("publish", matrix.toString(), "--to", other.toString())).isNotZero();

    assertThat(errors).contains(matrix + ": has no complete run");
  }

  @Test
  void a_matrix_with_interrupted_and_missing_runs_is_refused_with_all_reasons() throws IOException {
    end(matrix.attempts(SyntheticMatrix.LOW, 2).get(0).path(), "interrupted");
    new DirectoryTree(matrix.attempts(SyntheticMatrix.HIGH, 1).get(0).path()).remove();

    assertThat(command("publish", matrix.toString(), "--to", other.toString())).isNotZero();

    assertThat(errors)
        .contains(
            matrix
                + ": cell 001-etcd-low, run 2: etcd: found status interrupted, expected complete or"
                + " failed",
            matrix + ": cell 002-etcd-high, run 1: is missing");
    assertThat(other).doesNotExist();
  }

  @Test
  void a_part_of_the_requests_is_published_only_if_that_is_said() throws IOException {
    MatrixDirectory half = new SyntheticMatrix(1, 0.5).write(home.resolve("half"));

    assertThat(command("publish", half.toString(), "--to", other.toString())).isNotZero();
    assertThat(errors).contains(half + ": sent a part of the requests only (--scale)");
    assertThat(other).doesNotExist();

    assertThat(command("publish", half.toString(), "--scaled", "--to", other.toString())).isZero();
    assertThat(Files.readString(other.resolve("study/index.html")))
        .contains(
            "Only 50% of the scenario&#39;s requests were sent", "each cell was measured once");
  }

  @Test
  void nothing_is_published_twice_or_overwritten() throws IOException {
    assertThat(command("publish", matrix.toString(), "--to", target.toString())).isNotZero();
    assertThat(errors).contains(matrix + ": is published already, in " + study);
    Path again = matrix.path().resolveSibling("20261122T090000Z");
    Files.move(matrix.path(), again);
    assertThat(command("publish", again.toString(), again.toString(), "--to", target.toString()))
        .isNotZero();
    assertThat(errors).contains(again + ": is passed twice");

    assertThat(command("publish", again.toString(), "--to", target.toString())).isZero();

    assertThat(target.resolve("study-2/index.html")).exists();
  }

  @Test
  void the_check_names_files_that_are_missing_changed_or_too_many() throws IOException {
    assertThat(command("publish", "--check", target.toString())).isZero();

    Path result = study.resolve("matrix-result.json");
    Files.writeString(
        result, Files.readString(result).replaceFirst("\"errors\" : 0", "\"errors\" : 7"));
    Files.delete(study.resolve("matrix.csv"));
    Files.writeString(study.resolve("notes.txt"), "x");
    Path page = study.resolve("index.html");
    Files.writeString(page, Files.readString(page).replace("</h1>", " (ours)</h1>"));

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);
    assertThat(errors.lines())
        .anyMatch(line -> line.startsWith(result + ": is not what"))
        .anyMatch(line -> line.startsWith(page + ": is not what"))
        .anyMatch(line -> line.equals(study.resolve("matrix.csv") + ": is missing"))
        .anyMatch(line -> line.startsWith(study.resolve("notes.txt") + ": does not belong"));
  }

  @Test
  void the_check_names_a_missing_archive() throws IOException {
    Files.delete(study.resolve("run.tar.xz"));

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);

    assertThat(errors).contains(study.resolve("run.tar.xz") + ": is missing");
  }

  @Test
  void the_check_reads_the_status_and_the_counts_of_each_run() throws IOException {
    Path file = study.resolve("run.tar.xz");
    RunArchive archive = RunArchive.read(file);
    TreeMap<String, byte[]> files = new TreeMap<>(archive.files());
    files.keySet().removeIf(name -> name.startsWith("cells/002-etcd-high/1/"));
    files.put("cells/002-etcd-high/3/etcd/notes.csv", new byte[] {1});
    String cost =
        "{\"step\" : 1, \"clients\" : 1, \"requests\" : 7, \"elapsedNanos\" : 1, \"requestNanos\" :"
            + " 1, \"cpuNanos\" : 1, \"gcPauseNanos\" : 0, \"longestGcPauseNanos\" : 0}";
    files.computeIfPresent(
        "cells/001-etcd-low/1/etcd/manifest.json",
        (name, content) ->
            new String(content, StandardCharsets.UTF_8)
                .replace("\"loadGeneratorCosts\" : [ ]", "\"loadGeneratorCosts\" : [" + cost + "]")
                .getBytes(StandardCharsets.UTF_8));
    Files.write(file, new RunArchive(archive.directory(), files).bytes());

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);

    assertThat(errors)
        .contains(study + ": cell 001-etcd-low, run 1: etcd/seconds.csv: found ", "expected 7 as")
        .contains(study + ": cell 002-etcd-high, run 1: is missing")
        .contains(study.resolve("run.tar.xz") + ": cells/002-etcd-high/3 does not belong to a run");
  }

  @Test
  void a_matrix_with_an_unreadable_run_is_reported_without_it_as_a_failure() throws IOException {
    Path run = matrix.attempts(SyntheticMatrix.LOW, 1).get(0).path();
    Files.writeString(run.resolve("etcd/seconds.csv"), "X\n");

    assertThat(command("report", matrix.toString())).isEqualTo(1);

    assertThat(errors).contains("unreadable: 001-etcd-low: etcd/seconds.csv:1: found a header");
    assertThat(output).contains("3 of 4 runs are complete");
  }

  @Test
  void an_unreadable_run_does_not_replace_the_page() throws IOException {
    Path file = study.resolve("run.tar.xz");
    RunArchive archive = RunArchive.read(file);
    TreeMap<String, byte[]> files = new TreeMap<>(archive.files());
    files.put("cells/001-etcd-low/1/etcd/manifest.json", new byte[] {'{', '}'});
    Files.write(file, new RunArchive(archive.directory(), files).bytes());
    Map<String, String> published = contents(target);

    for (Path each : List.of(target, study)) {
      assertThat(command("report", each.toString())).isEqualTo(1);
      assertThat(errors).contains("001-etcd-low", "The report stays as it is");
      assertThat(contents(target)).isEqualTo(published);
    }
  }

  @Test
  void its_runs_are_compared_like_those_of_the_matrix() {
    assertThat(values(study)).isEqualTo(values(matrix.path()));
  }

  private static Map<String, List<Map<RunValues.Row, Double>>> values(Path path) {
    Map<String, List<Map<RunValues.Row, Double>>> values = new TreeMap<>();
    Side side = OpenRuns.with(runs -> Side.read(path.toString(), runs));
    side.series()
        .forEach(
            each -> values.put(each.key(), each.runs().stream().map(RunValues::values).toList()));
    assertThat(values).hasSize(2).allSatisfy((cell, runs) -> assertThat(runs).hasSize(2));
    return values;
  }

  @Test
  void it_cannot_be_continued() {
    assertThatThrownBy(() -> MatrixDirectory.open(study))
        .hasMessage(study + ": is published, and nothing can be added to it");
  }

  @Test
  void the_index_has_one_row_with_a_link() throws IOException {
    String index = Files.readString(target.resolve("index.html"));
    assertThat(index.split("<tbody>", -1)).hasSize(1 + 1);
    assertThat(index.split("<tr data-row ", -1)).hasSize(1 + 1);
    assertThat(index)
        .contains(
            "<a href=\"study/index.html\">A &lt;study&gt;</a>",
            "data-scenario=\"study\"><th scope=\"row\" align=\"left\">2 cells</th>",
            ">a matrix, each cell run 2 times</td>")
        .doesNotContain("class=\"ratio\"");
  }

  @Test
  void the_index_has_runs_and_matrices() throws IOException {
    Path run =
        new SyntheticRun(List.of("etcd", "zookeeper"), 4, 200, List.of(1), 4)
            .write(home.resolve("runs"));

    publish(run, target);

    String index = Files.readString(target.resolve("index.html"));
    assertThat(index.split("<tbody>", -1)).hasSize(1 + 2);
    assertThat(index.split("<tr data-row ", -1)).hasSize(1 + 3);
    assertThat(index).contains("data-filter=\"scenario\" data-value=\"study\"");
    assertThat(command("publish", "--check", target.toString())).isZero();
    assertThat(output).contains("2 published results checked: complete");
  }

  private static void fail(Path run) throws IOException {
    end(run, "failed");
  }

  private static void end(Path run, String status) throws IOException {
    Path manifest = run.resolve("etcd/manifest.json");
    Files.writeString(
        manifest,
        Files.readString(manifest)
            .replace(
                "\"status\" : \"complete\"",
                "\"status\" : \"%s\",\n  \"reason\" : \"in /home/jane/data\"".formatted(status)));
  }

  private void publish(Path source, Path to) {
    assertThat(command("publish", source.toString(), "--to", to.toString()))
        .as(() -> errors)
        .isZero();
    assertThat(errors).isEmpty();
  }

  private int command(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(arguments[0].equals("report") ? new ReportCommand() : new PublishCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    output = out.toString();
    errors = err.toString();
    return code;
  }

  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : TestRuns.files(directory)) {
      contents.put(
          directory.relativize(file).toString(),
          Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    return contents;
  }
}
