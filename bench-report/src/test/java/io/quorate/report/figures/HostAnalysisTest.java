// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.report.GoldenRun;
import io.quorate.report.MachineRows;
import io.quorate.report.PublishedTable;
import io.quorate.report.TestRuns;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.SecondRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of ours with files about machines: those of the golden scenario. */
class HostAnalysisTest {
  private static final List<String> IDS = List.of("etcd", "zookeeper", "consul");
  private static final List<String> SERVERS = List.of("1-server", "2-server", "3-server");
  private static final String CLIENT = "client";
  private static final String DISK = "server-disk-space-usage-summary.csv";

  @TempDir Path results;
  private RunDirectory run;

  @BeforeEach
  void makeRun() {
    run = RunDirectory.create(results.resolve("results"), "quick", 1, Manifests.START);
    for (int i = 0; i < 3; i++) {
      String tag = Golden.TAGS.get(i);
      List<StepMeasurement> steps = Golden.steps(tag);
      List<SecondRow> seconds =
          TestRuns.write(run.path(), IDS.get(i), tag, 1, 5000, steps).clients().get().requests();
      MachineRows.writeGolden(run.path().resolve(IDS.get(i)), tag, seconds);
      write(IDS.get(i) + "/" + DISK, golden(tag + "-" + DISK));
    }
  }

  /** Writes the files of the machines of etcd with these ends of steps. */
  private void machines(long... ends) {
    MachineRows.writeGolden(run.path().resolve("etcd"), Golden.TAGS.get(0), ends);
  }

  /**
   * As the reference's, but sums are counters at the end minus those at the beginning, and the
   * client's values end with the load.
   */
  @Test
  void theTableHasAllRows() {
    String golden = golden("all-aggregated.csv");
    String expected =
        golden
            .substring(golden.indexOf("SERVER-TOTAL"))
            .replace("53 MB,60 MB,70 MB", "50 MB,60 MB,68 MB")
            .replace("52766876.00,60374947.00,69557930.00", "50290113.00,59677318.00,67914737.00")
            .replace("44 MB,53 MB,61 MB", "43 MB,52 MB,61 MB")
            .replace("44513702.00,52562868.00,61428124.00", "43374771.00,52274927.00,60780975.00")
            .replace("3144655.00,5633408.00,5301111.00", "3141481.00,5629426.00,5297226.00")
            .replace("20132125.00,22615967.00,41346834.00", "20128427.00,22611945.00,41343228.00")
            .replace("96 MB,239 MB,86 MB", "86 MB,197 MB,81 MB")
            .replace("READS-DELTA-SUM,0,0,0", "READS-DELTA-SUM,16,112,0")
            .replace("\"15,601\",\"12,216\",\"54,774\"", "\"14,826\",\"12,052\",\"53,319\"")
            .replace(
                "\"374,848\",\"489,394\",\"3,506,322\"", "\"356,248\",\"482,744\",\"3,413,288\"");
    assertThat(report()).isEqualTo(notes(""));
    assertThat(read("all-aggregated.csv")).endsWith(expected).hasLineCount(35);
    assertThat(read("all-aggregated.txt").lines().filter(line -> line.startsWith("|"))).hasSize(31);
  }

  @Test
  void whatTheServersDidIsWrittenBesideTheRun() {
    report();
    String golden = golden("zookeeper-r3.5.3-beta-java8-all-aggregated.csv");
    assertThat(levels(read("zookeeper/zookeeper-r3.5.3-beta-java8-all-aggregated.csv")))
        .isEqualTo(levels(golden.replace(",7,0,0,0,0,1767,", ",7,,0,,,1767,")));
    assertThat(read("etcd/server-memory-by-key-number.csv"))
        .isEqualTo(golden("etcd-v3.3.0-go1.9.3-server-memory-by-key-number.csv"));
    assertThat(read("etcd/server-read-bytes-delta-by-key-number.csv"))
        .isEqualTo(golden("etcd-v3.3.0-go1.9.3-server-read-bytes-delta-by-key-number.csv"));
    assertThat(read("zookeeper/server-write-bytes-delta-by-key-number.csv"))
        .isEqualTo(
            """
            KEYS,AVG-WRITE-BYTES-NUM-DELTA,AVG-WRITE-BYTES
            1000,5031936.00,5.0 MB
            2000,5031936.00,5.0 MB
            3000,3995477.33,4.0 MB
            4000,5141845.33,5.1 MB
            4978,5393066.67,5.4 MB
            """);
  }

