// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.Ports;
import io.quorate.results.RunDirectory;
import io.quorate.run.Console;
import io.quorate.run.live.ProgressInterval;
import io.quorate.scenario.yaml.ScenarioOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * The options of a run as text, by the names of system properties, as its plan and the file of a
 * matrix keep them: the values of {@link RunOption}s, and the directories of the process that
 * started the run. Immutable.
 */
public record RunOptions(Map<String, String> values) {
  /** The path of the plan, in a load generator. */
  public static final String PLAN = "quorate.plan";

  public static final String DATABASE = "database";

  /** Whether Gatling writes its own report. */
  public static final String GATLING_REPORT = "gatling.report";

  static final String SCENARIO = "scenario";
  static final String FULL = "full";
  static final String SCALE = "scale";
  static final String METRICS = "metrics";
  static final String RESUME = "resume";
  static final String RESULTS = "results";
  static final String TABLE = "table";
  static final String SUMMARY = "summary";
  static final String JSON = "json";
  static final String NDJSON = "ndjson";
  static final String WATCH = "watch";
  static final String PRICE = "price-per-hour";

  /** Option with the file that gets the scenario which other options describe. */
  static final String SAVE = "save";

  private static final String HOME = "quorate.home";
  private static final String DIRECTORY = "quorate.directory";
  private static final String ALL_RESULTS = "quorate.results";

  /** Options of a continued matrix, which has recorded all others but those of this process. */
  private static final List<String> OF_RESUMPTION =
      List.of(RESUME, "retry", RepeatOptions.BASELINE, RepeatOptions.FAIL_ON, DIRECTORY);

  /** Options of this process, which a matrix does not record. */
  private static final List<String> OF_PROCESS =
      List.of(HOME, ALL_RESULTS, ProgressInterval.SECONDS, METRICS, JSON, NDJSON, WATCH);

  /** Options that each run of a matrix has from its cell. */
  private static final List<String> OF_CELLS =
      List.of(
          SCENARIO, FULL, SCALE, DATABASE, RESULTS, SAVE, TABLE, SUMMARY, RepeatOptions.REPEATS);

  /** Properties of Quorate that are not options of a run. */
  private static final Set<String> OWN =
      Set.of(
          HOME,
          DIRECTORY,
          ALL_RESULTS,
          PLAN,
          ProgressInterval.SECONDS,
          ProgressInterval.DATABASES_LEFT,
          Console.COLUMNS,
          "quorate.terminal",
          "quorate.plots",
          "quorate.jvmArgs");

  public RunOptions {
    Map<String, String> named = new LinkedHashMap<>();
    values.forEach((name, text) -> named.put(RunOption.OLDER.getOrDefault(name, name), text));
    values = Collections.unmodifiableMap(named);
  }

  /** Takes the options from system properties. */
  static RunOptions of(Properties properties) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(HOME, Path.of(properties.getProperty(HOME, "")).toAbsolutePath().toString());
    options.put(
        DIRECTORY, Path.of(properties.getProperty(DIRECTORY, "")).toAbsolutePath().toString());
    options.put(ALL_RESULTS, RunDirectory.allResults(properties).toString());
    options.put(
        ProgressInterval.SECONDS, Integer.toString(ProgressInterval.secondsBetweenProgressLines()));
    Stream.concat(RunOption.OLDER.keySet().stream(), RunOption.PROPERTIES.stream())
        .filter(properties::containsKey)
        .forEach(name -> options.put(name, properties.getProperty(name)));
    if (options.containsKey(WATCH) && options.get(WATCH).equals(options.get(METRICS))) {
      // the page is served by this process, which asks the load generators for their metrics
      Ports free = Ports.free(Ports.LOOPBACK, ThreadLocalRandom.current());
      options.put(METRICS, Ports.LOOPBACK + ":" + free.choose(1, 1).get(0).get(0));
    }
    return new RunOptions(options);
  }

  /** Refuses unknown properties with the beginning of Quorate's names, which would be ignored. */
  static void refuseUnknown(Properties properties) {
    List<String> unknown =
        properties.stringPropertyNames().stream()
            .filter(name -> name.startsWith("quorate.") && !OWN.contains(name))
            .sorted()
            .map(name -> "-D" + VisibleText.of(name) + ": there is no such option")
            .toList();
    if (!unknown.isEmpty()) {
      throw new QuorateException(
          String.join("\n", unknown)
              + "\nthe options are "
              + String.join(", ", RunOption.PROPERTIES.stream().map("-D"::concat).toList()));
    }
  }

  /** Refuses options that a continued matrix has already. */
  void requireNoneOfMatrix() {
    List<String> others =
        values.keySet().stream()
            .filter(name -> !OF_RESUMPTION.contains(name) && !OF_PROCESS.contains(name))
            .toList();
    if (!others.isEmpty()) {
      throw new QuorateException(
          "resume: remove %s. A resumed matrix uses its recorded options"
              .formatted(String.join(", ", others)));
    }
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the directory of Quorate's own files. */
  Path home() {
    return Path.of(values.get(HOME));
  }

  /** Returns the directory to which the user's paths are relative. */
  Path directory() {
    return Path.of(values.get(DIRECTORY));
  }

  /** Returns the directory of all results, unless an option names another one. */
  Path allResults() {
    return Path.of(values.get(ALL_RESULTS));
  }

  RunOptions withDatabase(String id) {
    Map<String, String> own = new LinkedHashMap<>(values);
    own.put(DATABASE, id);
    return new RunOptions(own);
  }

  /** Returns the options that all runs of a matrix have, which a continued one needs again. */
  Map<String, String> ofCells() {
    Map<String, String> common = new LinkedHashMap<>(values);
    common.keySet().removeAll(OF_PROCESS);
    common.keySet().removeAll(OF_CELLS);
    common.keySet().removeAll(ScenarioOptions.NAMES);
    common.keySet().removeAll(ScenarioOptions.OF_FILES);
    return common;
  }

  /** Returns the options of a cell of a matrix, whose scenario is a file. */
  RunOptions ofCell(Path file, double part) {
    Map<String, String> own = new LinkedHashMap<>(values);
    own.keySet().removeAll(ScenarioOptions.NAMES);
    own.keySet().removeAll(ScenarioOptions.OF_FILES);
    own.keySet().removeAll(List.of(DATABASE, FULL, SAVE));
    own.keySet().removeAll(RepeatOptions.OF_ALL_RUNS);
    own.put(SCENARIO, file.toString());
    own.put(SCALE, BigDecimal.valueOf(part).toPlainString());
    return new RunOptions(own);
  }

  /** Returns options that a matrix has recorded, with those that belong to this process. */
  RunOptions withRecorded(Map<String, String> recorded) {
    Map<String, String> own = new LinkedHashMap<>(values);
    own.keySet().removeIf(name -> !OF_PROCESS.contains(name) && !name.equals(DIRECTORY));
    own.putAll(new RunOptions(recorded).values);
    for (String name : List.of(RepeatOptions.BASELINE, RepeatOptions.FAIL_ON)) {
      Optional.ofNullable(values.get(name)).ifPresent(given -> own.put(name, given));
    }
    return new RunOptions(own);
  }
}
