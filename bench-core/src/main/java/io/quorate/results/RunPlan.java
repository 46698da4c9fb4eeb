// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioFile;
import io.quorate.scenario.yaml.ScenarioOptions;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The plan of a run, {@code plan.json}: the text of its scenario and the options, read once. All
 * processes of the run read the plan instead of the scenario file, which may change meanwhile.
 * Secrets are not options: options name their files. Immutable.
 *
 * @param file name of the scenario file, for messages
 * @param scenario text of that file
 * @param options values by the names that they have as system properties
 */
@FormatVersion(1)
public record RunPlan(String file, String scenario, Map<String, String> options) {
  /** Name of the file in the directory of a run. */
  public static final String NAME = "plan.json";

  public RunPlan {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * Reads the scenario file, in which options may replace numbers.
   *
   * @throws QuorateException if it cannot be read, or does not go with the options
   */
  public static RunPlan of(ScenarioFile file, Map<String, String> options) {
    String text = ScenarioReader.text(file);
    Map<String, String> others = new LinkedHashMap<>(options);
    others.keySet().retainAll(ScenarioOptions.OF_FILES);
    return new RunPlan(
        file.shown(),
        others.isEmpty() ? text : ScenarioReader.with(file.shown(), text, others),
        options);
  }

  /**
   * Reads the plan of a run; empty if it has none.
   *
   * @throws QuorateException with file, line and column if it is not a plan
   */
  public static Optional<RunPlan> read(Path run) {
    Path path = path(run);
    return Files.exists(path)
        ? Optional.of(StrictJson.read(path, RunPlan.class))
        : Optional.empty();
  }

  /** Writes the plan of a run, unless the run has it; returns its path. */
  public Path write(RunDirectory run) {
    Path path = path(run.path());
    if (!Files.exists(path)) {
      AtomicFile.write(path, StrictJson.text(this));
    }
    return path;
  }

  private static Path path(Path run) {
    return run.resolve(NAME);
  }

  public Scenario read(double scale) {
    return ScenarioReader.read(file, scenario, scale);
  }

  /** Reads the scenario if it makes several runs, as {@link ScenarioReader#readMatrix} does. */
  public Optional<Matrix> readMatrix(double scale, List<Store> databases, OptionalInt repeats) {
    return ScenarioReader.readMatrix(file, scenario, scale, databases, repeats);
  }
}