  /**
   * Returns the columns that are no growth: a growth of the reference is not always the difference
   * of its levels, as it interpolates both.
   */
  private static List<List<String>> levels(String aggregated) {
    List<List<String>> rows = aggregated.lines().map(line -> List.of(line.split(",", -1))).toList();
    List<String> header = rows.get(0);
    int[] columns =
        IntStream.range(0, header.size())
            .filter(column -> !header.get(column).contains("-DELTA"))
            .toArray();
    return rows.stream().map(row -> IntStream.of(columns).mapToObj(row::get).toList()).toList();
  }

  @Test
  void aDatabaseWithoutMetricsIsNamedBelowTheTable() {
    deleteServers("consul");
    deleteMachine("consul", CLIENT);
    delete("consul/" + DISK);
    assertThat(report())
        .isEqualTo(
            notes(
                """
                Consul: no metrics of the servers were recorded
                Consul: no metrics of the load generator were recorded
                Consul: the size of the data directories was not recorded
                """));
    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-MAX-CPU-USAGE,227.62 %,341.97 %,\n")
        .contains("\nSERVER-AVG-DISK-SPACE-USAGE,64 MB,168 MB,\n");
  }

  @Test
  void aStoreWithoutServersLacksNoMetricsOfThem() throws IOException {
    deleteServers("consul");
    delete("consul/" + DISK);
    write("consul/manifest.json", read("consul/manifest.json").replace("consul", "memory"));
    Files.move(run.path().resolve("consul"), run.path().resolve("memory"));
    assertThat(report())
        .contains("there were no servers, so the rows about them are empty\n")
        .doesNotContain("no metrics of the servers", "the size of the data directories");
  }

