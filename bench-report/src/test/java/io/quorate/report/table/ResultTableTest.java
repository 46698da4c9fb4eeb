// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.PublishedTable;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.TotalFigures;
import io.quorate.results.requests.ClientResults.ErrorCount;
import io.quorate.results.requests.Golden;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultTableTest {
  private static final PublishedTable PUBLISHED = new PublishedTable("seed001-01");

  @ParameterizedTest
  @CsvSource({
    "seed000-01, en", "seed000-01, de", "seed000-01, ru",
    "seed000-02, en", "seed000-02, de", "seed000-02, ru",
    "seed000-03, en", "seed000-03, de", "seed000-03, ru",
    "seed000-04, en", "seed000-04, de", "seed000-04, ru",
    "seed001-01, en", "seed001-01, de", "seed001-01, ru",
  })
  void publishedTablesAreReproducedFromTheirValues(String name, String locale) {
    PublishedTable published = new PublishedTable(name);
    Golden.inLocale(
        locale,
        () ->
            assertThat(new ResultTable(published.results(), published.labels()).table())
                .isEqualTo(published.text()));
  }

  @Test
  void theCsvHasTheRawBytesToo() {
    String csv = new ResultTable(PUBLISHED.results(), RowLabels.LATER).csv();
    assertThat(csv.lines()).hasSize(35);
    assertThat(csv)
        .startsWith(",etcd-v3.3.0-go1.9.2,zookeeper-r3.5.3-beta-java8,consul-v1.0.2-go1.9.2\n")
        .contains(
            """
            TOTAL-SECONDS,28.3623 sec,59.2167 sec,178.9443 sec
            TOTAL-REQUEST-NUMBER,"1,000,000","1,000,000","1,000,000"
            MAX-THROUGHPUT,"37,330 req/sec","25,124 req/sec","15,865 req/sec"
            """)
        .contains(
            """
            SERVER-TOTAL-NETWORK-RX-DATA-SUM,5.1 GB,4.6 GB,5.6 GB
            SERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,5100000000.00,4600000000.00,5600000000.00
            SERVER-TOTAL-NETWORK-TX-DATA-SUM,3.8 GB,3.6 GB,4.4 GB
            """)
        .endsWith("SERVER-AVG-DISK-SPACE-USAGE,2.6 GB,6.9 GB,2.9 GB\n");
  }

  @Test
  void aFigureThatNoDatabaseHasHasNoRow() {
    List<TotalFigures> results =
        PUBLISHED.results().stream().map(result -> withHost(result, Map.of())).toList();
    assertThat(new ResultTable(results, RowLabels.LATER).table())
        .doesNotContain("SERVER-", "CLIENT-TOTAL", "CLIENT-MAX", " - |")
        .contains("CLIENT-ERROR-COUNT", "Latency p99.9")
        .hasLineCount(4 + 17);
    assertThat(new ResultTable(results, RowLabels.LATER).csv()).doesNotContain("RAW");
  }

  @Test
  void aFigureThatOnlySomeDatabasesHaveIsShownAsMissing() {
    List<TotalFigures> results = new ArrayList<>(PUBLISHED.results());
    Map<HostFigure, Double> host = new EnumMap<>(results.get(1).host());
    host.remove(HostFigure.SERVER_RECEIVED_BYTES);
    results.set(1, withHost(results.get(1), host));

    ResultTable table = new ResultTable(results, RowLabels.LATER);

    assertThat(table.table())
        .contains(
            "|      SERVER-TOTAL-NETWORK-RX-DATA-SUM |              5.1 GB |"
                + "                           - |                5.6 GB |\n");
    assertThat(table.csv())
        .contains("SERVER-TOTAL-NETWORK-RX-DATA-SUM,5.1 GB,,5.6 GB\n")
        .contains("SERVER-TOTAL-NETWORK-RX-DATA-BYTES-SUM-RAW,5100000000.00,,5600000000.00\n");
  }

  @Test
  void errorsFollowTheTableAsInTheReference() {
    List<TotalFigures> results = new ArrayList<>(PUBLISHED.results());
    results.set(
        1,
        withErrors(
            results.get(1),
            new ErrorCount("\"zk: could not connect to a server\"", 2264),
            new ErrorCount("\"zk: connection closed\"", 388)));
    assertThat(new ResultTable(results, RowLabels.LATER).text())
        .isEqualTo(
            PUBLISHED.text()
                + """


                zookeeper errors:
                "zk: could not connect to a server" (count 2,264)
                "zk: connection closed" (count 388)
                """);
  }

  @Test
  void everyDatabaseWithErrorsIsListed() {
    List<TotalFigures> results = new ArrayList<>(PUBLISHED.results());
    results.set(0, withErrors(results.get(0), new ErrorCount("\"a\\n\"", 1)));
    results.set(1, withErrors(results.get(1)));
    results.set(2, withErrors(results.get(2), new ErrorCount("\"b\u001b[2J\"", 1000)));
    assertThat(new ResultTable(results, RowLabels.LATER).text())
        .endsWith(
            """
            +


            etcd errors:
            "a\\n" (count 1)

            consul errors:
            "b\\x1b[2J" (count 1,000)
            """);
  }

  @Test
  void withoutSuccessesThereAreNoLatencies() {
    TotalFigures published = PUBLISHED.results().get(0);
    TotalFigures failed =
        new TotalFigures(
            "etcd",
            "etcd-v3",
            0.01,
            OptionalDouble.of(2),
            OptionalLong.of(10),
            OptionalLong.of(0),
            OptionalDouble.of(0),
            OptionalLong.of(0),
            Optional.empty(),
            Optional.of(List.of(new ErrorCount("\"x\"", 10))),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Basis.UNKNOWN);
    assertThat(new ResultTable(List.of(failed), RowLabels.LATER).table())
        .isEqualTo(
            """
            +----------------------+------------+
            |                      |  etcd-v3   |
            +----------------------+------------+
            |        TOTAL-SECONDS | 2.0000 sec |
            | TOTAL-REQUEST-NUMBER |         10 |
            |       MAX-THROUGHPUT |  0 req/sec |
            |       AVG-THROUGHPUT |  0 req/sec |
            |       MIN-THROUGHPUT |  0 req/sec |
            |   CLIENT-ERROR-COUNT |         10 |
            +----------------------+------------+
            """);
    assertThat(new ResultTable(List.of(failed), RowLabels.LATER).csv()).contains("SCALE,0.01\n");
    assertThat(new ResultTable(List.of(published, failed), RowLabels.LATER).table())
        .contains("|                           Latency p50 |        22.167478 ms |          - |");
  }

  private static TotalFigures withHost(TotalFigures of, Map<HostFigure, Double> host) {
    return changed(of, of.errors().orElseThrow(), host);
  }

  private static TotalFigures withErrors(TotalFigures of, ErrorCount... errors) {
    return changed(of, List.of(errors), of.host());
  }

  private static TotalFigures changed(
      TotalFigures of, List<ErrorCount> errors, Map<HostFigure, Double> host) {
    return new TotalFigures(
        of.id(),
        of.tag(),
        of.scale(),
        of.totalSeconds(),
        of.requests(),
        of.maxThroughput(),
        of.requestsPerSecond(),
        of.minThroughput(),
        of.latency(),
        Optional.of(errors),
        host,
        Optional.empty(),
        Optional.empty(),
        Basis.failing(Optional.of(errors)));
  }
}
