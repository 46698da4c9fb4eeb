// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Quorate;
import java.nio.file.Path;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run in steps of 1, 5 and 10 clients: a second in which one step ended and the next one began, a
 * pause, a stall, and a total that is not a multiple of 1000. What is expected was worked out by
 * hand from the reference's rules.
 */
class VariableClientsTest {
  private static final String SERIES =
      ReferenceDirectory.ETCD + "client-latency-throughput-timeseries.csv";

  private static final Collector<CharSequence, ?, String> LINES =
      Collectors.joining("\n", "", "\n");

  @TempDir Path temporary;
  private ReferenceDirectory run;

  @BeforeEach
  void makeSteps() {
    run = new ReferenceDirectory(temporary).plots("AVG-LATENCY-MS", "AVG-THROUGHPUT", "AVG-CPU");
    run.replace("config.yaml", "- zookeeper__r3_5_3_beta\n- consul__v1_0_2\n", "");
    run.replace(
        "config.yaml", "connection_client_numbers: []", "connection_client_numbers: [1, 5, 10]");
    run.replace("config.yaml", "request_number: 5000", "request_number: 4500");
    run.write(
        SERIES,
        """
        UNIX-SECOND,CONTROL-CLIENT-NUM,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS,AVG-THROUGHPUT
        1519000000,1,1.000000,2.000000,3.000000,100
        1519000001,1,1.000000,4.000000,9.000000,50
        1519000001,5,0.500000,1.000000,8.000000,25
        1519000003,5,2.000000,3.000000,4.000000,900
        1519000004,10,1.500000,2.500000,3.500000,2000
        1519000005,10,0.000000,0.000000,0.000000,0
        1519000006,10,1.000000,3.000000,5.000000,1425
        """);
  }

  @Test
  void secondsAreMergedAndFilledIn() {
    assertThat(run.report("--as-published")).isZero();
    String aggregated = run.written("etcd-v3.3.0-go1.9.3-all-aggregated.csv");
    assertThat(aggregated.lines().map(VariableClientsTest::clientPart).collect(LINES))
        .isEqualTo(
            """
            UNIX-SECOND,SECOND,CONTROL-CLIENT-NUM,MIN-LATENCY-MS,AVG-THROUGHPUT,AVG-LATENCY-MS,MAX-LATENCY-MS,CUMULATIVE-THROUGHPUT
            1519000000,0,1,1,100,2,3,100
            1519000001,1,5,0.5,75,2.5,9,175
            1519000002,2,5,0,0,0,0,175
            1519000003,3,5,2,900,3,4,1075
            1519000004,4,10,1.5,2000,2.5,3.5,3075
            1519000005,5,10,0,0,0,0,3075
            1519000006,6,10,1,1425,3,5,4500
            """);
    assertThat(run.written("all-aggregated.csv"))
        .contains("MAX-THROUGHPUT,\"2,000 req/sec\"", "MIN-THROUGHPUT,0 req/sec")
        .contains("TOTAL-REQUEST-NUMBER,\"4,500\"");
  }

  private static String clientPart(String line) {
    String[] cells = line.split(",");
    return String.join(
        ",", cells[0], cells[1], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8]);
  }

  @Test
  void aTotalThatIsNoMultipleOf1000HasARowOfZerosBeforeTheLast() {
    run.report();
    assertThat(run.written("etcd-v3.3.0-go1.9.3-server-write-bytes-delta-by-key-number.csv"))
        .isEqualTo(
            """
            KEYS,AVG-WRITE-BYTES-NUM-DELTA,AVG-WRITE-BYTES
            1000,4622336.00,4.6 MB
            2000,4622336.00,4.6 MB
            3000,5042176.00,5.0 MB
            4000,5042176.00,5.0 MB
            4500,0.00,0 B
            5000,5206016.00,5.2 MB
            """);
    assertThat(run.written("etcd-v3.3.0-go1.9.3-server-memory-by-key-number.csv"))
        .isEqualTo(
            """
            KEYS,MIN-VMRSS-MB,AVG-VMRSS-MB,MAX-VMRSS-MB
            1000,157.88,175.51,193.50
            2000,157.88,175.51,193.50
            3000,168.12,186.34,204.68
            4000,168.12,186.34,204.68
            4500,0.00,0.00,0.00
            5000,187.51,207.72,227.44
            """);
  }

  @Test
  void asPublishedTheLastSecondsOfAStepCountMost() {
    run.report("--as-published");
    assertThat(run.written("AVG-LATENCY-MS-BY-CLIENT-NUM-aggregated.csv"))
        .isEqualTo(
            """
            CONTROL-CLIENT-NUM,AVG-LATENCY-MS-etcd-v3.3.0-go1.9.3
            1,2.0000
            5,2.1250
            10,2.1250
            """);
    assertThat(run.written("AVG-THROUGHPUT-BY-CLIENT-NUM-aggregated.csv"))
        .isEqualTo(
            """
            CONTROL-CLIENT-NUM,AVG-THROUGHPUT-etcd-v3.3.0-go1.9.3
            1,100.0000
            5,468.7500
            10,1212.5000
            """);
  }

  /** Without the pause; latencies also without the stall, in which there were none. */
  @Test
  void theMeanOfAStepIsThatOfTheSecondsInWhichRequestsWereMade() {
    run.report();
    assertThat(run.written("AVG-LATENCY-MS-BY-CLIENT-NUM-aggregated.csv"))
        .endsWith("\n1,2.0000\n5,2.7500\n10,2.7500\n");
    assertThat(run.written("AVG-THROUGHPUT-BY-CLIENT-NUM-aggregated.csv"))
        .endsWith("\n1,100.0000\n5,487.5000\n10,1141.6667\n");
  }

  /** The reference counts a cell without a number as 0. */
  @Test
  void asPublishedAMissingCellOfAServerCountsAs0() {
    run.replace("config.yaml", "- column: AVG-CPU\n", "- column: CLIENT-NUM-1\n");
    String server = ReferenceDirectory.ETCD + "1-server-system-metrics-interpolated.csv";
    run.write(server, run.read(server).replaceAll("(?m)^(\\d+,151900000[4-6],.*,)10$", "$1"));
    assertThat(run.report("--as-published")).isZero();
    assertThat(run.written("CLIENT-NUM-1-BY-CLIENT-NUM-aggregated.csv"))
        .endsWith("\n1,10.0000\n5,10.0000\n10,0.0000\n");
    assertThat(run.report()).isZero();
    assertThat(run.written("CLIENT-NUM-1-BY-CLIENT-NUM-aggregated.csv"))
        .endsWith("\n1,10.0000\n5,10.0000\n10,\n");
  }

  @Test
  void theNumbersOfLoadByTheSecondAreBesideTheFigure() {
    run.report();
    assertThat(run.written("AVG-THROUGHPUT-BY-CLIENT-NUM.csv"))
        .isEqualTo(
            """
            CONTROL-CLIENT-NUM-etcd-v3.3.0-go1.9.3,AVG-THROUGHPUT-etcd-v3.3.0-go1.9.3
            1,100
            5,75
            5,0
            5,900
            10,2000
            10,0
            10,1425
            """);
  }

  @Test
  void everyDatabaseMustHaveSeenTheSameNumbersOfLoad() {
    run.replace("config.yaml", "- etcd__v3_3\n", "- etcd__v3_3\n- consul__v1_0_2\n");
    assertThat(run.report()).isEqualTo(Quorate.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "consul__v1_0_2: all keys must be [1 5 10], got [5]:"
                + " every database needs the same numbers of clients");
  }
}
