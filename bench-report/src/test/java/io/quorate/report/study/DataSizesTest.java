// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.export.JunitXml.TestCase;
import io.quorate.report.figures.Basis;
import io.quorate.report.study.DataSizes.Trend;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.report.study.RepeatFigures.MemberTimes;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.SizePrediction;
import io.quorate.scenario.Metric;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DataSizesTest {
  private static final Row P99 =
      new Row("10 clients, put", OptionalInt.of(1), Optional.of("put"), Metric.P99);

  private final List<CellResult> cells = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private final List<SizePrediction> predictions = new ArrayList<>();

  /** Adds a cell whose members took a time to start again; the p99 is as many times 10 ms. */
  private void add(String variant, double gigabytes, int valueBytes, double seconds) {
    CellInfo facts =
        new CellInfo(
            "etcd",
            Optional.empty(),
            "put",
            Optional.empty(),
            "spread",
            1000,
            valueBytes,
            1,
            1,
            false,
            false,
            3,
            gigabytes,
            List.of(1),
            List.of());
    RepeatFigures run =
        new RepeatFigures(
            1,
            1000,
            0,
            100,
            1,
            1,
            1,
            0,
            2,
            Optional.empty(),
            Basis.UNKNOWN,
            Map.of(P99, 10 * seconds),
            Map.of(),
            List.of(),
            new MemberTimes(Map.of("kill-all until all serve (s)", seconds), Set.of(), List.of()),
            Optional.empty());
    cells.add(new CellResult(cell(variant), Optional.of(facts), List.of(run), List.of()));
  }

  private Cell cell(String variant) {
    Map<String, String> coordinates = new LinkedHashMap<>();
    coordinates.put("database", "etcd");
    coordinates.put("variant", variant);
    return new Cell("00%d-x".formatted(cells.size() + 1), coordinates);
  }

  private MatrixResults results() {
    return new MatrixResults(
        MadeUpMatrix.of(cells).manifest(),
        cells,
        predictions,
        List.of(new TestCase("study", "put p50 <= 20 ms", Optional.empty(), Optional.empty())),
        broken,
        List.of(),
        List.of());
  }

  @Test
  void values_of_another_size_are_another_series_and_cells_of_one_size_are_merged() {
    add("0.1 GB of 1 kB", 0.1, 1000, 1);
    add("0.5 GB", 0.5, 10_000, 2);
    add("1 GB", 1, 10_000, 3);
    add("1 GB again", 1, 10_000, 5);
    add("1.1 GB of 1 kB", 1.1, 1000, 7);

    assertThat(DataSizes.of(results()).tables(List.of()))
        .extracting(Table::title, table -> table.rows().get(1).subList(0, 3))
        .containsExactly(
            tuple(
                "etcd, values of 1,000 B", List.of("kill-all until all serve (s)", "1.00", "7.00")),
            tuple(
                "etcd, values of 10,000 B",
                List.of("kill-all until all serve (s)", "2.00", "4.00")));
  }

  @Test
  void the_first_screen_the_console_and_the_result_have_the_largest_size_and_the_predictions() {
    add("0.1 GB", 0.1, 1000, 1);
    add("1 GB", 1, 1000, 2);
    cells.add(
        new CellResult(
            cell("4 GB"), Optional.empty(), List.of(), List.of("003-x: failed: disk full")));
    predictions.add(
        new SizePrediction(
            Instant.EPOCH,
            "002-x",
            "etcd, values of 1,000 B",
            "put p99 (ms), with all faults",
            1,
            30,
            List.of(0.1)));
    MatrixReport report = new MatrixReport(results());
    String within =
        "etcd, values of 1,000 B: up to 1.0 GB, the most that was measured, within the limits; 4 GB"
            + " was not measured: failed: disk full.";

    assertThat(report.page(new MatrixDirectory(Path.of("/results/study/1")), List.of()).summary())
        .contains(within);
    assertThat(report.text().replaceAll("\\s+", " "))
        .contains(within, "put p99 (ms), with all faults", "+50%");
    assertThat(results().json()).contains("\"predicted\" : 30.0");
  }

  @Test
  void a_size_that_breaks_a_limit_ends_those_within() {
    add("0.1 GB", 0.1, 1000, 1);
    add("1 GB", 1, 1000, 2);
    broken.add("002-x: put p50 <= 20 ms: 30 ms.");

    assertThat(DataSizes.of(results()).within(results()))
        .containsExactly(
            "etcd, values of 1,000 B: up to 100 MB within the limits. With 1.0 GB: put p50 <= 20 ms:"
                + " 30 ms.");
  }

  /** Returns the line through the values of 1 GB, 2 GB and so on. */
  private static Optional<Trend> trend(double... values) {
    return Trend.of(
        IntStream.range(0, values.length)
            .boxed()
            .collect(Collectors.toMap(i -> i + 1.0, i -> values[i], (a, b) -> a, TreeMap::new)));
  }

  @Test
  void five_sizes_have_an_interval_from_the_least_to_the_greatest_slope() {
    Trend trend = trend(3, 5, 7, 9, 31).orElseThrow();

    assertThat(trend.slope()).isEqualTo(2);
    assertThat(trend.at(6)).isEqualTo(13);
    assertThat(trend.interval().orElseThrow()).containsExactly(2, 22);
  }

  @Test
  void the_interval_of_six_sizes_leaves_out_a_slope_at_each_end() {
    Trend trend = trend(1, 2, 3, 4, 5, 60).orElseThrow();

    assertThat(trend.interval().orElseThrow()[0]).isEqualTo(1);
    assertThat(trend.interval().orElseThrow()[1]).isEqualTo(28);
  }

  @Test
  void four_sizes_have_a_slope_without_an_interval_and_two_have_none() {
    assertThat(trend(1, 2, 3, 4).orElseThrow().interval()).isEmpty();
    assertThat(trend(1, 2)).isEmpty();
  }
}
