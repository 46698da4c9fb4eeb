// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.report.TestRuns;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.OperationSteps;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class DbtesterExportTest {
  static final List<String> TAGS = Golden.TAGS;

  @TempDir Path directory;
  private final Map<String, String> files = new HashMap<>();

  @ParameterizedTest
  @FieldSource("TAGS")
  void summaryIsTheReferences(String tag) {
    write(Golden.steps(tag));
    assertThat(file("client-latency-distribution-summary.csv"))
        .isEqualTo(Golden.text(tag + "-client-latency-distribution-summary.csv"));
  }

  @ParameterizedTest
  @FieldSource("TAGS")
  void timeSeriesIsTheReferences(String tag) {
    write(Golden.steps(tag));
    assertThat(file("client-latency-throughput-timeseries.csv"))
        .isEqualTo(Golden.text(tag + "-client-latency-throughput-timeseries.csv"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"de", "ru"})
  void aLocaleChangesNothing(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          summaryIsTheReferences("zookeeper-r3.5.3-beta-java8");
          timeSeriesIsTheReferences("zookeeper-r3.5.3-beta-java8");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd-v3.3.0-go1.9.3", "consul-v1.0.2-go1.9.3"})
  void byKeyNumberIsTheReferencesIfAllRequestsSucceed(String tag) {
    write(Golden.steps(tag));
    assertThat(file("client-latency-by-key-number.csv"))
        .isEqualTo(Golden.text(tag + "-client-latency-by-key-number.csv"));
  }

  /** The reference says 5000 keys, but 22 of these requests failed. */
  @Test
  void byKeyNumberEndsWithTheKeysThatWereWritten() {
    write(Golden.steps("zookeeper-r3.5.3-beta-java8"));
    assertThat(file("client-latency-by-key-number.csv"))
        .isEqualTo(
            Golden.text("zookeeper-r3.5.3-beta-java8-client-latency-by-key-number.csv")
                .replace("5000,", "4978,"));
  }

  /**
   * The reference takes the latency one rank above the nearest rank; ours must be the latency of
   * the nearest rank, up to the third digit.
   */
  @ParameterizedTest
  @FieldSource("TAGS")
  void percentilesAreNearestRanksWithThreeDigits(String tag) {
    long[] sorted =
        Golden.rows(tag + "-requests.csv").stream()
            .filter(row -> row.get(4).isEmpty())
            .mapToLong(row -> Long.parseLong(row.get(3)) - Long.parseLong(row.get(2)))
            .sorted()
            .toArray();
    long[] perMille = {100, 250, 500, 750, 900, 950, 990, 999};
    write(Golden.steps(tag));

    String[] rows = file("client-latency-distribution-percentile.csv").split("\n");
    List<CSVRecord> reference = Golden.rows(tag + "-client-latency-distribution-percentile.csv");
    assertThat(rows).hasSize(9);
    assertThat(rows[0]).isEqualTo("LATENCY-PERCENTILE,LATENCY-MS");
    for (int i = 0; i < perMille.length; i++) {
      int rank = (int) ((perMille[i] * sorted.length + 999) / 1000);
      double exact = sorted[rank - 1] / 1e6;
      double ours = Double.parseDouble(rows[i + 1].split(",")[1]);
      assertThat(rows[i + 1].split(",")[0]).isEqualTo(reference.get(i).get(0));
      assertThat(ours).isBetween(exact, exact * 1.001);
      assertThat(ours).isLessThanOrEqualTo(sorted[sorted.length - 1] / 1e6);
      // sorted[rank] is what the reference says
      assertThat(sorted[rank] / 1e6).isCloseTo(number(reference.get(i), 1), within(1e-6));
    }
  }

  private static double number(CSVRecord row, int column) {
    return Double.parseDouble(row.get(column));
  }

  /** Only a latency within the histogram's resolution of a multiple of 10 ms may move. */
  @ParameterizedTest
  @FieldSource("TAGS")
  void distributionIsTheReferencesButForFewLatenciesAtTheEdges(String tag) {
    TreeMap<Long, Long> reference = new TreeMap<>();
    for (CSVRecord row : Golden.rows(tag + "-client-latency-distribution-all.csv")) {
      reference.put(Long.parseLong(row.get(0)), Long.parseLong(row.get(1)));
    }
    write(Golden.steps(tag));

    List<String> rows = file("client-latency-distribution-all.csv").lines().skip(1).toList();
    assertThat(rows).hasSameSizeAs(reference.entrySet());
    for (String row : rows) {
      long bucket = Long.parseLong(row.split(",")[0]);
      long count = Long.parseLong(row.split(",")[1]);
      assertThat(count).as(row).isCloseTo(reference.get(bucket), within(1L));
    }
  }

  @Test
  void stepsAreAddedUpWithoutThePausesBetweenThem() {
    write(
        List.of(
            Golden.step(1, 100, 2_000_000, 4_000_000), Golden.step(10, 100, 6_000_000, 8_000_000)));

    assertThat(file("client-latency-distribution-summary.csv"))
        .isEqualTo(
            """
            TOTAL-SECONDS,0.0200
            REQUESTS-PER-SECOND,200.0000
            SLOWEST-LATENCY-MS,8.0000
            FASTEST-LATENCY-MS,2.0000
            AVERAGE-LATENCY-MS,5.0000
            STDDEV-LATENCY-MS,2.2361
            ERROR,0
            """);
    assertThat(file("client-latency-throughput-timeseries.csv"))
        .isEqualTo(
            """
            UNIX-SECOND,CONTROL-CLIENT-NUM,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS,AVG-THROUGHPUT
            100,1,2.000000,3.000000,4.000000,2
            100,10,6.000000,7.000000,8.000000,2
            """);
    assertThat(file("client-latency-distribution-percentile.csv"))
        .startsWith("LATENCY-PERCENTILE,LATENCY-MS\np10,2.000")
        .contains("\np50,4.00", "\np75,6.000", "\np90,8.000000\n", "\np99.9,8.000000\n");
  }

  @Test
  void operationsAreTakenTogether() {
    files(DatabaseRun.read(OperationSteps.write(directory).path()));

    assertThat(file("client-latency-throughput-timeseries.csv"))
        .isEqualTo(
            """
            UNIX-SECOND,CONTROL-CLIENT-NUM,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS,AVG-THROUGHPUT
            100,10,1.000000,1.500000,2.000000,2
            101,10,0.000000,0.000000,0.000000,0
            102,10,3.000000,4.000000,5.000000,2
            103,4,4.000000,4.000000,4.000000,3
            104,4,6.000000,6.000000,6.000000,1
            """);
  }

  @Test
  void withoutASuccessThereAreNoLatencies() {
    write(List.of(failing()));

    assertThat(file("client-latency-distribution-summary.csv"))
        .isEqualTo(
            """
            TOTAL-SECONDS,2.0000
            REQUESTS-PER-SECOND,0.0000
            "ERROR: ""no leader\\n""\",5
            "ERROR: ""a, \\""b\\""\""",2
            """);
    assertThat(file("client-latency-distribution-percentile.csv"))
        .isEqualTo("LATENCY-PERCENTILE,LATENCY-MS\n");
    assertThat(file("client-latency-distribution-all.csv")).isEqualTo("LATENCY-MS,COUNT\n");
    assertThat(file("client-latency-by-key-number.csv"))
        .isEqualTo("KEYS,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS\n");
  }

  private static StepMeasurement failing() {
    return Measurements.ofPuts(
        3,
        2_000_000_000,
        Latencies.NONE,
        new Histogram(3),
        List.of(
            new SecondMeasurement(
                100,
                Latencies.NONE,
                List.of(
                    new ErrorTally("other", "a, \"b\"", 2, 1),
                    new ErrorTally("rejected", "no leader\n", 3, 1_500_000))),
            new SecondMeasurement(
                101,
                Latencies.NONE,
                List.of(new ErrorTally("timeout", "no leader\n", 2, 2_000_000_000L)))),
        new SuccessGaps(0, List.of()));
  }

  @Test
  void beforeTheFirstRequestNothingIsKnown() {
    DatabaseDirectory etcd = new RunDirectory(directory).createDatabase("etcd");
    TestRuns.measure(etcd, List.of());
    Manifests.of("etcd", "etcd", 1, 5000).write(etcd);
    files(DatabaseRun.read(etcd.path()));
    assertThat(file("client-latency-distribution-summary.csv"))
        .isEqualTo("TOTAL-SECONDS,0.0000\nERROR,0\n");
  }

  private void write(List<StepMeasurement> steps) {
    files(TestRuns.write(directory, "etcd", "etcd", 1, 5000, steps));
  }

  private void files(DatabaseRun run) {
    DbtesterExport.write(DatabaseFigures.of(run), files::put);
  }

  private String file(String name) {
    return files.get(name);
  }
}
