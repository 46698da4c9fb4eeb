package io.quorate.simulation;

import io.quorate.QuorateException;
import io.quorate.agent.KeyDirectory;
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
import java.util.Set;

/**
 * What a person asked for: the same settings are given to Maven ({@code -Dscenario=}, {@code
 * -Ddatabase=}, ...), to {@code ./quorate run}, and by either to the load generators.
 *
 * @param scenario the name of a scenario or a file
 * @param scale as written; empty for all requests
 * @param databases in no order; empty for all of the scenario
 * @param endpoints of servers that are there already; empty to start servers here
 * @param agents that start the servers, instead of those of the scenario; empty for the scenario's
 * @param agentKeys the directory of the keys that agents want; empty if they have none
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
    List<Endpoint> agents,
    Optional<Path> agentKeys,
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
  private static final String AGENTS = "agents";
  private static final String AGENT_KEYS = "agent.keys";
  private static final String CONSUL_CLIENT = "consul.client";

  private static final Set<Integer> CLUSTER_SIZES = Set.of(1, 3, 5);

  public RunSettings {
    databases = List.copyOf(databases);
    endpoints = List.copyOf(endpoints);
    agents = List.copyOf(agents);
    if (!agents.isEmpty() && !CLUSTER_SIZES.contains(agents.size())
        || agents.stream().distinct().count() != agents.size()) {
      throw new QuorateException(
          "agents: found " + agents + ", expected 1, 3 or 5 different ones, one for each member");
    }
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
        text(properties, AGENTS).map(Endpoint::parseList).orElse(List.of()),
        text(properties, AGENT_KEYS).map(directory::resolve),
        text(properties, CONSUL_CLIENT),
        home,
        directory,
        text(properties, RESULTS).map(directory::resolve).orElse(home.resolve("results")),
        text(properties, RUN).map(Path::of));
  }

  /**
   * Reads the scenario; agents that were asked for are in place of its own.
   *
   * @throws QuorateException with all that is wrong with it, or if both agents and endpoints are
   *     asked for
   */
  public Scenario readScenario() {
    double part = scale.map(ScenarioReader::scale).orElse(1.0);
    Scenario read = ScenarioReader.read(ScenarioFiles.locate(scenario, home, directory), part);
    Scenario asked = agents.isEmpty() ? read : read.withAgents(agents);
    if (!asked.agents().isEmpty() && !endpoints.isEmpty()) {
      throw new QuorateException(
          "found agents, which start servers, and endpoints of servers that are there already:"
              + " leave out one of both");
    }
    return asked;
  }

  /** The keys for agents, checked; empty if there are none. */
  Optional<KeyDirectory> agentKeys(Scenario scenario) {
    if (agentKeys.isPresent() && scenario.agents().isEmpty()) {
      throw new QuorateException(
          "found keys for agents, but no agents: name them with -Dagents= (or --agents)");
    }
    Optional<KeyDirectory> keys =
        agentKeys.filter(any -> !scenario.agents().isEmpty()).map(KeyDirectory::new);
    keys.ifPresent(KeyDirectory::requireForLoadGenerator);
    return keys;
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
    agentKeys.ifPresent(path -> arguments.add("-D" + AGENT_KEYS + "=" + path));
    addList(ENDPOINTS, endpoints, arguments);
    addList(AGENTS, agents, arguments);
    return arguments;
  }

  private static void addList(String name, List<Endpoint> endpoints, List<String> arguments) {
    if (!endpoints.isEmpty()) {
      List<String> texts = endpoints.stream().map(Endpoint::toString).toList();
      arguments.add("-D" + name + "=" + String.join(",", texts));
    }
  }

  /** The same in the directory of a run. */
  public RunSettings inRun(Path path) {
    return new RunSettings(
        scenario,
        scale,
        databases,
        endpoints,
        agents,
        agentKeys,
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
