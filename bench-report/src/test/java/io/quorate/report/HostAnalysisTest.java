package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.report.table.RowLabels;
import io.quorate.run.ExperimentRun;
import io.quorate.run.Golden;
import io.quorate.run.Manifests;
import io.quorate.run.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of ours with files about machines: those of the golden scenario. */
class HostAnalysisTest {
  private static final List<String> IDS = List.of("etcd", "zookeeper", "consul");
  private static final String SERVER_1 = "1-server-system-metrics-interpolated.csv";
  private static final String SERVER_2 = "2-server-system-metrics-interpolated.csv";
  private static final String SERVER_3 = "3-server-system-metrics-interpolated.csv";
  private static final String CLIENT = "client-system-metrics-interpolated.csv";
  private static final String DISK = "server-disk-space-usage-summary.csv";

  private static final String WHOLE_SECONDS =
      "the machines were not measured at the ends of steps, as by earlier versions: what they did is"
          + " of whole seconds, with up to one from before the first request, and stands a second"
          + " late beside the requests";

  @TempDir Path results;
  private RunDirectory run;

  @BeforeEach
  void makeRun() {
    run = RunDirectory.create(results.resolve("results"), "quick", 1, Manifests.START);
    for (int i = 0; i < 3; i++) {
      String tag = Golden.TAGS.get(i);
      List<StepMeasurement> steps = Golden.steps(tag);
      TestRuns.write(run.path(), IDS.get(i), tag, 1, 5000, steps);
      for (String name : List.of(SERVER_1, SERVER_2, SERVER_3, CLIENT, DISK)) {
        write(IDS.get(i) + "/" + name, golden(tag + "-" + name));
      }
    }
  }

  /** As the reference's but for the sectors, and the client's figures, which end with the load. */
  @Test
  void theTableHasAllRows() {
    String golden = golden("all-aggregated.csv");
    String expected =
        golden
            .substring(golden.indexOf("SERVER-TOTAL"))
            .replace("3144655.00,5633408.00,5301111.00", "3141481.00,5629426.00,5297226.00")
            .replace("20132125.00,22615967.00,41346834.00", "20128427.00,22611945.00,41343228.00")
            .replace("96 MB,239 MB,86 MB", "86 MB,197 MB,81 MB")
            .replace("READS-DELTA-SUM,0,0,0", "READS-DELTA-SUM,20,112,0");
    assertThat(report()).isEqualTo(notes(""));
    assertThat(read("all-aggregated.csv")).endsWith(expected).hasLineCount(35);
    assertThat(read("all-aggregated.txt").lines().filter(line -> line.startsWith("|"))).hasSize(31);
  }

  @Test
  void whatTheServersDidIsWrittenBesideTheRun() {
    report();
    String aggregated = read("zookeeper/zookeeper-r3.5.3-beta-java8-all-aggregated.csv");
    assertThat(aggregated)
        .isEqualTo(
            golden("zookeeper-r3.5.3-beta-java8-all-aggregated.csv")
                .replace(",7,0,0,0,0,1767,", ",7,,0,,,1767,"));
    assertThat(read("etcd/server-memory-by-key-number.csv"))
        .isEqualTo(golden("etcd-v3.3.0-go1.9.3-server-memory-by-key-number.csv"));
    assertThat(read("etcd/server-read-bytes-delta-by-key-number.csv"))
        .isEqualTo(golden("etcd-v3.3.0-go1.9.3-server-read-bytes-delta-by-key-number.csv"));
    assertThat(read("zookeeper/server-write-bytes-delta-by-key-number.csv"))
        .isEqualTo(
            golden("zookeeper-r3.5.3-beta-java8-server-write-bytes-delta-by-key-number.csv")
                .replace("\n5000,", "\n4978,"));
  }

