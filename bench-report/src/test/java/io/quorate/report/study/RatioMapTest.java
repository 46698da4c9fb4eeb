// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.page.PageTemplate;
import io.quorate.results.MatrixDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** The heat map of two versions on a grid. */
class RatioMapTest {
  private static final List<String> READS = List.of("reads 80", "reads 50", "reads 20");
  private static final List<String> SIZES = List.of("256", "4096", "65536");
  private static final List<String> CLIENTS = List.of("8", "32", "128", "512");
  private static final int RUNS = 6;

  /**
   * Returns results of two versions.
   *
   * @param ms latency of each run
   * @param slower cell of which the second version takes 1.5 times as long; may be empty
   */
  private static MatrixResults grid(DoubleSupplier ms, List<String> slower) {
    List<CellResult> cells = new ArrayList<>();
    for (String reads : READS) {
      for (String size : SIZES) {
        for (String clients : CLIENTS) {
          for (String version : List.of("3.5.35", "3.7.3")) {
            Map<String, String> coordinates = new LinkedHashMap<>();
            coordinates.put("variant", reads);
            coordinates.put("values", size);
            coordinates.put("connections", clients);
            coordinates.put("version", version);
            boolean isSlower =
                version.equals("3.7.3") && slower.equals(List.of(reads, size, clients));
            double[] runs = new double[RUNS];
            for (int i = 0; i < RUNS; i++) {
              runs[i] = ms.getAsDouble() * (isSlower ? 1.5 : 1);
            }
            cells.add(MadeUpMatrix.measured(coordinates, runs));
          }
        }
      }
    }
    return MadeUpMatrix.of(cells);
  }

  private static DoubleSupplier noise(Random random) {
    return () -> Math.exp(0.03 * random.nextGaussian());
  }

  @Test
  void one_cell_of_36_that_is_slower_has_a_color() {
    MatrixResults grid = grid(noise(new Random(7)), List.of("reads 50", "4096", "128"));

    MatrixPage page =
        new MatrixReport(grid).page(new MatrixDirectory(Path.of("/results/g/1")), List.of());

    RatioMap map = page.maps().get(0);
    assertThat(map.sentence()).isEqualTo("1 of 36 cells differs.");
    assertThat(page.summary())
        .contains("Throughput of 3.7.3 as a part of that of 3.5.35: 1 of 36 cells differs.");
    assertThat(map.differing())
        .singleElement()
        .asString()
        .startsWith("variant reads 50, values 4096, connections 128: 0.6")
        .endsWith(": slower)");
    assertThat(map.panels())
        .extracting(RatioMap.Panel::name)
        .containsExactly("variant reads 80", "variant reads 50", "variant reads 20");
    assertThat(map.panels().get(1).columns())
        .containsExactly("connections 8", "connections 32", "connections 128", "connections 512");
    assertThat(PageTemplate.html("matrix.html.ftl", page))
        .containsOnlyOnce("<td class=\"worse\"")
        .doesNotContain("<td class=\"better\"")
        .contains("<td class=\"even\"");
  }

  @Test
  void equal_versions_have_a_colored_cell_in_at_most_one_of_twenty_grids() {
    Random random = new Random(11);
    int grids = 200;
    int colored = 0;
    for (int i = 0; i < grids; i++) {
      MatrixRatios ratios = new MatrixRatios(grid(noise(random), List.of()));
      colored += ratios.map().orElseThrow().differing().isEmpty() ? 0 : 1;
    }
    assertThat(colored).isBetween(1, grids / 20);
  }

  /** Three runs have no interval, which decides nothing; the map has no colors then. */
  @Test
  void only_cells_that_are_compared_with_enough_runs_are_counted() {
    List<CellResult> cells = new ArrayList<>(threeTimesSlower(3, 3));
    assertThat(new MatrixRatios(MadeUpMatrix.of(cells)).map()).isEmpty();

    cells = new ArrayList<>(threeTimesSlower(RUNS, 3));
    RatioMap map = new MatrixRatios(MadeUpMatrix.of(cells)).map().orElseThrow();
    assertThat(map.sentence()).isEqualTo("2 of 2 compared cells differ.");
  }

  private static List<CellResult> threeTimesSlower(int runsOfLow, int runsOfHigh) {
    List<CellResult> cells = new ArrayList<>();
    for (String load : List.of("low", "high")) {
      for (String size : List.of("256", "4096")) {
        for (String database : List.of("etcd", "consul")) {
          double[] ms = new double[load.equals("low") ? runsOfLow : runsOfHigh];
          for (int i = 0; i < ms.length; i++) {
            ms[i] = (database.equals("etcd") ? 1 : 3) * (1 + 0.01 * i);
          }
          cells.add(
              MadeUpMatrix.measured(
                  Map.of("load", load, "values", size, "database", database), ms));
        }
      }
    }
    return cells;
  }

  @Test
  void a_single_axis_beside_the_versions_has_no_map() {
    assertThat(
            new MatrixRatios(
                    MadeUpMatrix.of(
                        List.of(
                            MadeUpMatrix.measured(Map.of("version", "1", "load", "8"), 1),
                            MadeUpMatrix.measured(Map.of("version", "2", "load", "8"), 1),
                            MadeUpMatrix.measured(Map.of("version", "1", "load", "9"), 1),
                            MadeUpMatrix.measured(Map.of("version", "2", "load", "9"), 1))))
                .map())
        .isEmpty();
  }
}
