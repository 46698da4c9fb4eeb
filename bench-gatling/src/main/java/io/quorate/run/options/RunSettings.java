// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.Console;
import io.quorate.run.RunPrefix;
import io.quorate.run.live.ProgressInterval;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioOptions;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Settings of a run. The process that starts a run reads them from its command line or from system
 * properties ({@code -Dscenario=}, {@code -Ddatabase=}, ...), and writes them into the plan of the
 * run. Load generators read them from there.
 *
 * @param scenario name of a scenario or a file
 * @param scale part of the requests, 1 for all
 * @param databases databases, in no order; empty for all of the scenario
 * @param servers options of the servers
 * @param clients clients of stores other than the default ones
 * @param metrics address that serves metrics during the run; empty for none
 * @param realTime whether all threads of a load generator should have real-time priority
 * @param capacity options of a capacity search that replaces the load of the scenario
 * @param shards options of the part of the load that is generated here
 * @param repeats options that repeat the run and compare it with others
 * @param continued directory of a matrix of runs that continues; empty for a new run
 * @param retryFailed whether failed runs of that matrix are repeated
 * @param home directory of Quorate's own files
 * @param directory directory to which the user's paths are relative
 * @param results directory of all results
 * @param run directory of this run; empty if there is none yet
 * @param plan text of the scenario; empty if it was not read yet
 * @param options all options as text, by the names of system properties
 */