  @Test
  void aDatabaseWithoutMetricsIsNamedBelowTheTable() {
    for (String name : List.of(SERVER_1, SERVER_2, SERVER_3, CLIENT, DISK)) {
      delete("consul/" + name);
    }
    assertThat(report())
        .isEqualTo(
            notes(
                """
                consul: no metrics of the servers were recorded
                consul: no metrics of the load generator were recorded
                consul: the size of the data directories was not recorded
                """));
    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-MAX-CPU-USAGE,227.62 %,341.97 %,\n")
        .contains("\nSERVER-AVG-DISK-SPACE-USAGE,64 MB,168 MB,\n");
  }

  @Test
  void aStoreWithoutServersLacksNoMetricsOfThem() throws IOException {
    for (String name : List.of(SERVER_1, SERVER_2, SERVER_3, DISK)) {
      delete("consul/" + name);
    }
    write("consul/manifest.json", read("consul/manifest.json").replace("consul", "memory"));
    Files.move(run.path().resolve("consul"), run.path().resolve("memory"));
    assertThat(report())
        .contains("there were no servers, so the rows about them are empty\n")
        .doesNotContain("no metrics of the servers", "the size of the data directories");
  }

  @Test
  void membersOfOneMachineAreSaidToCountItSeveralTimes() {
    write("etcd/manifest.json", read("etcd/manifest.json").replace("10.0.0.2", "10.0.0.1"));
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: 2 members share 1 machine, and each counts all of its network and disk\n"));
  }

  @Test
  void membersOfOneMachineOfWhichNothingIsKnownAreNotSaidToCountAnything() {
    for (String name : List.of(SERVER_1, SERVER_2, SERVER_3)) {
      delete("etcd/" + name);
    }
    write("etcd/manifest.json", read("etcd/manifest.json").replace("10.0.0.2", "10.0.0.1"));
    assertThat(report()).isEqualTo(notes("etcd: no metrics of the servers were recorded\n"));
  }

  @Test
  void withoutTheMetricsOfOneServerNothingIsSaidOfAll() {
    delete("etcd/" + SERVER_2);
    assertThat(report()).isEqualTo(notes("etcd: no metrics of server 2, so none of all servers\n"));
    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-MAX-CPU-USAGE,,341.97 %,190.03 %\n")
        .contains("\nCLIENT-MAX-CPU-USAGE,175.70 %,128.10 %,87.00 %\n");
    assertThat(run.path().resolve("etcd/etcd-v3.3.0-go1.9.3-all-aggregated.csv")).doesNotExist();
  }

