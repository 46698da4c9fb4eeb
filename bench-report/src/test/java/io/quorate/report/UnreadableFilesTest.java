// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.RunFigures;
import io.quorate.report.plot.RunPlotFiles;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.capacity.Searches;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.requests.OperationSteps;
import io.quorate.results.requests.StmSteps;
import io.quorate.results.requests.WatchedSteps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that one unreadable line costs a report the values of that file, and is named. */
class UnreadableFilesTest {
  @TempDir Path results;

  @Test
  void a_line_of_any_file_that_cannot_be_read_is_named_and_the_rest_is_shown() throws IOException {
    List<String> tried = new ArrayList<>();
    RunDirectory watched = RunDirectory.create(results, "watched", 1, Manifests.START);
    List<DatabaseDirectory> runs =
        List.of(
            OperationSteps.write(results),
            StmSteps.write(results),
            WatchedSteps.write(watched, "etcd"));
    for (DatabaseDirectory run : runs) {
      for (Path file : measurements(run)) {
        String intact = Files.readString(file);
        assertThat(notes(run)).doesNotContain("etcd/" + file.getFileName() + ":");
        List<String> lines = new ArrayList<>(intact.lines().toList());
        int last = lines.size() - 1;
        lines.set(last, lines.get(last).replaceFirst(",[^,]*$", ",-1"));
        Files.writeString(file, String.join("\n", lines) + "\n");
        assertThat(notes(run))
            .as(file + "\n" + lines.get(last))
            .contains("etcd/" + file.getFileName() + ":" + (last + 1) + ": found ");
        Files.writeString(file, intact);
        tried.add(file.getFileName().toString());
      }
    }
    assertThat(tried)
        .contains(
            "errors.csv", "seconds.csv", "steps.csv", "attempts.csv", "watch.csv", "latency.hlog");
  }

  @Test
  void a_file_about_machines_zones_or_searches_that_cannot_be_read_is_named() throws IOException {
    GoldenRun run = new GoldenRun(results, "etcd");
    DatabaseDirectory etcd = new DatabaseDirectory(run.directory().path().resolve("etcd"));
    Searches.write(etcd, 1000);
    new RunZones("own", List.of("a", "b"), Optional.empty(), List.of()).write(etcd);
    run.write("etcd/relay-system-metrics.csv", "UNIX-NANOSECOND,UNIX-SECOND,CPU-MILLISECONDS\n");
    run.write(
        "etcd/relay-system-metrics-steps.csv",
        """
        STEP,BOUNDARY,UNIX-NANOSECOND,UNIX-SECOND,CPU-MILLISECONDS
        1,begin,1000000000,1,3520
        1,end,2000000000,2,3640
        """);
    assertThat(run.report().unreadable()).isEmpty();
    assertThat(run.report().text())
        .contains("the relay between zones used 0.12 s of CPU in the measured steps");
    for (String name :
        List.of(
            "1-server-system-metrics.csv",
            "client-system-metrics.csv",
            "server-disk-space-usage-summary.csv",
            "relay-system-metrics-steps.csv",
            "trials.jsonl",
            "zones.json")) {
      String intact = run.read("etcd/" + name);
      List<String> lines = new ArrayList<>(intact.lines().toList());
      lines.set(1, lines.get(1).substring(0, lines.get(1).length() / 2));
      run.write("etcd/" + name, String.join("\n", lines) + "\n");
      assertThat(run.report().unreadable())
          .as(name)
          .singleElement()
          .asString()
          .startsWith("etcd/" + name + ":")
          .contains("found ", "; ");
      RunFigures figures = RunFigures.of(ExperimentRun.read(run.directory().path()));
      run.writeValues();
      run.writePage(RunPlotFiles.drawOnly(figures, Map.of()));
      run.write("etcd/" + name, intact);
    }
  }

  @Test
  void a_complete_run_without_readable_requests_says_which_file_and_column() {
    GoldenRun run = new GoldenRun(results, "etcd");
    run.replace("etcd/seconds.csv", ",DROPPED,", ",OTHER,");
    run.report().write();
    String problem =
        "etcd/seconds.csv:1: found a header without DROPPED and the unknown column OTHER, expected";
    assertThat(run.read("index.html"))
        .contains("No verdict: " + problem)
        .doesNotContain("no database completed its run");
    assertThat(run.read("all-aggregated.txt")).contains("etcd: " + problem);

    run.replace("etcd/manifest.json", "\"complete\"", "\"failed\"");
    assertThat(run.report().text())
        .contains("etcd: failed, not in the table")
        .doesNotContain("before the first request");
  }

  @Test
  void results_without_a_later_column_have_the_same_report() {
    GoldenRun run = new GoldenRun(results, "etcd");
    String text = run.report().text();
    run.write(
        "etcd/steps.csv", run.read("etcd/steps.csv").replaceAll("(?m)^([^,]*,[^,]*),.*", "$1"));
    assertThat(run.report().unreadable()).isEmpty();
    assertThat(run.report().text()).isEqualTo(text);
  }

  private static List<Path> measurements(DatabaseDirectory run) throws IOException {
    try (Stream<Path> files = Files.list(run.path())) {
      return files
          .filter(file -> file.toString().matches(".*\\.(csv|hlog)"))
          .filter(UnreadableFilesTest::hasRows)
          .sorted()
          .toList();
    }
  }

  private static boolean hasRows(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count() > 1;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Returns the text of the report. */
  private static String notes(DatabaseDirectory run) {
    ExperimentRun read = ExperimentRun.read(run.path().getParent());
    return new RunReport(read, RowLabels.LATER).text();
  }
}
