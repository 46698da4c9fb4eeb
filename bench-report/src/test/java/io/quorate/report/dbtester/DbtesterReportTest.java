// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.ReferenceDirectory;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DbtesterReportTest {
  private static final String SECTORS = "-SECTORS-READS-DELTA-SUM,20,112,0";
  private static final String SECTORS_BEFORE =
      "|    SERVER-AVG-SECTORS-READS-DELTA-SUM |                   0 |                           0 |";
  private static final String SECTORS_AFTER =
      "|    SERVER-AVG-SECTORS-READS-DELTA-SUM |                  20 |                         112 |";
  private static final String SUMMARY =
      ReferenceDirectory.ETCD + "client-latency-distribution-summary.csv";
  private static final String ERRORS =
      "\"ERROR: \"\"etcdserver: request \\\"\"x\\\"\" timed out\"\"\",1234\n"
          + "\"ERROR: \"\"b\"\"\",1";

  @TempDir Path temporary;
  private ReferenceDirectory run;

  @BeforeEach
  void copy() {
    run = new ReferenceDirectory(temporary);
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "de", "ru"})
  void everyFileIsAsTheReferenceWroteIt(String locale) throws IOException {
    Golden.inLocale(locale, () -> assertThat(run.report("--as-published")).isZero());

    assertThat(run.err()).isEmpty();
    Map<String, String> expected = ReferenceDirectory.expected();
    assertThat(expected).hasSize(51);
    assertThat(run.written().keySet()).isEqualTo(expected.keySet());
    expected.forEach((name, text) -> assertThat(run.written(name)).as(name).isEqualTo(text));
    hasAllPlots();
  }

  /** The plots of the configuration's images, and the others. */
  private void hasAllPlots() throws IOException {
    List<String> expected =
        Stream.of(
                "AVG-CPU",
                "AVG-LATENCY-MS",
                "AVG-LATENCY-MS-BY-KEY",
                "AVG-LATENCY-MS-BY-KEY-ERROR-POINTS",
                "AVG-NON-VOLUNTARY-CTXT-SWITCHES",
                "AVG-READ-BYTES-NUM-DELTA",
                "AVG-READ-BYTES-NUM-DELTA-BY-KEY",
                "AVG-READS-COMPLETED-DELTA",
                "AVG-RECEIVE-BYTES-NUM-DELTA",
                "AVG-SECTORS-READ-DELTA",
                "AVG-SECTORS-WRITTEN-DELTA",
                "AVG-THROUGHPUT",
                "AVG-TRANSMIT-BYTES-NUM-DELTA",
                "AVG-VMRSS-MB",
                "AVG-VMRSS-MB-BY-KEY",
                "AVG-VMRSS-MB-BY-KEY-ERROR-POINTS",
                "AVG-VOLUNTARY-CTXT-SWITCHES",
                "AVG-WRITE-BYTES-NUM-DELTA",
                "AVG-WRITE-BYTES-NUM-DELTA-BY-KEY",
                "AVG-WRITES-COMPLETED-DELTA",
                "MAX-CPU")
            .flatMap(name -> Stream.of(name + ".png", name + ".svg"))
            .sorted()
            .toList();
    assertThat(run.plots()).isEqualTo(expected);
    assertThat(run.written("AVG-CPU.svg"))
        .contains("<title id=\"AVG-CPU-title\">Server CPU, mean over the servers (% of one core)<")
        .contains(
            ">etcd-v3.3.0-go1.9.3<", ">zookeeper-r3.5.3-beta-java8<", ">consul-v1.0.2-go1.9.3<");
  }

  @Test
  void withoutTheDefectsTheSectorsThatWereReadAreCounted() throws IOException {
    assertThat(run.report()).isZero();

    Map<String, String> expected = ReferenceDirectory.expected();
    expected.replaceAll((name, text) -> text.replace("-SECTORS-READS-DELTA-SUM,0,0,0", SECTORS));
    expected.replaceAll((name, text) -> text.replace(SECTORS_BEFORE, SECTORS_AFTER));
    expected.forEach((name, text) -> assertThat(run.written(name)).as(name).isEqualTo(text));
    assertThat(run.out())
        .startsWith("Write 5K keys, 256-byte key, 1KB value (etcd 10,")
        .contains(run.written("all-aggregated.txt"))
        .endsWith("\nwritten to: " + run.path("config-report") + "\n");
  }

  @Test
  void theErrorsOfEveryDatabaseAreListed() {
    run.plots("AVG-CPU");
    run.replace(SUMMARY, "ERROR,0", ERRORS);
    assertThat(run.report()).isZero();
    assertThat(run.written("all-aggregated.txt"))
        .contains("|                    CLIENT-ERROR-COUNT |               1,235 |")
        .endsWith(
            """
            +


            etcd__v3_3 errors:
            "etcdserver: request \\"x\\" timed out" (count 1,234)
            "b" (count 1)

            zookeeper__r3_5_3_beta errors:
            "zk: connection closed" (count 17)
            "zk: could not connect to a server" (count 5)
            """);
  }

  @Test
  void asPublishedOnlyTheErrorsOfTheLastDatabaseAreListed() {
    run.plots("AVG-CPU");
    run.replace(SUMMARY, "ERROR,0", ERRORS);
    assertThat(run.report("--as-published")).isZero();
    assertThat(run.written("all-aggregated.txt"))
        .contains("|                    CLIENT-ERROR-COUNT |               1,235 |")
        .endsWith(
            """
            +


            zookeeper__r3_5_3_beta errors:
            "zk: connection closed" (count 17)
            "zk: could not connect to a server" (count 5)
            """);
    assertThat(run.written("README.md")).contains(run.written("all-aggregated.txt") + "```\n");
  }

  @Test
  void asPublishedAMessageLosesWhatMarksAnError() {
    run.plots("AVG-CPU");
    run.replace(SUMMARY, "ERROR,0", "\"ERROR: \"\"rpc ERROR: lost\"\"\",3");
    run.replace("config.yaml", "- zookeeper__r3_5_3_beta\n", "");
    assertThat(run.report("--as-published")).isZero();
    assertThat(run.written("all-aggregated.txt"))
        .endsWith("\netcd__v3_3 errors:\n\"rpc  lost\" (count 3)\n");
    assertThat(run.report()).isZero();
    assertThat(run.written("all-aggregated.txt"))
        .endsWith("\netcd__v3_3 errors:\n\"rpc ERROR: lost\" (count 3)\n");
  }

  @Test
  void aPercentileForWhichThereWereTooFewLatenciesIsMissing() {
    run.plots("AVG-CPU");
    String percentiles = ReferenceDirectory.ETCD + "client-latency-distribution-percentile.csv";
    run.replace(percentiles, "p99.9,83.281868", "p99.9,0.000000");
    run.report();
    assertThat(run.written("all-aggregated.csv"))
        .contains("\nLatency p99.9,,3810.273021 ms,85.829303 ms\n");
    run.report("--as-published");
    assertThat(run.written("all-aggregated.csv"))
        .contains("\nLatency p99.9,0.000000 ms,3810.273021 ms,85.829303 ms\n");
  }

  @Test
  void rowsCanBeNamedAsIn2017() {
    run.plots("AVG-CPU");
    run.report("--labels", "earlier");
    assertThat(run.written("all-aggregated.txt"))
        .contains("|  SERVER-TOTAL-NETWORK-RECEIVE-DATA-SUM |");
  }

  @Test
  void onlyAnEndingIsReplacedForTheTextTable() {
    run.plots("AVG-CPU");
    run.replace("config.yaml", "txt: a-write-fixed-clients/all-aggregated.txt", "txt: x.csv/y.csv");
    run.report();
    assertThat(run.read("config-report/x.txt/y.txt")).startsWith("+---");
  }
}
