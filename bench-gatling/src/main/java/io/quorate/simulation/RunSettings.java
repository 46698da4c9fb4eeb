package io.quorate.simulation;

import io.quorate.QuorateException;
import io.quorate.driver.Database;
import io.quorate.driver.Endpoint;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioFiles;
import io.quorate.scenario.ScenarioReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * What a person asked for: the same settings are given to Maven ({@code -Dscenario=}, {@code
 * -Ddatabase=}, ...), to {@code ./quorate run}, and by either to the load generators.
 *
 * @param scenario the name of a scenario or a file
 * @param scale as written; empty for all requests
 * @param databases in no order; empty for all of the scenario
 * @param endpoints of servers that are there already; empty to start servers here
 * @param consulClient what talks to Consul; empty for the default
 * @param home where Quorate's own files are
 * @param directory what relative paths of the person are relative to
 * @param results the directory of all results
 * @param run the directory of this run; empty if there is none yet
 */
public record RunSettings(
    String scenario,
    Optional<String> scale,
    List<Database> databases,
    List<Endpoint> endpoints,
    Optional<String> consulClient,
    Path home,
    Path directory,
    Path results,
    Optional<Path> run) {
  private static final String HOME = "quorate.home";
  private static final String DIRECTORY = "quorate.directory";
  private static final String RESULTS = "results";
  private static final String RUN = "quorate.run";
  private static final String SCENARIO = "scenario";
  private static final String SCALE = "scale";
  private static final String DATABASE = "database";
  private static final String ENDPOINTS = "endpoints";
  private static final String CONSUL_CLIENT = "consul.client";

  public RunSettings {
    databases = List.copyOf(databases);
    endpoints = List.copyOf(endpoints);
  }

  /** Reads them from system properties. */
  public static RunSettings of(Properties properties) {
    Path home = Path.of(properties.getProperty(HOME, "")).toAbsolutePath();
    Path directory = Path.of(properties.getProperty(DIRECTORY, "")).toAbsolutePath();
    return new RunSettings(
        properties.getProperty(SCENARIO, "quick"),
        text(properties, SCALE),
        text(properties, DATABASE).map(RunSettings::databases).orElse(List.of()),
        text(properties, ENDPOINTS).map(Endpoint::parseList).orElse(List.of()),
        text(properties, CONSUL_CLIENT),
        home,
        directory,
        text(properties, RESULTS).map(directory::resolve).orElse(home.resolve("results")),
        text(properties, RUN).map(Path::of));
  }

  /**
   * Reads the scenario.
   *
   * @throws QuorateException with all that is wrong with it
   */
  public Scenario readScenario() {
    double part = scale.map(ScenarioReader::scale).orElse(1.0);
    return ScenarioReader.read(ScenarioFiles.locate(scenario, home, directory), part);
  }

  /** As options for the command line of another process. */
  List<String> asJvmArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("-D" + SCENARIO + "=" + scenario);
    arguments.add("-D" + HOME + "=" + home);
    arguments.add("-D" + DIRECTORY + "=" + directory);
    arguments.add("-D" + RESULTS + "=" + results);
    scale.ifPresent(text -> arguments.add("-D" + SCALE + "=" + text));
    run.ifPresent(path -> arguments.add("-D" + RUN + "=" + path));
    consulClient.ifPresent(client -> arguments.add("-D" + CONSUL_CLIENT + "=" + client));
    if (!endpoints.isEmpty()) {
      List<String> texts = endpoints.stream().map(Endpoint::toString).toList();
      arguments.add("-D" + ENDPOINTS + "=" + String.join(",", texts));
    }
    return arguments;
  }

  /** The same in the directory of a run. */
  public RunSettings inRun(Path path) {
    return new RunSettings(
        scenario,
        scale,
        databases,
        endpoints,
        consulClient,
        home,
        directory,
        results,
        Optional.of(path));
  }

  /** Reads a comma-separated list of databases. */
  static List<Database> databases(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).map(RunSettings::database).toList();
  }

  private static Database database(String id) {
    return Database.byId(id)
        .orElseThrow(
            () ->
                new QuorateException(
                    "database '"
                        + id
                        + "': expected one of "
                        + Arrays.stream(Database.values()).map(Database::id).toList()));
  }

  private static Optional<String> text(Properties properties, String name) {
    return Optional.ofNullable(properties.getProperty(name)).filter(text -> !text.isBlank());
  }
}
