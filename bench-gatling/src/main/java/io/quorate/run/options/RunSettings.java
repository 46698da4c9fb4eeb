package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.ServerFacts;
import io.quorate.run.RunPrefix;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ShardedLoad;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Settings of a run, the same for Maven ({@code -Dscenario=}, {@code -Ddatabase=}, ...), {@code
 * ./quorate run}, and the load generators that either starts.
 *
 * @param scenario the name of a scenario or a file
 * @param scale as written; empty for all requests
 * @param databases in no order; empty for all of the scenario
 * @param servers where the servers are
 * @param clients what talks to a store, where it is not the default
 * @param metrics where to serve figures while the run goes on; empty for nowhere
 * @param realTime whether all threads of a load generator should have real-time priority
 * @param capacity asks for a search in place of the load of the scenario
 * @param shards say which part of the load is made here
 * @param home where Quorate's own files are
 * @param directory what relative paths of the person are relative to
 * @param results the directory of all results
 * @param run the directory of this run; empty if there is none yet
 * @param plan the text of the scenario; empty if it was not read yet
 */
public record RunSettings(
    String scenario,
    Optional<String> scale,
    List<Store> databases,
    ServerOptions servers,
    Map<Store, ClientKind> clients,
    Optional<Endpoint> metrics,
    boolean realTime,
    CapacityOptions capacity,
    ShardOptions shards,
    Path home,
    Path directory,
    Path results,
    Optional<Path> run,
    Optional<RunPlan> plan) {
  private static final String HOME = "quorate.home";
  private static final String DIRECTORY = "quorate.directory";
  private static final String RESULTS = "results";
  private static final String RUN = "quorate.run";
  private static final String SCENARIO = "scenario";
  private static final String SCALE = "scale";
  public static final String DATABASE = "database";
  private static final String METRICS = "metrics";
  private static final String REAL_TIME = "realtime";

  /** Options that a person may give, as system properties. */
  static final List<String> OPTIONS =
      Stream.of(
              Stream.of(SCENARIO, SCALE, DATABASE),
              ServerOptions.NAMES.stream(),
              Stream.of(
                  METRICS, REAL_TIME, RESULTS, ContinuedMatrix.CONTINUE, ContinuedMatrix.RETRY),
              AccessOptions.NAMES.stream(),
              CapacityOptions.NAMES.stream(),
              ShardOptions.NAMES.stream(),
              withSeveralClients().map(Store::clientOption))
          .flatMap(Function.identity())
          .toList();

  private static final List<String> DATABASES = Stores.all().stream().map(Store::id).toList();

  public RunSettings {
    databases = List.copyOf(databases);
    clients = Map.copyOf(clients);
  }

  /**
   * Reads the settings from system properties.
   *
   * @throws QuorateException with every one that has no value or a wrong one
   */
  public static RunSettings of(Properties properties) {
    Path home = Path.of(properties.getProperty(HOME, "")).toAbsolutePath();
    Path directory = Path.of(properties.getProperty(DIRECTORY, "")).toAbsolutePath();
    OptionValues options = new OptionValues(properties);
    Optional<String> scenario = options.read(SCENARIO, Function.identity());
    Optional<String> scale = options.read(SCALE, RunSettings::checkedScale);
    Optional<List<Store>> databases = options.read(DATABASE, RunSettings::databases);
    ServerOptions servers = ServerOptions.read(options, directory);
    Map<Store, ClientKind> clients = new LinkedHashMap<>();
    withSeveralClients()
        .forEach(
            store ->
                options
                    .read(store.clientOption(), store::client)
                    .ifPresent(client -> clients.put(store, client)));
    Optional<Endpoint> metrics = options.read(METRICS, Endpoint::parse);
    boolean realTime = options.isOn(REAL_TIME);
    CapacityOptions capacity = CapacityOptions.read(options, directory);
    ShardOptions shards = ShardOptions.read(options, directory);
    Optional<Path> results = options.read(RESULTS, directory::resolve);
    options.throwIfWrong();
    Optional<Path> run = Optional.ofNullable(properties.getProperty(RUN)).map(Path::of);
    return new RunSettings(
        scenario.orElse("quick"),
        scale,
        databases.orElse(List.of()),
        servers,
        clients,
        metrics,
        realTime,
        capacity,
        shards,
        home,
        directory,
        results.orElseGet(() -> RunDirectory.allResults(properties)),
        run,
        run.flatMap(RunPlan::read));
  }

  private static Stream<Store> withSeveralClients() {
    return Stores.all().stream().filter(store -> store.clients().size() > 1);
  }

  /**
   * Returns the only database that was chosen.
   *
   * @throws QuorateException if none was, or several
   */
  public Store onlyDatabase() {
    if (databases.size() != 1) {
      throw new QuorateException(
          "database: found %s, expected one: name it with -Ddatabase="
              .formatted(databases.isEmpty() ? "none" : databases));
    }
    return databases.get(0);
  }

  /**
   * Returns the part of the load of a database that is made here.
   *
   * @throws QuorateException if it cannot be divided by so many shards
   */
  public ShardedLoad share(Scenario read, Store database) {
    return ShardedLoad.of(shards.orWhole(), read, servers.fitting(read.requireLoad(database)));
  }

  /** Returns whether the run uses an existing cluster. */
  public boolean usesExistingCluster() {
    return !servers.endpoints().isEmpty();
  }

  /**
   * Returns the load that is made here, in an existing cluster with keys that begin with a prefix.
   *
   * @throws QuorateException if that is not possible
   */
  public ShardedLoad shareInCluster(Scenario read, Store database) {
    ShardedLoad share = share(read, database);
    if (!usesExistingCluster()) {
      return share;
    }
    requireRoomForPrefix(share);
    if (share.keyDigits() == 0) {
      return share;
    }
    String name =
        servers
            .runName()
            .orElseGet(
                () ->
                    ServerOptions.runName(
                        shards.runName(share, name(new SecureRandom().nextInt()))));
    return share.below(RunPrefix.of(name, share.shard()));
  }

  /**
   * Checks that a load can be made on the existing cluster, if there is one.
   *
   * @throws QuorateException if not; says what to do
   */
  public void requireRoomForPrefix(ShardedLoad share) {
    int length = servers.runName().map(String::length).orElse(RunPrefix.NAME_LENGTH);
    if (usesExistingCluster()) {
      RunPrefix.obstacle(share, length)
          .ifPresent(
              why -> {
                throw new QuorateException(why);
              });
    }
  }

  /** Returns a name of {@value RunPrefix#NAME_LENGTH} letters and digits. */
  static String name(int number) {
    String text = Long.toString(Integer.toUnsignedLong(number), Character.MAX_RADIX);
    return "0".repeat(Math.max(0, RunPrefix.NAME_LENGTH - text.length()))
        + text.substring(Math.max(0, text.length() - RunPrefix.NAME_LENGTH));
  }

  /** Returns how the servers of a scenario come to be, agents that were asked for included. */
  public ServerFacts.Hosting hosting(Scenario read) {
    if (!read.agents().isEmpty()) {
      return ServerFacts.Hosting.AGENTS;
    }
    boolean given = !servers.endpoints().isEmpty() || shards.shard().isPresent();
    return given ? ServerFacts.Hosting.GIVEN : ServerFacts.Hosting.LOCAL;
  }

  /** Returns the kind of client for a store. */
  public ClientKind client(Store store) {
    return clients.getOrDefault(store.base(), store.clients().get(0));
  }

  private static String checkedScale(String text) {
    ScenarioReader.scale(text);
    return text;
  }

  /**
   * Reads the scenario; agents that were asked for replace its own.
   *
   * @throws QuorateException with all that is wrong with it, or if both agents and endpoints are
   *     asked for
   */
  public Scenario readScenario() {
    Scenario asked = askedScenario();
    return capacity.goal(asked).map(goal -> asked.asProbe(capacity.probe(goal))).orElse(asked);
  }

  /**
   * Checks that the time to begin, if there is one, is to come.
   *
   * @throws QuorateException if it is before this time
   */
  public void requireStartAfter(Instant now) {
    shards.requireFuture(now);
  }

  /**
   * Returns the capacity search that is asked for, here or by the scenario; empty if none is.
   *
   * @throws QuorateException if it is asked for without limits, or the run whose search should go
   *     on is not there
   */
  public Optional<CapacityGoal> capacityGoal() {
    capacity.requireEarlierRun();
    return capacity.goal(askedScenario());
  }

  /**
   * Returns these settings with the text of the scenario, which is not read again.
   *
   * @throws QuorateException if there is no such file, or it cannot be read
   */
  public RunSettings planned() {
    return copy(scenario, scale, run, Optional.of(readPlan()));
  }

  private RunPlan readPlan() {
    return plan.orElseGet(() -> RunPlan.of(ScenarioFiles.locate(scenario, home, directory)));
  }

  private Scenario askedScenario() {
    double part = scale.map(ScenarioReader::scale).orElse(1.0);
    Scenario asked = servers.of(readPlan().read(part));
    shards.check(asked, this);
    return asked;
  }

  /**
   * Reads the scenario file if it has a matrix; empty if it has none.
   *
   * @throws QuorateException with all that is wrong with its cells, or if a capacity is searched
   */
  Optional<Matrix> readMatrix() {
    double part = scale.map(ScenarioReader::scale).orElse(1.0);
    Optional<Matrix> matrix = readPlan().readMatrix(part);
    if (matrix.isPresent()) {
      capacity.refuseMatrix();
      shards.refuseMatrix();
    }
    return matrix;
  }

  /** Returns the settings as options for the command line of another process. */
  public List<String> asJvmArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("-D" + SCENARIO + "=" + scenario);
    arguments.add("-D" + HOME + "=" + home);
    arguments.add("-D" + DIRECTORY + "=" + directory);
    arguments.add("-D" + RESULTS + "=" + results);
    scale.ifPresent(text -> arguments.add("-D" + SCALE + "=" + text));
    run.ifPresent(path -> arguments.add("-D" + RUN + "=" + path));
    clients.forEach((store, kind) -> arguments.add("-D" + store.clientOption() + "=" + kind));
    metrics.ifPresent(address -> arguments.add("-D" + METRICS + "=" + address));
    if (realTime) {
      arguments.add("-D" + REAL_TIME + "=true");
    }
    servers.addTo(arguments);
    capacity.addTo(arguments);
    shards.addTo(arguments);
    return arguments;
  }

  /** Returns these settings for the directory of a run. */
  public RunSettings inRun(Path path) {
    return copy(scenario, scale, Optional.of(path), plan);
  }

  /**
   * Returns settings with options that were recorded, in place of their own.
   *
   * @throws QuorateException if one of them is of no meaning any more
   */
  public static RunSettings withOptions(RunSettings settings, Map<String, String> options) {
    Properties properties = new Properties();
    properties.setProperty(HOME, settings.home.toString());
    properties.setProperty(DIRECTORY, settings.directory.toString());
    properties.setProperty(RESULTS, settings.results.toString());
    settings.metrics.ifPresent(address -> properties.setProperty(METRICS, address.toString()));
    options.forEach(properties::setProperty);
    return of(properties);
  }

  /** Returns these settings for another scenario, at a scale. */
  public RunSettings with(Path otherScenario, double otherScale) {
    return copy(
        otherScenario.toString(),
        Optional.of(BigDecimal.valueOf(otherScale).toPlainString()),
        run,
        Optional.empty());
  }

  private RunSettings copy(
      String otherScenario,
      Optional<String> otherScale,
      Optional<Path> otherRun,
      Optional<RunPlan> otherPlan) {
    return new RunSettings(
        otherScenario,
        otherScale,
        databases,
        servers,
        clients,
        metrics,
        realTime,
        capacity,
        shards,
        home,
        directory,
        results,
        otherRun,
        otherPlan);
  }

  /** Reads a comma-separated list of databases. */
  static List<Store> databases(String text) {
    List<Store> databases = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String id : text.split(",", -1)) {
      Optional<Store> database = Stores.byId(id.strip());
      if (database.isEmpty()) {
        String hint = Spelling.hint(DATABASES, id);
        problems.add(
            "database " + VisibleText.quoted(id) + ": expected one of " + DATABASES + hint);
      } else if (databases.contains(database.get())) {
        problems.add("database '" + database.get() + "': found twice, expected each once");
      }
      database.ifPresent(databases::add);
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return databases;
  }
}
