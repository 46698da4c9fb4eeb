// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.MachineRows;
import io.quorate.report.RunReport;
import io.quorate.report.SyntheticRun;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPlotFilesTest {
  private static final SyntheticRun SMALL =
      new SyntheticRun(List.of("etcd", "zookeeper"), 12, 300, List.of(1, 10, 100), 8);

  @TempDir Path results;

  @Test
  void everyPlotStandsAsSvgAndPngAndAsCsv() {
    Path run = SMALL.write(results);
    report(run);

    assertThat(names(run, ".svg"))
        .containsExactly(
            "AVG-CPU.svg",
            "AVG-LATENCY-MS-BY-KEY-ERROR-POINTS.svg",
            "AVG-LATENCY-MS-BY-KEY.svg",
            "AVG-LATENCY-MS.svg",
            "AVG-NON-VOLUNTARY-CTXT-SWITCHES.svg",
            "AVG-READ-BYTES-NUM-DELTA-BY-KEY.svg",
            "AVG-READ-BYTES-NUM-DELTA.svg",
            "AVG-READS-COMPLETED-DELTA.svg",
            "AVG-RECEIVE-BYTES-NUM-DELTA.svg",
            "AVG-SECTORS-READ-DELTA.svg",
            "AVG-SECTORS-WRITTEN-DELTA.svg",
            "AVG-THROUGHPUT.svg",
            "AVG-TRANSMIT-BYTES-NUM-DELTA.svg",
            "AVG-VMRSS-MB-BY-KEY-ERROR-POINTS.svg",
            "AVG-VMRSS-MB-BY-KEY.svg",
            "AVG-VMRSS-MB.svg",
            "AVG-VOLUNTARY-CTXT-SWITCHES.svg",
            "AVG-WRITE-BYTES-NUM-DELTA-BY-KEY.svg",
            "AVG-WRITE-BYTES-NUM-DELTA.svg",
            "AVG-WRITES-COMPLETED-DELTA.svg",
            "FAILED-REQUESTS.svg",
            "LATENCY-BY-CLIENTS.svg",
            "LATENCY-DISTRIBUTION-MS.svg",
            "LATENCY-HEAT-MAP-etcd.svg",
            "LATENCY-HEAT-MAP-zookeeper.svg",
            "LATENCY-P99-MS.svg",
            "LATENCY-PERCENTILES-MS-etcd.svg",
            "LATENCY-PERCENTILES-MS-zookeeper.svg",
            "MAX-CPU.svg",
            "P99-BY-CLIENTS.svg",
            "THROUGHPUT-BY-CLIENTS.svg");
    assertThat(names(run, ".png"))
        .isEqualTo(names(run, ".svg").stream().map(name -> name.replace(".svg", ".png")).toList());
    assertThat(names(run, ".csv"))
        .hasSize(15 * 3 + 6)
        .contains("AVG-CPU-BY-CLIENT-NUM-aggregated.csv", "AVG-VMRSS-MB-BY-KEY.csv");
    assertThat(read(run, "AVG-THROUGHPUT-BY-CLIENT-NUM.csv"))
        .startsWith(
            "CONTROL-CLIENT-NUM-etcd-v1.2.3,AVG-THROUGHPUT-etcd-v1.2.3,"
                + "CONTROL-CLIENT-NUM-zookeeper-v1.2.3,AVG-THROUGHPUT-zookeeper-v1.2.3\n1,")
        .hasLineCount(13);
    assertThat(read(run, "AVG-CPU-BY-CLIENT-NUM-aggregated.csv"))
        .startsWith("CONTROL-CLIENT-NUM,AVG-CPU-etcd-v1.2.3,AVG-CPU-zookeeper-v1.2.3\n1,")
        .hasLineCount(4);
    assertThat(read(run, "LATENCY-PERCENTILES-MS-etcd.svg")).contains(" (ms)</title>");
  }

  @Test
  void aFailedRunIsInNoPlotAndSaidToBeMissing() {
    Path run = SMALL.write(results);
    DatabaseDirectory zookeeper = new DatabaseDirectory(run.resolve("zookeeper"));
    Manifest.read(zookeeper.manifest()).failed(Manifests.START, "server died").write(zookeeper);
    report(run);

    assertThat(read(run, "AVG-THROUGHPUT.csv")).startsWith("AVG-THROUGHPUT-etcd-v1.2.3\n");
    assertThat(read(run, "AVG-THROUGHPUT.svg"))
        .contains("Not shown: zookeeper-v1.2.3 (failed).</desc>")
        .doesNotContain(">zookeeper-v1.2.3<");
    assertThat(names(run, "LATENCY-HEAT-MAP"))
        .containsExactly("LATENCY-HEAT-MAP-etcd.png", "LATENCY-HEAT-MAP-etcd.svg");
    assertThat(names(run, "FAILED-REQUESTS")).isEmpty();
  }

  @Test
  void whatWasNotMeasuredHasNoFileAndAnEmptyColumnBesideOthers() throws IOException {
    Path run = SMALL.write(results);
    for (int server = 1; server <= 3; server++) {
      MachineRows.delete(run.resolve("etcd"), server + "-server");
    }
    report(run);
    assertThat(read(run, "AVG-CPU.csv"))
        .startsWith("AVG-CPU-etcd-v1.2.3,AVG-CPU-zookeeper-v1.2.3\n,")
        .hasLineCount(13);
    assertThat(read(run, "AVG-CPU.svg")).doesNotContain(">etcd-v1.2.3<");
    assertThat(read(run, "AVG-VMRSS-MB-BY-KEY.csv"))
        .startsWith("KEYS-etcd-v1.2.3,AVG-VMRSS-MB-etcd-v1.2.3,KEYS-zookeeper-v1.2.3,")
        .contains("\n,,1000,");
  }

  @Test
  void withoutMetricsOfAnyServerThereAreNoPlotsOfServers() throws IOException {
    Path run = new SyntheticRun(List.of("consul"), 1, 50, List.of(5), 99).write(results);
    for (int server = 1; server <= 3; server++) {
      MachineRows.delete(run.resolve("consul"), server + "-server");
    }
    report(run);
    assertThat(names(run, ".svg"))
        .containsExactly(
            "AVG-LATENCY-MS-BY-KEY-ERROR-POINTS.svg",
            "AVG-LATENCY-MS-BY-KEY.svg",
            "AVG-LATENCY-MS.svg",
            "AVG-THROUGHPUT.svg",
            "LATENCY-DISTRIBUTION-MS.svg",
            "LATENCY-HEAT-MAP-consul.svg",
            "LATENCY-P99-MS.svg",
            "LATENCY-PERCENTILES-MS-consul.svg");
    assertThat(names(run, ".csv"))
        .containsExactly(
            "AVG-LATENCY-MS-BY-CLIENT-NUM.csv",
            "AVG-LATENCY-MS-BY-KEY-ERROR-POINTS.csv",
            "AVG-LATENCY-MS-BY-KEY.csv",
            "AVG-LATENCY-MS.csv",
            "AVG-THROUGHPUT-BY-CLIENT-NUM.csv",
            "AVG-THROUGHPUT.csv");
    assertThat(read(run, "AVG-THROUGHPUT.svg")).contains("<circle ");
  }

  private static void report(Path run) {
    new RunReport(ExperimentRun.read(run), RowLabels.LATER).write();
  }

  private static List<String> names(Path run, String part) {
    try (Stream<Path> files = Files.list(run.resolve("plots"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.contains(part))
          .sorted()
          .toList();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String read(Path run, String name) {
    try {
      return Files.readString(run.resolve("plots").resolve(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
