// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.format.CsvTable;
import io.quorate.format.NumberFormats;
import io.quorate.report.table.RowLabels;
import io.quorate.results.ExperimentRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value that several files of a report have is the same in all of them. */
class SharedFiguresTest {
  @TempDir Path results;

  @Test
  void aRunOfSeveralSteps() throws IOException {
    Path run =
        new SyntheticRun(List.of("etcd", "zookeeper"), 12, 300, List.of(1, 10, 100), 99)
            .write(results);
    new RunReport(ExperimentRun.read(run), RowLabels.LATER).write();
    check(run, List.of("etcd", "zookeeper"), 3);
  }

  @Test
  void aRunOfOneStep() throws IOException {
    Path run = new SyntheticRun(List.of("consul"), 5, 300, List.of(7), 99).write(results);
    new RunReport(ExperimentRun.read(run), RowLabels.LATER).write();
    check(run, List.of("consul"), 1);
    JsonNode consul = result(run).at("/databases/0");
    assertThat(consul.at("/steps/0/requestsPerSecondAverage"))
        .isEqualTo(consul.at("/figures/requestsPerSecondAverage"));
    assertThat(consul.at("/steps/0/requestsPerSecondMax"))
        .isEqualTo(consul.at("/figures/requestsPerSecondMax"));
    assertThat(consul.at("/steps/0/latencyMs/slowest"))
        .isEqualTo(consul.at("/figures/latencyMs/slowest"));
  }

  private static void check(Path run, List<String> databases, int steps) throws IOException {
    List<String> table = Files.readAllLines(run.resolve("all-aggregated.txt"));
    String page = Files.readString(run.resolve("index.html"));
    for (int i = 0; i < databases.size(); i++) {
      JsonNode database = result(run).at("/databases/" + i);
      JsonNode figures = database.path("figures");
      String summary = Files.readString(run.resolve(databases.get(i) + "/summary.txt"));
      assertThat(summary).contains("Requests/sec:\t" + fixed(figures, "requestsPerSecondAverage"));
      assertThat(summary).contains("Total:\t" + fixed(figures, "totalSeconds") + " secs.");
      for (String row : List.of("Max", "Average", "Min")) {
        String label = row.equals("Average") ? "AVG" : row.toUpperCase(Locale.ROOT);
        long value = (long) figures.path("requestsPerSecond" + row).asDouble();
        String shown = NumberFormats.commas(value) + " req/sec";
        assertThat(cell(table, label + "-THROUGHPUT", i)).isEqualTo(shown);
        assertThat(page).contains(shown);
      }
      assertThat(figures.path("requestsPerSecondMin").asDouble())
          .isLessThanOrEqualTo(figures.path("requestsPerSecondMax").asDouble());
      List<JsonNode> all =
          StreamSupport.stream(database.path("steps").spliterator(), false).toList();
      assertThat(all).hasSize(steps);
      assertThat(all.stream().mapToLong(step -> step.path("requestsSucceeded").asLong()).sum())
          .isEqualTo(figures.path("requestsSucceeded").asLong());
      double total =
          all.stream().mapToDouble(step -> step.path("durationSeconds").asDouble()).sum();
      assertThat(NumberFormats.fixed(total, 4)).isEqualTo(fixed(figures, "totalSeconds"));
      if (steps > 1) {
        checkPlots(run, i, all);
      }
    }
  }

  private static void checkPlots(Path run, int database, List<JsonNode> steps) {
    Path csv = run.resolve("plots/AVG-THROUGHPUT-BY-CLIENT-NUM-aggregated.csv");
    List<CsvTable.Row> rows =
        CsvTable.read(
            csv,
            "CONTROL-CLIENT-NUM",
            "AVG-THROUGHPUT-etcd-v1.2.3",
            "AVG-THROUGHPUT-zookeeper-v1.2.3");
    assertThat(rows).hasSameSizeAs(steps);
    for (int i = 0; i < steps.size(); i++) {
      JsonNode step = steps.get(i);
      assertThat(rows.get(i).integer(0)).isEqualTo(step.path("clients").asLong());
      assertThat(rows.get(i).text(database + 1)).isEqualTo(fixed(step, "requestsPerSecondAverage"));
      assertThat(
              NumberFormats.fixed(
                  step.path("requestsSucceeded").asLong() / step.path("durationSeconds").asDouble(),
                  4))
          .isEqualTo(fixed(step, "requestsPerSecondAverage"));
    }
  }

  private static String cell(List<String> table, String label, int database) {
    String row =
        table.stream().filter(line -> line.contains(" " + label + " ")).findFirst().orElseThrow();
    return row.split("\\|")[database + 2].strip();
  }

  private static String fixed(JsonNode node, String name) {
    assertThat(node.has(name)).as(name).isTrue();
    return NumberFormats.fixed(node.path(name).asDouble(), 4);
  }

  private static JsonNode result(Path run) throws IOException {
    return new ObjectMapper().readTree(Files.readString(run.resolve("result.json")));
  }
}
