// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.report.history.MadeUpHistory.Printed;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryFormatTest {
  @TempDir Path home;
  private MadeUpHistory history;

  @BeforeEach
  void writeHistory() {
    history = new MadeUpHistory(home.resolve("perf"));
    List<HistoryEntry> entries = new ArrayList<>();
    for (int day = 0; day < 2; day++) {
      for (String database : List.of("etcd", "zookeeper")) {
        HistoryEntry run = MadeUpHistory.run(day, database, Map.of());
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("throughput", 30_211.5 + day);
        metrics.put("p99", 0.812 + day);
        metrics.put("errors", (double) day);
        entries.add(
            new HistoryEntry(
                run.run(),
                run.runStart(),
                run.start(),
                run.commit(),
                run.build(),
                run.scenario(),
                database,
                run.title(),
                run.conditions(),
                List.of(
                    MadeUpHistory.group("step 2: 100 clients, put", OptionalInt.of(2), metrics),
                    MadeUpHistory.group(
                        "machines", OptionalInt.empty(), Map.of("server-cpu", 12.5 + day)))));
      }
    }
    history.add(entries);
  }

  private String written(String name) {
    return MadeUpHistory.read(home.resolve("out").resolve(name));
  }

  private Printed write(String format) {
    return history.history("--format", format, "--output", home.resolve("out").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "de", "ru"})
  void go_has_a_line_for_each_step_of_each_run(String language) {
    String[] text = new String[1];
    Golden.inLocale(language, () -> text[0] = history.history("--format", "go").out());
    assertThat(text[0])
        .isEqualTo(
            """
            Unit op/s better=higher assume=nothing
            Unit p99-ns better=lower assume=nothing
            Unit errors better=lower assume=nothing
            Unit server-cpu-ns/op better=lower assume=nothing
            BenchmarkPut/scenario=quick/database=etcd/step=2/clients=100/commit=abcdef00 1 30211.5 op/s 812000 p99-ns 0 errors
            BenchmarkPut/scenario=quick/database=etcd/step=2/clients=100/commit=abcdef01 1 30212.5 op/s 1812000 p99-ns 1 errors
            BenchmarkMachines/scenario=quick/database=etcd/commit=abcdef00 1 12500 server-cpu-ns/op
            BenchmarkMachines/scenario=quick/database=etcd/commit=abcdef01 1 13500 server-cpu-ns/op
            BenchmarkPut/scenario=quick/database=zookeeper/step=2/clients=100/commit=abcdef00 1 30211.5 op/s 812000 p99-ns 0 errors
            BenchmarkPut/scenario=quick/database=zookeeper/step=2/clients=100/commit=abcdef01 1 30212.5 op/s 1812000 p99-ns 1 errors
            BenchmarkMachines/scenario=quick/database=zookeeper/commit=abcdef00 1 12500 server-cpu-ns/op
            BenchmarkMachines/scenario=quick/database=zookeeper/commit=abcdef01 1 13500 server-cpu-ns/op
            """);
  }

  @Test
  void go_has_no_commits_if_there_is_one_so_that_two_files_compare() {
    MadeUpHistory single =
        new MadeUpHistory(home.resolve("single")).add(MadeUpHistory.runs("etcd-2", 5));
    assertThat(single.history("--format", "go").out())
        .endsWith("\nBenchmarkPut/scenario=quick/database=etcd-2/clients=10 1 5000000 p99-ns\n");
  }

  @Test
  void a_name_for_go_never_ends_like_a_number_of_cpus() {
    HistoryEntry run = MadeUpHistory.run(0, "etcd-2", Map.of());
    Map<String, Double> cpu = Map.of("server-cpu", 3.0);
    MadeUpHistory single =
        new MadeUpHistory(home.resolve("single"))
            .add(
                List.of(
                    new HistoryEntry(
                        run.run(),
                        run.runStart(),
                        run.start(),
                        Optional.empty(),
                        Optional.empty(),
                        "my scenario/x",
                        run.database(),
                        run.title(),
                        run.conditions(),
                        List.of(MadeUpHistory.group("machines", OptionalInt.empty(), cpu)))));
    assertThat(single.history("--format", "go").out())
        .endsWith(
            "\nBenchmarkMachines/scenario=my_scenario_x/database=etcd_2 1 3000 server-cpu-ns/op\n");
  }

  @Test
  void otava_gets_a_test_for_each_database_with_its_configuration() throws IOException {
    assertThat(write("otava")).isEqualTo(new Printed(0, "", ""));
    assertThat(written("otava.yaml"))
        .startsWith(
            """
            tests:
              quick-etcd:
                type: csv
                file: quick-etcd.csv
                time_column: time
                attributes: [git_commit, build, run, version]
                metrics:
                  step-2-100-clients-put.throughput: {direction: 1, scale: 1}
                  step-2-100-clients-put.p99: {direction: -1, scale: 1}
                  step-2-100-clients-put.errors: {direction: -1, scale: 1}
                  machines.server-cpu: {direction: -1, scale: 1}
              quick-zookeeper:
            """);
    assertThat(written("quick-etcd.csv"))
        .isEqualTo(
            """
            time,git_commit,build,run,version,step-2-100-clients-put.throughput,step-2-100-clients-put.p99,step-2-100-clients-put.errors,machines.server-cpu
            2026-11-01T02:00:00Z,abcdef0000000000000000000000000000000000,1,quick/day-0,etcd 3.6.16,30211.5,0.812,0,12.5
            2026-11-02T02:00:00Z,abcdef0100000000000000000000000000000000,2,quick/day-1,etcd 3.6.16,30212.5,1.812,1,13.5
            """);
    assertThat(new ObjectMapper().readTree(written("quick-etcd.json")).get(0))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"timestamp": 1793498400,
                     "metrics": [
                       {"name": "step-2-100-clients-put.throughput", "unit": "/s", "value": 30211.5},
                       {"name": "step-2-100-clients-put.p99", "unit": "ms", "value": 0.812},
                       {"name": "step-2-100-clients-put.errors", "unit": "requests", "value": 0},
                       {"name": "machines.server-cpu", "unit": "us per request", "value": 12.5}],
                     "attributes": {
                       "git_commit": "abcdef0000000000000000000000000000000000", "build": "1",
                       "run": "quick/day-0", "version": "etcd 3.6.16"}}
                    """));
  }

  @Test
  void otava_gets_whole_seconds() {
    HistoryEntry run = MadeUpHistory.runs("etcd", 5).get(0);
    HistoryEntry exact =
        new HistoryEntry(
            run.run(),
            run.runStart(),
            run.start().plusNanos(123_456_789),
            run.commit(),
            run.build(),
            run.scenario(),
            run.database(),
            run.title(),
            run.conditions(),
            run.values());
    MadeUpHistory other = new MadeUpHistory(home.resolve("other")).add(List.of(exact));
    other.history("--format", "otava", "--output", home.resolve("out").toString());
    assertThat(written("quick-etcd.csv")).contains("\n2026-11-01T02:00:00Z,abcdef00");
  }

  @Test
  void otava_gets_no_metric_that_some_runs_lack() {
    MadeUpHistory other =
        new MadeUpHistory(home.resolve("other"))
            .add(MadeUpHistory.runs("etcd", 1, 2))
            .add(List.of(MadeUpHistory.run(2, "etcd", Map.of("p99", 3.0, "p50", 1.0))));
    assertThat(other.history("--format", "otava").out()).contains(".p99").doesNotContain(".p50");
  }

  @Test
  void github_action_benchmark_gets_a_file_for_each_direction() {
    assertThat(write("github-action")).isEqualTo(new Printed(0, "", ""));
    assertThat(written("bigger-is-better.json"))
        .isEqualTo(
            """
            [
              {
                "name" : "quick/etcd/step 2: 100 clients, put: throughput",
                "unit" : "requests/s",
                "value" : 30212.5,
                "extra" : "etcd 3.6.16\\nquick/day-1"
              },
              {
                "name" : "quick/zookeeper/step 2: 100 clients, put: throughput",
                "unit" : "requests/s",
                "value" : 30212.5,
                "extra" : "etcd 3.6.16\\nquick/day-1"
              }
            ]
            """);
    assertThat(written("smaller-is-better.json"))
        .contains("etcd/step 2: 100 clients, put: p99\"", "\"unit\" : \"ms\"", "\"value\" : 1.812");
  }

  @Test
  void bencher_gets_the_newest_run() {
    assertThat(history.history("--format", "bmf", "--metric", "p99").out())
        .isEqualTo(
            """
            {
              "quick/etcd/step 2: 100 clients, put" : {
                "p99" : {
                  "value" : 1.812
                }
              },
              "quick/zookeeper/step 2: 100 clients, put" : {
                "p99" : {
                  "value" : 1.812
                }
              }
            }
            """);
  }

  /** Adds a matrix that began on this day, with a repeat of a cell for each value of p99. */
  private static List<HistoryEntry> matrix(int day, String cell, int firstMinute, double... p99) {
    List<HistoryEntry> repeats = new ArrayList<>();
    for (double value : p99) {
      HistoryEntry run =
          MadeUpHistory.run(day, cell, Map.of("p99", value, "throughput", 1000 * value));
      int number = repeats.size() + 1;
      repeats.add(
          new HistoryEntry(
              "quick/matrix/%s/%d".formatted(cell, number),
              run.runStart(),
              run.start().plusSeconds(60L * (firstMinute + 10 * number)),
              run.commit(),
              run.build(),
              run.scenario(),
              run.database(),
              run.title(),
              run.conditions(),
              run.values()));
    }
    return repeats;
  }

  @Test
  void bencher_gets_the_median_and_the_range_of_all_cells_and_repeats_of_a_matrix() {
    MadeUpHistory repeated =
        new MadeUpHistory(home.resolve("repeated"))
            .add(matrix(0, "etcd", 0, 9, 9, 9))
            .add(matrix(1, "etcd", 0, 1.4, 1, 1.1))
            .add(matrix(1, "zookeeper", 5, 2.0, 3.0))
            .add(matrix(1, "consul", 7, 5));
    assertThat(repeated.history("--format", "bmf", "--metric", "p99").out())
        .isEqualTo(
            """
            {
              "quick/etcd/10 clients, put" : {
                "p99" : {
                  "value" : 1.1,
                  "lower_value" : 1,
                  "upper_value" : 1.4
                }
              },
              "quick/zookeeper/10 clients, put" : {
                "p99" : {
                  "value" : 2.5,
                  "lower_value" : 2,
                  "upper_value" : 3
                }
              },
              "quick/consul/10 clients, put" : {
                "p99" : {
                  "value" : 5
                }
              }
            }
            """);
  }

  @Test
  void github_action_benchmark_gets_the_median_and_the_range_of_repeats() {
    MadeUpHistory repeated =
        new MadeUpHistory(home.resolve("repeated"))
            .add(matrix(0, "etcd", 0, 9))
            .add(matrix(1, "etcd", 0, 1.4, 1, 1.1))
            .add(matrix(1, "zookeeper", 5, 2.0));
    repeated.history("--format", "github-action", "--output", home.resolve("out").toString());
    assertThat(written("bigger-is-better.json"))
        .isEqualTo(
            """
            [
              {
                "name" : "quick/etcd/10 clients, put: throughput",
                "unit" : "requests/s",
                "value" : 1100,
                "range" : "1000 to 1400",
                "extra" : "etcd 3.6.16\\nmedian of 3 runs\\nquick/matrix/etcd/3"
              },
              {
                "name" : "quick/zookeeper/10 clients, put: throughput",
                "unit" : "requests/s",
                "value" : 2000,
                "extra" : "etcd 3.6.16\\nquick/matrix/zookeeper/1"
              }
            ]
            """);
  }

  @Test
  void databases_that_the_newest_run_lacks_are_not_written() {
    MadeUpHistory changed =
        new MadeUpHistory(home.resolve("changed"))
            .add(MadeUpHistory.runs("etcd", 1, 2))
            .add(MadeUpHistory.runs("zookeeper", 3));
    assertThat(changed.history("--format", "bmf").out()).contains("etcd").doesNotContain("zook");
  }

  @Test
  void several_files_need_a_directory() {
    assertThat(history.history("--format", "github-action").err())
        .startsWith("--format github-action writes 2 files: pass --output DIR\n");
    assertThat(history.history("--format", "xml").err())
        .startsWith("--format: found 'xml', expected go, otava, github-action, bmf\n");
    assertThat(history.history("--output", "x").err()).startsWith("--output: needs --format.");
  }
}
