package io.quorate.results;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.JsonFields;
import io.quorate.format.JsonFile;
import io.quorate.format.JsonText;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioFile;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The plan of a run, {@code plan.json}: the text of its scenario and the options, read once. All
 * processes of the run read the plan instead of the scenario file, which may change meanwhile.
 * Secrets are no options: options name their files. Immutable.
 *
 * @param file name of the scenario file in messages
 * @param scenario text of that file
 * @param options values by the names that they have as system properties
 */
public record RunPlan(String file, String scenario, Map<String, String> options) {
  /** Name of the file in the directory of a run. */
  public static final String NAME = "plan.json";

  private static final int FORMAT_VERSION = 1;
  private static final int LONGEST_TEXT = 1 << 20;

  public RunPlan {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * Reads the scenario file.
   *
   * @throws QuorateException if it cannot be read
   */
  public static RunPlan of(ScenarioFile file, Map<String, String> options) {
    return new RunPlan(file.shown(), ScenarioReader.text(file), options);
  }

  /**
   * Reads the plan of a run; empty if it has none.
   *
   * @throws QuorateException with every problem of the file, by line and column
   */
  public static Optional<RunPlan> read(Path run) {
    Path path = path(run);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    JsonFields root = JsonFile.fields(path);
    root.requireFormatVersion(FORMAT_VERSION);
    RunPlan plan =
        new RunPlan(
            root.text("file"),
            root.text("scenario", LONGEST_TEXT),
            root.object("options").allTexts());
    root.throwIfBroken();
    return Optional.of(plan);
  }

  /** Writes the plan of a run, unless the run has it; returns its path. */
  public Path write(RunDirectory run) {
    Path path = path(run.path());
    if (Files.exists(path)) {
      return path;
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("formatVersion", FORMAT_VERSION);
    root.put("file", file);
    root.put("scenario", scenario);
    options.forEach(root.putObject("options")::put);
    AtomicFile.write(path, JsonText.of(root));
    return path;
  }

  private static Path path(Path run) {
    return run.resolve(NAME);
  }

  /** Parses the scenario as {@link ScenarioReader#read(String, String, double)} does. */
  public Scenario read(double scale) {
    return ScenarioReader.read(file, scenario, scale);
  }

  /** Parses the matrix as {@link ScenarioReader#readMatrix(String, String, double)} does. */
  public Optional<Matrix> readMatrix(double scale) {
    return ScenarioReader.readMatrix(file, scenario, scale);
  }
}