  @Test
  void membersOfOneMachineAreToldAndHowSumsCountIt() {
    write("etcd/manifest.json", read("etcd/manifest.json").replace("10.0.0.2", "10.0.0.1"));
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: 2 members share 1 machine: sums over members count a shared network once,"
                    + " and disk bytes of the members only\n"));
  }

  @Test
  void membersOfOneMachineOfWhichNothingIsKnownAreNotSaidToCountAnything() {
    deleteServers("etcd");
    write("etcd/manifest.json", read("etcd/manifest.json").replace("10.0.0.2", "10.0.0.1"));
    assertThat(report()).isEqualTo(notes("etcd: no metrics of the servers were recorded\n"));
  }

  @Test
  void withoutTheMetricsOfOneServerNothingIsSaidOfAll() {
    deleteMachine("etcd", "2-server");
    assertThat(report()).isEqualTo(notes("etcd: no metrics of server 2, so none of all servers\n"));
    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-MAX-CPU-USAGE,,341.97 %,190.03 %\n")
        .contains("\nCLIENT-MAX-CPU-USAGE,175.70 %,128.10 %,87.00 %\n");
    assertThat(run.path().resolve("etcd/etcd-v3.3.0-go1.9.3-all-aggregated.csv")).doesNotExist();
  }

  @Test
  void someDataDirectoriesAreNoMeanOfAll() {
    write("etcd/" + DISK, String.join("\n", read("etcd/" + DISK).lines().limit(2).toList()) + "\n");
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: the size of 1 of 2 data directories was recorded, so the mean is left"
                    + " out\n"));
  }

  @Test
  void aFileWithAnUnknownColumnIsNamedAndItsServerLeftOut() {
    String file = "etcd/1-server-system-metrics.csv";
    String text = read(file).replace("\n", ",1\n");
    write(file, text.replaceFirst(",1\n", ",OPEN-FILES\n"));
    String notes = report();
    assertThat(read("all-aggregated.csv")).contains("\nSERVER-MAX-CPU-USAGE,,341.97 %,");
    assertThat(notes).contains(":1: found the unknown column OPEN-FILES");
  }

  @Test
  void hostMetricsThatCannotBeReadAreNamedAndTheRestIsShown() {
    String file = "etcd/2-server-system-metrics.csv";
    String text = read(file);
    write(file, text.substring(0, text.length() - 3));
    assertThat(report())
        .contains("etcd: the incomplete last line of 2-server-system-metrics.csv was left out");
    assertThat(run.tableText()).content().contains("AVG-THROUGHPUT");
  }

  @Test
  void aRunOfOneSecondHasItsTable() {
    StepMeasurement step = Golden.step(10, 1_519_000_003, 2_000_000, 3_000_000);
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 2, List.of(step));
    machines(3_000, 4_000);
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: MAX-THROUGHPUT and MIN-THROUGHPUT are unknown: no step has a full "
                    + "one-second interval (all requests took 0.005 s)\n"));
    assertThat(read("all-aggregated.csv")).contains("\nSERVER-MAX-CPU-USAGE,212.21 %,");
    assertThat(read("etcd/server-memory-by-key-number.csv"))
        .isEqualTo("KEYS,MIN-VMRSS-MB,AVG-VMRSS-MB,MAX-VMRSS-MB\n2,157.88,175.51,193.50\n");
  }

  @Test
  void aRunInWhichEveryRequestFailedHasNoLatenciesButHostFigures() {
    var errors = List.of(new ErrorTally("timeout", "late", 2, 1));
    var second = new SecondMeasurement(1_519_000_003, Latencies.NONE, errors);
    var step =
        Measurements.ofPuts(
            1,
            2_000_000_000,
            Latencies.NONE,
            new Histogram(3),
            List.of(second),
            new SuccessGaps(0, List.of()));
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 2, List.of(step));
    machines(3_000, 4_000);
    report();
    assertThat(read("all-aggregated.csv"))
        .contains("\nLatency p50,,19.972095 ms,", "\nSERVER-MAX-CPU-USAGE,212.21 %,");
    assertThat(read("etcd/etcd-v3.3.0-go1.9.3-all-aggregated.csv"))
        .contains("\n1519000003,0,10.00,1,,0,,,0,212.21,");
    assertThat(read("etcd/server-memory-by-key-number.csv")).hasLineCount(1);
  }

  @Test
  void aPauseBetweenStepsIsNoMeasurement() {
    StepMeasurement first = Golden.step(1, 1_519_000_003, 2_000_000, 3_000_000);
    StepMeasurement second = Golden.step(5, 1_519_000_003, 8_500_000);
    StepMeasurement third = Golden.step(7, 1_519_000_005, 1_000_000);
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 4, List.of(first, second, third));
    machines(3_000, 3_400, 3_500, 4_000, 5_000, 6_000);
    report();
    assertThat(read("etcd/etcd-v3.3.0-go1.9.3-all-aggregated.csv"))
        .contains("\n1519000003,0,10.00,5,2,3,4.5,8.5,3,")
        .contains("\n1519000004,1,10.00,5,,,,,3,")
        .contains("\n1519000005,2,10.00,7,1,1,1,1,4,");
  }

  private String notes(String notes) {
    String zookeeper =
        """


        zookeeper errors:
        "zk: connection closed" (count 17)
        "zk: could not connect to a server" (count 5)
        """;
    return notes.isEmpty() ? zookeeper : zookeeper + "\n" + notes;
  }

  /** Returns the notes below the table. */
  private String report() {
    GoldenRun.writeValues(run.path());
    String text = read("all-aggregated.txt");
    return text.substring(text.lastIndexOf("+\n") + 2);
  }

  private static String golden(String name) {
    return PublishedTable.resource("reference/a-write-fixed-clients/" + name);
  }

  private String read(String name) {
    try {
      return Files.readString(run.path().resolve(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void write(String name, String text) {
    try {
      Files.writeString(run.path().resolve(name), text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void delete(String name) {
    try {
      Files.delete(run.path().resolve(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void deleteServers(String database) {
    SERVERS.forEach(server -> deleteMachine(database, server));
  }

  private void deleteMachine(String database, String machine) {
    MachineRows.delete(run.path().resolve(database), machine);
  }
}
