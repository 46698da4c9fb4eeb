// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.format.OutputFiles;
import io.quorate.report.figures.Basis;
import io.quorate.report.plot.RunPlots;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest.Cell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class OutagesBySizeTest {
  private final List<CellResult> cells = new ArrayList<>();

  /** Adds a cell with a run for each of these times without writes during a defragmentation. */
  private void add(String database, double gigabytes, double... outagesMs) {
    List<RepeatFigures> runs = new ArrayList<>();
    for (double ms : outagesMs) {
      runs.add(
          new RepeatFigures(
              runs.size() + 1,
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
              Map.of(),
              Map.of(),
              List.of(new RepeatFigures.Outages("defragment", ms, 2 * ms)),
              new RepeatFigures.MemberTimes(Map.of(), Set.of(), List.of()),
              Optional.empty()));
    }
    CellInfo facts =
        new CellInfo(
            database,
            Optional.empty(),
            "put",
            Optional.empty(),
            "spread",
            1000,
            256,
            1,
            1,
            false,
            false,
            3,
            gigabytes,
            List.of(1),
            List.of());
    Map<String, String> coordinates = new LinkedHashMap<>();
    coordinates.put("database", database);
    coordinates.put("variant", gigabytes + " GB");
    Cell cell = new Cell("00" + (cells.size() + 1) + "-x", coordinates);
    cells.add(new CellResult(cell, Optional.of(facts), runs, List.of()));
  }

  @Test
  void seconds_without_writes_grow_with_the_data() {
    add("etcd", 0.01, 120, 80);
    add("etcd", 0.1, 400);
    add("etcd", 1, 3_700, 3_500);
    add("consul", 0.1, 50);
    OutagesBySize found = OutagesBySize.of(cells);

    assertThat(found.sentences())
        .containsExactly(
            "etcd, values of 256 B, defragment: writes of the worst client stopped for 7.01 s per GB"
                + " of data (0.200 s with 10 MB, 7.200 s with 1.0 GB).",
            "etcd, values of 256 B, defragment: writes of all clients stopped for 3.51 s per GB of"
                + " data (0.100 s with 10 MB, 3.600 s with 1.0 GB).");
    assertThat(found.csv())
        .isEqualTo(
            """
            DATABASE,FAULT,DATA-GB,WRITES-STOPPED-SECONDS,WORST-CLIENT-SECONDS
            "etcd, values of 256 B",defragment,0.01,0.120,0.240
            "etcd, values of 256 B",defragment,0.01,0.080,0.160
            "etcd, values of 256 B",defragment,0.1,0.400,0.800
            "etcd, values of 256 B",defragment,1,3.700,7.400
            "etcd, values of 256 B",defragment,1,3.500,7.000
            """);
    Map<String, byte[]> files = new ConcurrentHashMap<>();
    RunPlots.draw(found.tasks(), files::put);
    assertThat(files)
        .containsOnlyKeys(
            "OUTAGES-BY-SIZE.svg",
            "OUTAGES-BY-SIZE.png",
            "WORST-CLIENT-BY-SIZE.svg",
            "WORST-CLIENT-BY-SIZE.png");
    assertThat(new String(files.get("OUTAGES-BY-SIZE.svg"), StandardCharsets.UTF_8))
        .contains("etcd, values of 256 B, defragment", "GB of data");
  }

  @Test
  void published_plots_are_svg_files_only() {
    add("etcd", 0.01, 120, 80);
    add("etcd", 1, 3_700);
    MatrixDirectory published = new MatrixDirectory(Path.of("/results/lab-vm/2026-11-21/sizes"));
    OutputFiles files = new OutputFiles(published.path());

    new MatrixReport(MadeUpMatrix.of(cells)).addPublished(published, files);

    Map<String, String> texts = new LinkedHashMap<>();
    files.forEach(
        (file, content) ->
            texts.put(file.getFileName().toString(), new String(content, StandardCharsets.UTF_8)));
    assertThat(texts)
        .containsOnlyKeys(
            "matrix.csv",
            "card.png",
            "matrix-result.json",
            "OUTAGES-BY-SIZE.csv",
            "OUTAGES-BY-SIZE.svg",
            "WORST-CLIENT-BY-SIZE.svg",
            "index.html");
    assertThat(texts.get("index.html"))
        .contains("href=\"OUTAGES-BY-SIZE.svg\"", "href=\"OUTAGES-BY-SIZE.csv\"")
        .doesNotContain("SIZE.png");
  }

  @Test
  void more_data_may_cost_nothing() {
    add("consul", 0.01, 120);
    add("consul", 0.1, 80);
    assertThat(OutagesBySize.of(cells).sentences())
        .contains(
            "consul, values of 256 B, defragment: writes of all clients stopped no longer with more"
                + " data (0.120 s with 10 MB, 0.080 s with 100 MB).");
  }

  @Test
  void one_size_has_no_slope() {
    add("etcd", 0.1, 120);
    add("zookeeper", 0, 120);
    assertThat(OutagesBySize.of(cells).isEmpty()).isTrue();
    assertThat(OutagesBySize.of(List.of()).isEmpty()).isTrue();
  }

  @Test
  void the_slope_of_a_line_is_found_despite_an_outlier() {
    double[] x = {0, 1, 2, 3, 4};
    assertThat(OutagesBySize.slope(x, new double[] {5, 7, 9, 11, 13})).hasValue(2);
    assertThat(OutagesBySize.slope(x, new double[] {5, 7, 9, 11, 1000})).hasValue(2);
  }

  @Test
  void points_with_the_same_x_have_no_slope() {
    assertThat(OutagesBySize.slope(new double[] {1, 1}, new double[] {2, 3})).isEmpty();
    assertThat(OutagesBySize.slope(new double[0], new double[0])).isEmpty();
    assertThat(OutagesBySize.slope(new double[] {1, 1, 3}, new double[] {2, 4, 6})).hasValue(1.5);
  }
}