public record RunSettings(
    String scenario,
    double scale,
    List<Store> databases,
    ServerOptions servers,
    Map<Store, ClientKind> clients,
    Optional<Endpoint> metrics,
    boolean realTime,
    CapacityOptions capacity,
    ShardOptions shards,
    RepeatOptions repeats,
    Optional<Path> continued,
    boolean retryFailed,
    Path home,
    Path directory,
    Path results,
    Optional<Path> run,
    Optional<RunPlan> plan,
    Map<String, String> options) {
  private static final String HOME = "quorate.home";
  private static final String DIRECTORY = "quorate.directory";
  private static final String ALL_RESULTS = "quorate.results";
  private static final String RESULTS = "results";

  /** The path of the plan, in a load generator. */
  public static final String PLAN = "quorate.plan";

  private static final String SCENARIO = "scenario";
  private static final String SCALE = "scale";
  public static final String DATABASE = "database";
  private static final String FAILED = "failed";

  static final String TABLE = "table";
  static final String SUMMARY = "summary";

  /** Whether Gatling writes its own report. */
  public static final String GATLING_REPORT = "gatling.report";

  /** Option with the file that gets the scenario which other options describe. */
  static final String SAVE = "save";

  /** Options that a continued matrix has already. */
  private static final List<String> OF_A_MATRIX =
      List.of(
          SCENARIO,
          SCALE,
          DATABASE,
          "endpoints",
          "agents",
          RESULTS,
          RepeatOptions.REPEATS,
          RepeatOptions.SELF);

  /** Options that each run of a matrix has from its cell, or that are only of this process. */
  private static final List<String> NOT_OF_CELLS =
      List.of(
          HOME,
          ALL_RESULTS,
          ProgressInterval.SECONDS,
          "metrics",
          SCENARIO,
          SCALE,
          DATABASE,
          RESULTS,
          SAVE,
          TABLE,
          SUMMARY,
          RepeatOptions.REPEATS);

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

  private static final List<String> DATABASES = Stores.all().stream().map(Store::id).toList();

  /**
   * Reads the settings from system properties, or, in a load generator, from the plan of its run.
   *
   * @throws QuorateException with every option that has no value or a wrong one
   */
  public static RunSettings of(Properties properties) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(HOME, Path.of(properties.getProperty(HOME, "")).toAbsolutePath().toString());
    options.put(
        DIRECTORY, Path.of(properties.getProperty(DIRECTORY, "")).toAbsolutePath().toString());
    options.put(ALL_RESULTS, RunDirectory.allResults(properties).toString());
    options.put(
        ProgressInterval.SECONDS, Integer.toString(ProgressInterval.secondsBetweenProgressLines()));
    for (String name : RunOption.PROPERTIES) {
      Optional.ofNullable(properties.getProperty(name)).ifPresent(text -> options.put(name, text));
    }
    String planned = properties.getProperty(PLAN);
    return planned == null
        ? of(options, Optional.empty(), Optional.empty())
        : ofPlan(Path.of(planned), properties.getProperty(DATABASE));
  }

  private static RunSettings ofPlan(Path file, String database) {
    Path run = Objects.requireNonNull(file.getParent());
    RunPlan plan = RunPlan.read(run).orElseThrow(() -> new QuorateException(file + ": is missing"));
    Map<String, String> options = new LinkedHashMap<>(plan.options());
    options.put(DATABASE, database);
    return of(options, Optional.of(run), Optional.of(plan));
  }

  private static RunSettings of(
      Map<String, String> given, Optional<Path> run, Optional<RunPlan> plan) {
    Path directory = Path.of(given.get(DIRECTORY));
    OptionReader options = new OptionReader(given);
    RunSettings settings =
        new RunSettings(
            options.read(SCENARIO, Function.identity()).orElse("quick"),
            options.read(SCALE, ScenarioReader::scale).orElse(1.0),
            options.read(DATABASE, RunSettings::databases).orElse(List.of()),
            ServerOptions.read(options, directory),
            clients(options),
            options.read("metrics", Endpoint::parse),
            options.isOn("realtime"),
            CapacityOptions.read(options, directory),
            ShardOptions.read(options, directory),
            RepeatOptions.read(options, directory),
            options.read("continue", directory::resolve),
            options
                .read("retry", "'" + FAILED + "'", text -> Optional.of(text).filter(FAILED::equals))
                .isPresent(),
            Path.of(given.get(HOME)),
            directory,
            options
                .read(RESULTS, directory::resolve)
                .orElseGet(() -> Path.of(given.get(ALL_RESULTS))),
            run,
            plan,
            given);
    options.isOn(TABLE);
    options.isOn(SUMMARY);
    options.isOn(GATLING_REPORT);
    options.throwIfWrong();
    settings.requireNothingBeside();
    return settings;
  }

  private static Map<Store, ClientKind> clients(OptionReader options) {
    Map<Store, ClientKind> clients = new LinkedHashMap<>();
    Stores.all().stream()
        .filter(store -> store.clients().size() > 1)
        .forEach(
            store ->
                options
                    .read(store.clientOption(), store::client)
                    .ifPresent(client -> clients.put(store, client)));
    return clients;
  }

  private void requireNothingBeside() {
    if (continued.isEmpty() && retryFailed) {
      throw new QuorateException("retry: needs --continue with the directory of a matrix");
    }
    List<String> others = OF_A_MATRIX.stream().filter(options::containsKey).toList();
    if (continued.isPresent() && !others.isEmpty()) {
      throw new QuorateException(
          "continue: remove %s. A resumed matrix uses its recorded options"
              .formatted(String.join(", ", others)));
    }
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

  public Store onlyDatabase() {
    if (databases.size() != 1) {
      throw new QuorateException(
          "database: found %s, expected one: name it with --database"
              .formatted(databases.isEmpty() ? "none" : databases));
    }
    return databases.get(0);
  }

  /** Returns the part of the load of a database that is generated here. */
  public LoadShare share(Scenario read, Store database) {
    return LoadShare.of(shards.shardOrDefault(), read, servers.fitting(read.requireLoad(database)));
  }

  public boolean usesExistingCluster() {
    return !servers.endpoints().isEmpty();
  }

  /**
   * Returns the load that is generated here; in an existing cluster its keys begin with a prefix.
   */
  public LoadShare shareInCluster(Scenario read, Store database) {
    LoadShare share = share(read, database);
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

  public void requireRoomForPrefix(LoadShare share) {
    int length = servers.runName().map(String::length).orElse(RunPrefix.NAME_LENGTH);
    if (usesExistingCluster()) {
      QuorateException.throwIf(RunPrefix.obstacle(share, length));
    }
  }

  /** Returns a name of {@value RunPrefix#NAME_LENGTH} letters and digits. */
  static String name(int number) {
    String text =
        "0".repeat(RunPrefix.NAME_LENGTH)
            + Long.toString(Integer.toUnsignedLong(number), Character.MAX_RADIX);
    return text.substring(text.length() - RunPrefix.NAME_LENGTH);
  }

  /**
   * Returns how the servers of a scenario are provided, with agents from the options or the
   * scenario.
   */
  public ServerInfo.Hosting hosting(Scenario read) {
    if (!read.cluster().agents().isEmpty()) {
      return ServerInfo.Hosting.AGENTS;
    }
    boolean given = !servers.endpoints().isEmpty() || shards.shard().isPresent();
    return given ? ServerInfo.Hosting.GIVEN : ServerInfo.Hosting.LOCAL;
  }

  /** Returns the kind of client of a load: that of the options, or of the scenario. */
  public ClientKind client(StoreLoad load) {
    return clients.getOrDefault(load.database().base(), load.client());
  }

  /** Refuses an option whose client differs from the one that the scenario chooses. */
  private void checkClients(Scenario asked) {
    for (StoreLoad load : asked.databases()) {
      ClientKind used = client(load);
      if (load.column().client().filter(chosen -> !chosen.equals(used)).isPresent()) {
        throw new QuorateException(
            "%s: found %s, and the client %s in the scenario: remove one of them"
                .formatted(load.database().clientOption(), used, load.client()));
      }
    }
  }

  /** Reads the scenario; agents of the options replace its own, and exclude endpoints. */
  public Scenario readScenario() {
    Scenario asked = askedScenario();
    return capacity.goal(asked).map(goal -> asked.asProbe(capacity.probe(goal))).orElse(asked);
  }

  /**
   * Returns the capacity search that the options or the scenario request; empty if there is none.
   */
  public Optional<CapacityGoal> capacityGoal() {
    capacity.requireEarlierRun();
    return capacity.goal(askedScenario());
  }

  /** Returns these settings with the text of the scenario, which is not read again. */
  public RunSettings planned() {
    return of(options, run, Optional.of(readPlan()));
  }

  private RunPlan readPlan() {
    return plan.orElseGet(
        () ->
            described()
                .map(made -> new RunPlan(made.file(), made.text(), options))
                .orElseGet(
                    () -> RunPlan.of(ScenarioFiles.locate(scenario, home, directory), options)));
  }

  /** Returns whether options describe the scenario, or change the text of its file. */
  public boolean isScenarioOfOptions() {
    return options.containsKey(ScenarioOptions.CLIENTS) || described().isPresent();
  }

  /** Returns the scenario that options describe; empty if a file does. */
  public Optional<ScenarioOptions> described() {
    Map<String, String> given = new LinkedHashMap<>(options);
    given.keySet().retainAll(ScenarioOptions.NAMES);
    if (ScenarioOptions.isOperations(scenario)) {
      return Optional.of(new ScenarioOptions(scenario, given, databases));
    }
    List<String> others = new ArrayList<>(given.keySet());
    others.remove(ScenarioOptions.CLIENTS);
    if (options.containsKey(SAVE)) {
      others.add(SAVE);
    }
    if (!others.isEmpty()) {
      throw new QuorateException(
          "%s: found the scenario %s, which has these values in its file. Name an operation instead, such as 'put' or 'get=95,put=5', or copy the file and change it"
              .formatted(
                  others.stream()
                      .map(name -> "--" + name.replace('.', '-'))
                      .collect(Collectors.joining(", ")),
                  VisibleText.quoted(scenario)));
    }
    return Optional.empty();
  }

  /** Writes the scenario that options describe into the file that an option names, if any. */
  public void saveDescribed() {
    Optional<Path> file = Optional.ofNullable(options.get(SAVE)).map(directory::resolve);
    if (file.filter(Files::exists).isPresent()) {
      throw new QuorateException(
          "--save: %s exists. Name another file, or remove it"
              .formatted(VisibleText.of(file.get().toString())));
    }
    file.ifPresent(path -> AtomicFile.write(path, readPlan().scenario()));
  }

  /** Returns whether Gatling writes its own report after the load. */
  public boolean hasGatlingReport() {
    return new OptionReader(options).isOn(GATLING_REPORT);
  }

  /** Returns the command line that renders the results in a directory and prints them. */
  public String[] reportOf(Path run) {
    List<String> command = new ArrayList<>(List.of("report", run.toString()));
    for (String option : List.of(TABLE, SUMMARY)) {
      if (new OptionReader(options).isOn(option)) {
        command.add("--" + option);
      }
    }
    return command.toArray(String[]::new);
  }

  private Scenario askedScenario() {
    Scenario asked = servers.of(readPlan().read(scale));
    if (asked.faults().isPresent() && shards.shard().isPresent()) {
      throw new QuorateException(
          "shard: found a scenario with faults, which one load generator causes: leave out --shard");
    }
    if (asked.requests().mix().usesSessions() && shards.shard().isPresent()) {
      throw new QuorateException(
          "shard: found a scenario with sessions, whose clients are in one load generator: leave out --shard");
    }
    checkClients(asked);
    shards.check(asked, this);
    return asked;
  }

  /** Reads the scenario if it makes several runs of each database; otherwise empty. */
  Optional<Matrix> readMatrix() {
    repeats.requireEarlierRuns();
    if (repeats.against().isPresent() && (capacity.isWanted() || shards.shard().isPresent())) {
      throw new QuorateException(
          "against: found %s, whose results no run is compared with: leave it out, and use 'quorate compare' afterwards"
              .formatted(shards.shard().isPresent() ? "a shard" : "a capacity search"));
    }
    Optional<Matrix> matrix = readPlan().readMatrix(scale, databases, repeats.repeats());
    if (matrix.isPresent()) {
      matrix.get().cells().forEach(cell -> checkClients(cell.scenario()));
      capacity.refuseMatrix();
      shards.refuseMatrix();
    }
    return matrix;
  }

  /** Returns the options that all runs of a matrix have, which a continued one needs again. */
  public Map<String, String> ofCells() {
    Map<String, String> common = new LinkedHashMap<>(options);
    common.keySet().removeAll(NOT_OF_CELLS);
    common.keySet().removeAll(ScenarioOptions.NAMES);
    return common;
  }

  /** Returns these settings with the scenario of a cell of a matrix, at a scale. */
  public RunSettings ofCell(Path file, double part) {
    Map<String, String> own = new LinkedHashMap<>(options);
    own.keySet().removeAll(ScenarioOptions.NAMES);
    own.remove(DATABASE);
    own.remove(RepeatOptions.REPEATS);
    own.remove(RepeatOptions.SELF);
    own.remove(RepeatOptions.AGAINST);
    own.put(SCENARIO, file.toString());
    own.put(SCALE, BigDecimal.valueOf(part).toPlainString());
    return of(own, run, Optional.empty());
  }

  /** Returns settings with options that a matrix has recorded, instead of the current ones. */
  public RunSettings withRecorded(Map<String, String> recorded) {
    Map<String, String> own = new LinkedHashMap<>(options);
    own.keySet()
        .retainAll(
            List.of(
                HOME,
                DIRECTORY,
                ALL_RESULTS,
                ProgressInterval.SECONDS,
                "metrics",
                RepeatOptions.AGAINST));
    Optional<String> against = Optional.ofNullable(own.get(RepeatOptions.AGAINST));
    own.putAll(recorded);
    against.ifPresent(given -> own.put(RepeatOptions.AGAINST, given));
    return of(own, Optional.empty(), Optional.empty());
  }

  static List<Store> databases(String text) {
    List<Store> databases = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String id : text.split(",", -1)) {
      Optional<Store> database = Stores.byId(id.strip());
      if (database.isEmpty()) {
        String hint = Spelling.hint(DATABASES, id);
        problems.add(
            "database %s: expected one of %s%s"
                .formatted(VisibleText.quoted(id), String.join(", ", DATABASES), hint));
      } else if (databases.contains(database.get())) {
        problems.add("database '" + database.get() + "': found twice, expected each once");
      }
      database.ifPresent(databases::add);
    }
    QuorateException.throwIfAny(problems);
    return databases;
  }
}