  @Test
  void aServerThatWasNotMeasuredAllTheTimeIsNotSummed() {
    String text = read("etcd/" + SERVER_2);
    write("etcd/" + SERVER_2, text.substring(0, text.indexOf("\n0,1519000012,") + 1));
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: requests were made from second 1519000000 to 1519000012, but metrics of"
                    + " server 2 are there from 1518999991 to 1519000011, so they are left out\n"));
    assertThat(read("all-aggregated.csv")).contains("\nSERVER-MAX-CPU-USAGE,,341.97 %");
  }

  @Test
  void someDataDirectoriesAreNoMeanOfAll() {
    write("etcd/" + DISK, String.join("\n", read("etcd/" + DISK).lines().limit(2).toList()) + "\n");
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: the size of 1 of 2 data directories was recorded, so the mean is left out\n"));
  }

  @Test
  void furtherColumnsArePassedOver() {
    String text = read("etcd/" + SERVER_1).replace("\n", ",1\n");
    write("etcd/" + SERVER_1, text.replaceFirst(",1\n", ",OPEN-FILES\n"));
    report();
    assertThat(read("all-aggregated.csv")).contains("\nSERVER-MAX-CPU-USAGE,227.62 %,");
  }

  @Test
  void hostMetricsThatCannotBeReadAreNamedAndTheRestIsShown() {
    String text = read("etcd/" + SERVER_2);
    write("etcd/" + SERVER_2, text.substring(0, text.length() - 3));
    assertThat(report()).contains("etcd/" + SERVER_2 + ":28: found an incomplete last line");
    assertThat(run.tableText()).content().contains("AVG-THROUGHPUT");
  }

  @Test
  void aRunOfOneSecondHasItsTable() {
    StepMeasurement step = Golden.step(10, 1_519_000_003, 2_000_000, 3_000_000);
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 2, List.of(step));
    assertThat(report())
        .isEqualTo(
            notes(
                "etcd: MAX-THROUGHPUT and MIN-THROUGHPUT are not known, as there is no second"
                    + " in all of which a step had requests to send (all requests took 0.005 s)\n"));
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
            1, 2_000_000_000, Latencies.NONE, new Histogram(4), List.of(second), Optional.empty());
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 2, List.of(step));
    report();
    assertThat(read("all-aggregated.csv"))
        .contains("\nLatency p50,,19.971071 ms,", "\nSERVER-MAX-CPU-USAGE,212.21 %,");
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
    report();
    assertThat(read("etcd/etcd-v3.3.0-go1.9.3-all-aggregated.csv"))
        .contains("\n1519000003,0,10.00,5,2,3,4.5,8.5,3,")
        .contains("\n1519000004,1,10.00,5,,,,,3,")
        .contains("\n1519000005,2,10.00,7,1,1,1,1,4,");
  }

  @Test
  void thatTheEndsOfStepsWereNotMeasuredStandsBelowTheTable() {
    report();
    assertThat(read("all-aggregated.txt")).contains("\netcd: " + WHOLE_SECONDS + "\n");
    assertThat(read("result.json")).contains("\"" + WHOLE_SECONDS + "\"");
  }

  @Test
  void ofLessThanTenSecondsThatWereNotMeasuredAtTheirEndsThereIsNoSum() {
    StepMeasurement step = Golden.step(10, 1_519_000_003, 2_000_000, 3_000_000);
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 2, List.of(step));
    report();
    assertThat(read("all-aggregated.txt"))
        .contains(
            "\netcd: " + WHOLE_SECONDS + "; for less than 10 s, sums are left out\n",
            "\nzookeeper: " + WHOLE_SECONDS + "\n");
    assertThat(read("all-aggregated.csv"))
        .contains("\nSERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,,")
        .contains("\nSERVER-AVG-WRITES-COMPLETED-DELTA-SUM,,")
        .contains("\nCLIENT-TOTAL-NETWORK-TX-BYTES-SUM-RAW,,")
        .contains("\nSERVER-MAX-CPU-USAGE,212.21 %,");
  }

  /** As the first row was before: the mean since the process was started. */
  @Test
  void theFirstRowOfAMachineIsNoPeak() {
    StepMeasurement step = Golden.step(10, 1_519_000_003, 2_000_000, 3_000_000);
    TestRuns.write(run.path(), "etcd", Golden.TAGS.get(0), 1, 2, List.of(step));
    for (String name : List.of(SERVER_1, SERVER_2, SERVER_3)) {
      String text = read("etcd/" + name);
      String from = text.substring(text.indexOf("1519000003000") < 0 ? row(text) : 0);
      write("etcd/" + name, text.substring(0, text.indexOf('\n') + 1) + from);
    }
    report();
    assertThat(read("all-aggregated.csv")).contains("\nSERVER-MAX-CPU-USAGE,,341.97 %");
    assertThat(read("etcd/etcd-v3.3.0-go1.9.3-all-aggregated.csv"))
        .contains("\n1519000003,0,10.00,10,2,2,2.5,3,2,,,");
  }

  private static int row(String text) {
    return text.lastIndexOf('\n', text.indexOf(",1519000003,")) + 1;
  }

  private String notes(String notes) {
    String zookeeper =
        """


        zookeeper errors:
        "zk: connection closed" (count 17)
        "zk: could not connect to a server" (count 5)
        """;
    return zookeeper + "\n" + notes;
  }

  /** Returns the notes below the table, without those of all runs such as these. */
  private String report() {
    new RunReport(ExperimentRun.read(run.path()), RowLabels.LATER).write();
    String text = read("all-aggregated.txt");
    return text.substring(text.lastIndexOf("+\n") + 2)
        .replaceAll("[a-z]+: " + WHOLE_SECONDS + "(; for less than 10 s[^\n]*)?\n", "");
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
}
