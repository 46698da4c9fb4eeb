// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Quorate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is reported of damaged directories of the reference. */
class ReferenceInputTest {
  private static final String SERIES =
      ReferenceDirectory.ETCD + "client-latency-throughput-timeseries.csv";
  private static final String SERVER =
      ReferenceDirectory.ETCD + "2-server-system-metrics-interpolated.csv";
  private static final String CLIENT =
      ReferenceDirectory.ETCD + "client-system-metrics-interpolated.csv";
  private static final String DISK =
      ReferenceDirectory.ETCD + "server-disk-space-usage-summary.csv";

  @TempDir Path temporary;
  private ReferenceDirectory run;

  @BeforeEach
  void copy() {
    run = new ReferenceDirectory(temporary).plots("AVG-CPU");
  }

  @Test
  void aTruncatedFileIsNamedWithItsLine() {
    String text = run.read(SERVER);
    run.write(SERVER, text.substring(0, text.length() - 10));
    fails(SERVER, ":28: found an incomplete last line: file truncated");
  }

  @Test
  void aFileThatWasCutAtTheEndOfALineLacksTheLastSecond() {
    String text = run.read(SERVER);
    run.write(SERVER, text.substring(0, text.indexOf("\n0,1519000012,") + 1));
    fails(
        SERVER,
        ": found seconds 1518999991 to 1519000011: second 1519000012 is not found in system"
            + " metrics results");
  }

  @Test
  void aFirstSecondWithoutServerMetricsIsAnError() {
    String text = run.read(SERVER);
    String header = text.substring(0, text.indexOf('\n') + 1);
    run.write(SERVER, header + text.substring(text.indexOf("\n0,1519000001,") + 1));
    fails(
        SERVER,
        ": found seconds 1519000001 to 1519000017: second 1519000000 is not found in system"
            + " metrics results");
  }

  @Test
  void anotherHeaderIsNamed() {
    run.replace(SERVER, "VMRSS-NUM", "RSS");
    fails(
        SERVER,
        ":1: found a header without VMRSS-NUM, expected the header of a system " + "metrics file");
  }

  @Test
  void anotherHeaderOfTheTimeSeriesIsNamed() {
    run.replace(SERIES, "AVG-THROUGHPUT", "THROUGHPUT");
    fails(SERIES, ":1: found a header without AVG-THROUGHPUT and the unknown column THROUGHPUT,");
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    Files.delete(run.path(SERVER));
    fails(SERVER, ": found no such file");
  }

  @Test
  void allFilesThatAreWrongAreNamedAtOnce() throws IOException {
    Files.delete(run.path(SERVER));
    run.replace(SERIES, "24.437356", "NaN");
    run.write(CLIENT, "");
    Path consul = run.path(ReferenceDirectory.CONSUL + "2-server-system-metrics-interpolated.csv");
    Files.delete(consul);
    assertThat(run.report()).isEqualTo(Quorate.FAILED);
    assertThat(run.err())
        .isEqualTo(
            run.path(SERIES)
                + ":3: found 'NaN', expected a number of 0 or more\n"
                + run.path(SERVER)
                + ": found no such file, expected one of a run\n"
                + run.path(CLIENT)
                + ":1: found nothing, expected a header\n"
                + consul
                + ": found no such file, expected one of a run");
  }

  @Test
  void whatIsNoNumberIsNamed() {
    run.replace(SERVER, ",201.20,153460000,", ",NaN,153460000,");
    fails(SERVER, ":12: found 'NaN', expected a number of 0 or more");
  }

  @Test
  void latenciesThatAreNoNumbersAreNamed() {
    run.replace(SERIES, "24.437356", "NaN");
    fails(SERIES, ":3: found 'NaN', expected a number of 0 or more");
  }

  @Test
  void aClockThatGoesBackIsNamed() {
    run.replace(SERIES, "1519000005,", "1519000003,");
    fails(SERIES, ":7: found second 1519000003, expected 1519000004 or later");
  }

  @Test
  void aClockThatWasSetIsNamed() {
    run.replace(SERIES, "1519000012,", "2519000012,");
    fails(SERIES, ":14: found second 2519000012, expected one soon after 1519000011");
  }

  @Test
  void aClockOfAServerThatGoesBackIsNamed() {
    run.replace(SERVER, "\n0,1519000005,", "\n0,1519000003,");
    fails(SERVER, ":16: found second 1519000003, expected one after 1519000004");
  }

  @Test
  void aMissingSecondOfAServerIsNamed() {
    String text = run.read(SERVER);
    int line = text.indexOf("\n0,1519000005,");
    run.write(SERVER, text.substring(0, line) + text.substring(text.indexOf('\n', line + 1)));
    fails(SERVER, ":16: found second 1519000006, expected second 1519000005");
  }

  @Test
  void aSingleSecondIsTooFew() {
    run.write(SERIES, String.join("\n", run.read(SERIES).lines().limit(2).toList()) + "\n");
    fails(SERIES, ":2: found seconds: 1, expected at least 2");
  }

  @Test
  void aFileWithoutRowsIsNamed() {
    run.write(CLIENT, run.read(CLIENT).lines().findFirst().orElseThrow() + "\n");
    fails(CLIENT, ":2: found no row, expected one for each second");
  }

  @Test
  void anEmptyFileIsNamed() {
    run.write(CLIENT, "");
    fails(CLIENT, ":1: found nothing, expected a header");
  }

  @Test
  void aRowThatIsTooShortIsNamed() {
    run.replace(DISK, ",64186937", "");
    fails(DISK, ":3: found 3 cells, expected 4 cells");
  }

  /** The reference appends to an interpolated file that is there. */
  @Test
  void whatIsBeforeARepeatedHeaderIsOfAnotherRun() throws IOException {
    run.write(SERVER, run.read(SERVER).replace(",1519", ",1518") + run.read(SERVER));
    assertThat(run.report("--as-published")).isZero();
    assertThat(ReferenceDirectory.expected()).containsAllEntriesOf(run.written());
  }

  @Test
  void cellsThatWereNotMeasuredAreMissingAndNot0() {
    run.write(SERVER, run.read(SERVER).replace(",10\n", ",\n"));
    assertThat(run.report()).isZero();
    assertThat(run.written("etcd-v3.3.0-go1.9.3-all-aggregated.csv"))
        .contains("\n1519000000,0,,10,6.486569,");
    assertThat(run.report("--as-published")).isZero();
    assertThat(run.written("etcd-v3.3.0-go1.9.3-all-aggregated.csv"))
        .contains("\n1519000000,0,6.67,10,6.486569,");
  }

  @Test
  void aSumWithAMissingCellIsMissing() {
    run.write(CLIENT, run.read(CLIENT).replaceFirst(",56,251,\n", ",,251,\n"));
    assertThat(run.report()).isZero();
    assertThat(run.written("all-aggregated.csv"))
        .contains("\nCLIENT-TOTAL-NETWORK-RX-SUM,,5.6 MB,5.3 MB\n")
        .contains("\nCLIENT-TOTAL-NETWORK-TX-SUM,20 MB,23 MB,41 MB\n");
    assertThat(run.written("all-aggregated.txt"))
        .contains("|           CLIENT-TOTAL-NETWORK-RX-SUM |                   - |");
  }

  private void fails(String file, String message) {
    assertThat(run.report()).isEqualTo(Quorate.FAILED);
    assertThat(run.err()).startsWith(run.path(file).toString()).contains(message);
    assertThat(run.path("config-report")).doesNotExist();
  }
}
