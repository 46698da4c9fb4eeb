// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.MachineRows.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.StepMeasurement;
import io.quorate.report.table.RowLabels;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose machines were measured at the ends of steps. */
class StepSamplesTest {
  private static final String TAG = "etcd-v3.6.16";

  @TempDir Path results;
  private RunDirectory run;

  @BeforeEach
  void makeRun() {
    run = RunDirectory.create(results.resolve("results"), "quick", 1, Manifests.START);
  }

  /** One step with a request in each of these seconds. */
  private void requests(long... seconds) {
    requestsOfSteps(seconds);
  }

  /** Steps with a request in each of these seconds. */
  private void requestsOfSteps(long[]... steps) {
    List<StepMeasurement> measured =
        Stream.of(steps)
            .map(step -> LongStream.of(step).map(second -> MachineRows.SECOND + second).toArray())
            .map(step -> Golden.stepOf(10, step))
            .toList();
    long requests = Stream.of(steps).mapToLong(step -> step.length).sum();
    TestRuns.write(run.path(), "etcd", TAG, 1, requests, measured);
  }

  private void everyMachine(List<String> ticks, List<String> steps) {
    for (String machine : List.of("1-server", "2-server", "client")) {
      machine(machine, ticks, steps);
    }
  }

  private void machine(String machine, List<String> ticks, List<String> ends) {
    MachineRows.write(run.path().resolve("etcd"), machine, ticks, ends);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(run.path().resolve("etcd").resolve(name), text);
  }

  private String read(String name) throws IOException {
    return Files.readString(run.path().resolve(name));
  }

  private void report() {
    GoldenRun.writeWithoutPlots(run.path());
  }

  /** Some columns of the file that sets servers next to the requests. */
  private List<String> aggregated(String... columns) throws IOException {
    List<String[]> rows =
        read("etcd/" + TAG + "-all-aggregated.csv")
            .lines()
            .map(line -> line.split(",", -1))
            .toList();
    List<String> header = List.of(rows.get(0));
    return rows.stream()
        .skip(1)
        .map(
            row ->
                String.join(
                    " ", List.of(columns).stream().map(c -> row[header.indexOf(c)]).toList()))
        .toList();
  }

  private void threeSeconds() throws IOException {
    requests(3, 4, 5, 6);
    machinesOfThreeSeconds();
  }

  private void machinesOfThreeSeconds() {
    everyMachine(
        List.of(
            at(2_950, 50, 900),
            at(3_000, 100, 1_000),
            at(4_000, 1_240, 8_000),
            at(5_000, 2_040, 18_000),
            at(6_000, 2_940, 30_000)),
        List.of(at(3_400, 1_000, 5_000), at(6_200, 3_000, 31_000)));
  }

  @Test
  void sums_are_what_was_counted_at_the_end_minus_what_was_counted_at_the_beginning()
      throws IOException {
    threeSeconds();
    report();

    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,52000.00\n")
        .contains("\nSERVER-TOTAL-NETWORK-TX-DATA-BYTES-SUM-RAW,26000.00\n")
        .contains("\nCLIENT-TOTAL-NETWORK-RX-BYTES-SUM-RAW,26000.00\n")
        .contains("\nSERVER-AVG-WRITES-COMPLETED-DELTA-SUM,520\n")
        .contains("\nSERVER-AVG-SECTORS-WRITTEN-DELTA-SUM,\"5,200\"\n")
        .contains("\nSERVER-AVG-READS-COMPLETED-DELTA-SUM,0\n")
        .contains("\nSERVER-MAX-CPU-USAGE,90.00 %\n")
        .contains("\nCLIENT-MAX-CPU-USAGE,90.00 %\n");
    assertThat(read("result.json"))
        .contains("\"serverCpuSeconds\" : 4,")
        .contains("\"serverMeanCpuPercent\" : 71.42857142857143,")
        .contains("\"clientCpuSeconds\" : 2,");
  }

  @Test
  void a_request_stands_beside_what_the_servers_did_in_its_second() throws IOException {
    threeSeconds();
    new RunReport(ExperimentRun.read(run.path()), RowLabels.LATER).write();

    assertThat(
            aggregated(
                "SECOND", "AVG-CPU", "RECEIVE-BYTES-NUM-DELTA-1", "AVG-WRITE-BYTES-NUM-DELTA"))
        .containsExactly(
            "0 40.00 3000 153600.00",
            "1 80.00 10000 512000.00",
            "2 90.00 12000 614400.00",
            "3 30.00 1000 51200.00");
    assertThat(aggregated("RECEIVE-BYTES-NUM-2"))
        .containsExactly("8000", "18000", "30000", "31000");
    assertThat(Files.readAllLines(run.path().resolve("plots/AVG-CPU.csv")))
        .containsExactly("AVG-CPU-" + TAG, "40.00", "80.00", "90.00", "30.00");
  }

  @Test
  void a_run_within_one_second_has_one_figure_which_is_its_mean() throws IOException {
    requests(3);
    everyMachine(
        List.of(at(2_990, 0, 0), at(3_000, 500, 100), at(4_000, 2_000, 900_000)),
        List.of(at(3_200, 700, 1_000), at(3_700, 841, 729_000)));
    report();

    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-MAX-CPU-USAGE,28.20 %\n")
        .contains("\nSERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,1456000.00\n");
    assertThat(aggregated("AVG-CPU", "RECEIVE-BYTES-NUM-DELTA-2")).containsExactly("28.20 728000");
    assertThat(read("index.html")).contains("<td align=\"right\">28</td>");
  }

