// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.ScenarioTexts;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.yaml.ScenarioReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every scenario of this repository at a hundredth of its size on each database that it names,
 * of those with a matrix as many cells as have all of its values. That takes half an hour.
 */
@RequiresDatabase({"etcd", "etcd@3.5.35", "etcd@3.6.16", "consul"})
@Nightly
class AllScenarios {
  private static final double SCALE = 0.01;
  private static final Path SCENARIOS =
      Path.of(System.getProperty("quorate.home")).resolve("scenarios");
  private static final String SUFFIX = ".yaml";
  private static final String MANIFEST = "manifest.json";

  /**
   * Scenarios that cause errors on purpose, or hold 1 GB of data at any scale: see FaultRunIT,
   * MaintenanceRunIT, ReplicatedMergeTreeIT.
   */
  private static final List<String> ELSEWHERE =
      List.of(
          "controls",
          "faults",
          "faults-disk",
          "faults-log",
          "faults-network",
          "maintenance",
          "power-cut",
          "replicated-merge-tree");

  @TempDir(factory = MemoryBackedDirectory.class, cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void each_column_of_the_table_is_of_a_complete_run_without_an_error(String name)
      throws Exception {
    List<StoreLoad> columns =
        ScenarioTexts.read(SCENARIOS.resolve(name + SUFFIX), SCALE).databases();

    InProcessRun run =
        InProcessRun.run(directory, "run", name, "--scale", "" + SCALE, "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    String table = Files.readString(run.onlyRun(name).resolve("all-aggregated.txt"));
    System.out.println(name + "\n" + table);
    for (StoreLoad column : columns) {
      DatabaseRun result = DatabaseRun.read(run.onlyRun(name).resolve(column.database().id()));
      assertThat(result.manifest().status()).as(run.output()).isEqualTo(RunStatus.COMPLETE);
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
      assertThat(result.clients().orElseThrow().successCount()).isPositive();
      assertThat(table).contains(column.database().id());
    }
  }

  /** Runs as many cells of a matrix as it takes to have each value of each axis. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cells")
  void a_cell_with_each_value_of_a_matrix_is_a_complete_run(String name, String cell, String text)
      throws Exception {
    Path scenario = directory.resolve(cell + SUFFIX);
    Files.writeString(scenario, text);

    InProcessRun run =
        InProcessRun.run(
            directory, "run", scenario.toString(), "--scale", "" + SCALE, "--results", "results");

    Path result = run.onlyRun(cell);
    try (Stream<Path> manifests = Files.find(result, 2, (file, any) -> file.endsWith(MANIFEST))) {
      assertThat(manifests)
          .as(run.output())
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(DatabaseRun.read(file.getParent()).manifest().status())
                      .isEqualTo(RunStatus.COMPLETE));
    }
  }

  static List<String> names() throws IOException {
    return scenarios(false);
  }

  static List<Arguments> cells() throws IOException {
    List<Arguments> cells = new ArrayList<>();
    for (String name : scenarios(true)) {
      String text = Files.readString(SCENARIOS.resolve(name + SUFFIX));
      Matrix matrix =
          ScenarioReader.readMatrix(name + SUFFIX, text, 1, List.of(), OptionalInt.empty())
              .orElseThrow();
      Set<Map.Entry<String, String>> seen = new HashSet<>();
      for (Matrix.Cell cell : matrix.cells()) {
        if (seen.addAll(cell.coordinates().entrySet())) {
          cells.add(Arguments.of(name, cell.id(), cell.scenario().heading().source()));
        }
      }
    }
    return cells;
  }

  private static List<String> scenarios(boolean matrices) throws IOException {
    try (Stream<Path> files = Files.list(SCENARIOS)) {
      return files
          .filter(file -> isMatrix(file) == matrices)
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(SUFFIX))
          .map(file -> file.substring(0, file.length() - SUFFIX.length()))
          // a search takes as long at any scale: see CapacityIT; a full one has the cells of
          // another
          .filter(name -> !name.contains("capacity") && !name.endsWith("-full"))
          .filter(name -> !ELSEWHERE.contains(name))
          .sorted()
          .toList();
    }
  }

  private static boolean isMatrix(Path file) {
    try {
      return Files.readString(file).contains("\nmatrix:");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
