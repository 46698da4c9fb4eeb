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
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every scenario of this repository at a hundredth of its size on each database that it names,
 * those with a matrix with each cell once. That takes one to two hours, so only {@code mvn verify
 * -Pall-scenarios} does it.
 */
@RequiresDatabase({"etcd", "consul"})
@Nightly
class AllScenarios {
  private static final double SCALE = 0.01;
  private static final Path SCENARIOS =
      Path.of(System.getProperty("quorate.home")).resolve("scenarios");
  private static final String SUFFIX = ".yaml";

  /**
   * Scenarios that cause errors on purpose, or hold 1 GB of data: see FaultRunIT, MaintenanceRunIT.
   */
  private static final List<String> FAULTS =
      List.of("controls", "faults", "faults-disk", "faults-log", "faults-network", "maintenance");

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

  @ParameterizedTest(name = "{0}")
  @MethodSource("matrices")
  void every_cell_of_a_matrix_is_a_complete_run(String name) throws Exception {
    Path once = directory.resolve(name + SUFFIX);
    String scenario =
        Files.readString(SCENARIOS.resolve(name + SUFFIX))
            .replaceFirst("repeats: \\d+", "repeats: 1");
    Files.writeString(once, scenario);
    Matrix matrix =
        ScenarioReader.readMatrix(name + SUFFIX, scenario, SCALE, List.of(), OptionalInt.empty())
            .orElseThrow();
    int runs = matrix.cells().size() * matrix.repeats();

    try (InProcessRun run =
        InProcessRun.start(
            directory, "run", once.toString(), "--scale", "" + SCALE, "--results", "r")) {
      assertThat(run.waitFor(Duration.ofHours(1))).as(run.output()).isZero();
      assertThat(run.output()).contains("%d of %1$d runs are complete.".formatted(runs));
    }
  }

  static List<String> names() throws IOException {
    return scenarios(false);
  }

  static List<String> matrices() throws IOException {
    return scenarios(true);
  }

  private static List<String> scenarios(boolean matrices) throws IOException {
    try (Stream<Path> files = Files.list(SCENARIOS)) {
      return files
          .filter(file -> isMatrix(file) == matrices)
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(SUFFIX))
          .map(file -> file.substring(0, file.length() - SUFFIX.length()))
          // a search takes as long at any scale: see CapacityIT
          .filter(name -> !name.startsWith("capacity-") && !FAULTS.contains(name))
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