  @Test
  void a_step_of_some_milliseconds_has_sums_but_no_percentage_of_cpu() throws IOException {
    requests(3);
    everyMachine(
        List.of(at(3_000, 500, 100)), List.of(at(3_200, 700, 1_000), at(3_203, 710, 4_000)));
    report();

    assertThat(read("all-aggregated.csv"))
        .doesNotContain("SERVER-MAX-CPU-USAGE")
        .contains("\nSERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,6000.00\n");
    assertThat(aggregated("AVG-CPU", "RECEIVE-BYTES-NUM-DELTA-1")).containsExactly(" 3000");
    assertThat(read("all-aggregated.txt"))
        .contains("etcd: the steps took less than 0.1 s, too short for a percentage of CPU");
  }

  /** The load generator knows its own CPU time in nanoseconds. */
  @Test
  void of_some_milliseconds_the_cpu_use_of_the_load_generator_is_what_it_measured_itself()
      throws IOException {
    requests(3);
    everyMachine(
        List.of(at(3_000, 500, 100)), List.of(at(3_200, 700, 1_000), at(3_203, 710, 4_000)));
    String costs =
        "\"loadGeneratorCosts\" : [{\"step\" : 1, \"clients\" : 10, \"requests\" : 1, \"elapsedNanos\" : 2000000,"
            + " \"requestNanos\" : 1000000, \"cpuNanos\" : 1500000, \"gcPauseNanos\" : 0,"
            + " \"longestGcPauseNanos\" : 0}]";
    write(
        "manifest.json", read("etcd/manifest.json").replace("\"loadGeneratorCosts\" : [ ]", costs));
    report();

    assertThat(read("all-aggregated.csv"))
        .contains("\nCLIENT-MAX-CPU-USAGE,75.00 %\n")
        .doesNotContain("SERVER-MAX-CPU-USAGE");
  }

  @Test
  void what_happens_between_steps_is_not_counted() throws IOException {
    requestsOfSteps(new long[] {3}, new long[] {5});
    everyMachine(
        List.of(at(3_000, 0, 0), at(4_000, 400, 5_000), at(5_000, 1_400, 90_000)),
        List.of(
            at(3_500, 100, 1_000),
            at(3_800, 300, 4_000),
            at(5_100, 1_500, 95_000),
            at(5_600, 1_600, 99_000)));
    report();

    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,14000.00\n")
        .contains("\nSERVER-MAX-CPU-USAGE,66.67 %\n");
    assertThat(aggregated("SECOND", "AVG-CPU", "RECEIVE-BYTES-NUM-DELTA-1"))
        .containsExactly("0 66.67 3000", "1  ", "2 20.00 4000");
  }

  @Test
  void a_tick_that_came_late_is_a_level_of_the_time_at_which_it_came() throws IOException {
    requests(3, 4);
    everyMachine(
        List.of(at(3_000, 0, 0), at(4_500, 1_500, 15_000)),
        List.of(at(3_000, 0, 0), at(5_000, 2_000, 20_000)));
    report();

    assertThat(aggregated("AVG-CPU", "RECEIVE-BYTES-NUM-DELTA-1"))
        .containsExactly("100.00 10000", "100.00 10000");
  }

  @Test
  void a_server_that_was_not_measured_at_an_end_leaves_nothing_to_sum() throws IOException {
    threeSeconds();
    machine("2-server", List.of(at(3_000, 100, 1_000)), List.of(at(3_400, 1_000, 5_000)));
    report();

    assertThat(read("all-aggregated.txt"))
        .contains(
            "etcd: server 2 was not measured at the end of step 1, so what all servers did is left"
                + " out\n");
    assertThat(read("all-aggregated.csv"))
        .doesNotContain("SERVER-MAX-CPU-USAGE")
        .contains("\nCLIENT-MAX-CPU-USAGE,90.00 %\n");
  }

  @Test
  void a_load_generator_without_samples_of_a_step_is_named() throws IOException {
    requestsOfSteps(new long[] {3, 4, 5}, new long[] {6});
    machinesOfThreeSeconds();
    Files.delete(run.path().resolve("etcd/client-system-metrics-steps.csv"));
    report();

    assertThat(read("all-aggregated.txt"))
        .contains(
            "etcd: server 1 was not measured at the beginning of step 2, so what all servers did"
                + " is left out\n",
            "etcd: the load generator was not measured at the ends of steps, so what it did is"
                + " left out\n");
  }

  @Test
  void what_is_no_end_of_a_step_is_named_with_its_line() throws IOException {
    threeSeconds();
    Path file = run.path().resolve("etcd/1-server-system-metrics-steps.csv");
    String text = Files.readString(file);
    for (String[] each :
        new String[][] {
          {"1,end,", "1,middle,", ":3: found 'middle', expected begin or end"},
          {"1519000006200000000", "-1", ":3: found '-1', expected nanoseconds since 1970"},
          {
            "STEP,",
            "X,",
            ":1: found the unknown column X, expected the header of a system metrics file"
          }
        }) {
      Files.writeString(file, text.replace(each[0], each[1]));
      report();
      assertThat(run.tableText())
          .content()
          .contains("etcd/1-server-system-metrics-steps.csv" + each[2]);
    }
  }
}
