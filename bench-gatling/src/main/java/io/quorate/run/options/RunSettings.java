// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.RunPrefix;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.scenario.WatchLoad;
import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Settings of a run: the values of its {@link RunOptions}. The process that starts a run reads them
 * from its command line or from system properties ({@code -Dscenario=}, {@code -Ddatabase=}, ...),
 * and writes the options into the plan of the run. Load generators read them from there.
 *
 * @param source where its scenario comes from
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
 * @param results directory of all results
 * @param run directory of this run; empty if there is none yet
 */
public record RunSettings(
    ScenarioSource source,
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
    Path results,
    Optional<Path> run) {
  private static final String FAILED = "failed";

  private static final Pattern PRICE = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,6})?");

  private static final List<String> DATABASES = Stores.all().stream().map(Store::id).toList();

  /**
   * Reads the settings from system properties, or, in a load generator, from the plan of its run.
   *
   * @throws QuorateException with every option that has no value or a wrong one
   */
  public static RunSettings of(Properties properties) {
    String planned = properties.getProperty(RunOptions.PLAN);
    return planned == null
        ? of(RunOptions.of(properties), Optional.empty(), Optional.empty())
        : ofPlan(Path.of(planned), properties.getProperty(RunOptions.DATABASE));
  }

  private static RunSettings ofPlan(Path file, String database) {
    Path run = Objects.requireNonNull(file.getParent());
    RunPlan plan = RunPlan.read(run).orElseThrow(() -> new QuorateException(file + ": is missing"));
    RunOptions options = new RunOptions(plan.options()).withDatabase(database);
    return of(options, Optional.of(run), Optional.of(plan));
  }

  private static RunSettings of(RunOptions given, Optional<Path> run, Optional<RunPlan> plan) {
    Path directory = given.directory();
    OptionReader options = new OptionReader(given.values());
    String scenario =
        options.read(RunOptions.SCENARIO, Function.identity()).orElse("quick")
            + (options.isOn(RunOptions.FULL) ? "-full" : "");
    double scale = options.read(RunOptions.SCALE, ScenarioReader::scale).orElse(1.0);
    List<Store> databases =
        options.read(RunOptions.DATABASE, RunSettings::databases).orElse(List.of());
    RunSettings settings =
        new RunSettings(
            new ScenarioSource(scenario, given, databases, plan),
            scale,
            databases,
            ServerOptions.read(options, directory),
            clients(options),
            options.read(RunOptions.METRICS, Endpoint::parse),
            options.isOn("realtime"),
            CapacityOptions.read(options, directory),
            ShardOptions.read(options, directory),
            RepeatOptions.read(options, directory),
            options.read(RunOptions.RESUME, directory::resolve),
            options
                .read("retry", "'" + FAILED + "'", text -> Optional.of(text).filter(FAILED::equals))
                .isPresent(),
            options.read(RunOptions.RESULTS, directory::resolve).orElseGet(given::allResults),
            run);
    options.isOn(RunOptions.TABLE);
    options.isOn(RunOptions.SUMMARY);
    options.read(RunOptions.WATCH, Endpoint::parse);
    price(options);
    boolean both = options.isOn(RunOptions.JSON) && options.isOn(RunOptions.NDJSON);
    options.isOn(RunOptions.GATLING_REPORT);
    options.throwIfWrong();
    if (both || settings.isForPrograms() && settings.repeats.isCompared()) {
      throw new QuorateException(
          "--json: found %s, expected one document on standard output: leave one of them out"
              .formatted(both ? "--ndjson as well" : "a comparison with other runs"));
    }
    if (settings.continued.isPresent()) {
      given.requireNoneOfMatrix();
    } else if (settings.retryFailed) {
      throw new QuorateException("retry: needs --resume with the directory of a matrix");
    }
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

  /** Returns the options as text. */
  public RunOptions options() {
    return source.options();
  }

  /** Returns the plan of the run; empty if its scenario was not read yet. */
  public Optional<RunPlan> plan() {
    return source.plan();
  }

  /** Returns the directory of Quorate's own files. */
  public Path home() {
    return options().home();
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
    return share.below(RunPrefix.of(servers.chroot(), name, share.shard()));
  }

  public void requireRoomForPrefix(LoadShare share) {
    int length = servers.runName().map(String::length).orElse(RunPrefix.NAME_LENGTH);
    if (usesExistingCluster()) {
      QuorateException.throwIf(RunPrefix.obstacle(share, servers.chroot(), length));
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
      asked
          .requests()
          .keys()
          .ttl()
          .flatMap(any -> UnsupportedFeature.ofTtl(load.database(), used))
          .ifPresent(
              each -> {
                throw new QuorateException(
                    "%s: found %s, expected %s"
                        .formatted(load.database().clientOption(), each.found(), each.expected()));
              });
      List<WatchLoad> watchers =
          load.steps().stream().flatMap(step -> step.watch().stream()).toList();
      UnsupportedFeature.lackedBy(used, asked.requests().mix(), watchers, load.database()).stream()
          .findFirst()
          .ifPresent(
              lacking -> {
                throw new QuorateException(
                    "%s: found %s with %s, expected no such option, as this client cannot do that"
                        .formatted(load.database().clientOption(), used, lacking));
              });
      if (load.column().client().filter(chosen -> !chosen.equals(used)).isPresent()) {
        throw new QuorateException(
            "%s: found %s, and the client %s in the scenario: remove one of them"
                .formatted(load.database().clientOption(), used, load.client()));
      }
    }
  }

  /**
   * Refuses requests that servers refuse as too large; returns them as a warning for existing
   * clusters, whose limits are unknown.
   */
  public Optional<String> checkSizes(Scenario asked, List<Store> measured) {
    RunPlan plan = source.read();
    Optional<InvalidScenarioException> problem =
        ScenarioReader.tooLarge(plan.file(), plan.scenario(), asked, measured);
    if (!usesExistingCluster()) {
      problem.ifPresent(
          each -> {
            throw each;
          });
    }
    return problem.map(each -> each.getMessage() + "; an existing cluster may have other limits");
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
    return of(options(), run, Optional.of(source.read()));
  }

  /** Returns the hints about the text of the scenario, which was read. */
  List<String> hints() {
    RunPlan plan = source.read();
    return ScenarioReader.hints(plan.file(), plan.scenario());
  }

  /** Returns whether Gatling writes its own report after the load. */
  public boolean hasGatlingReport() {
    return isOn(RunOptions.GATLING_REPORT);
  }

  /** Returns the command line that renders the results in a directory and prints them. */
  public String[] reportOf(Path run) {
    List<String> command = new ArrayList<>(List.of("report", run.toString()));
    for (String option : List.of(RunOptions.TABLE, RunOptions.SUMMARY, RunOptions.JSON)) {
      if (isOn(option)) {
        command.add("--" + option);
      }
    }
    if (hasSecondsAsJson()) {
      command.add("--to-stderr");
    }
    return command.toArray(String[]::new);
  }

  /** Returns whether programs read standard output. */
  public boolean isForPrograms() {
    return isOn(RunOptions.JSON) || hasSecondsAsJson();
  }

  public boolean hasSecondsAsJson() {
    return isOn(RunOptions.NDJSON);
  }

  /** Returns the address at which the page of the running run is served. */
  public Optional<Endpoint> watch() {
    return Optional.ofNullable(options().values().get(RunOptions.WATCH)).map(Endpoint::parse);
  }

  /** Returns a manifest with the price per hour, if there is one. */
  public Manifest priced(Manifest manifest) {
    return price(new OptionReader(options().values()))
        .map(manifest::withPricePerHour)
        .orElse(manifest);
  }

  private static Optional<BigDecimal> price(OptionReader options) {
    return options.read(
        RunOptions.PRICE,
        "a price such as 1.25",
        text ->
            Optional.of(text).filter(each -> PRICE.matcher(each).matches()).map(BigDecimal::new));
  }

  private boolean isOn(String name) {
    return new OptionReader(options().values()).isOn(name);
  }

  private Scenario askedScenario() {
    Scenario asked = servers.of(source.read().read(scale));
    if (asked.faults().isPresent() && shards.shard().isPresent()) {
      throw new QuorateException(
          "shard: found a scenario with faults, which one load generator causes: leave out"
              + " --shard");
    }
    if (asked.requests().mix().usesSessions() && shards.shard().isPresent()) {
      throw new QuorateException(
          "shard: found a scenario with sessions, whose clients are in one load generator: leave"
              + " out --shard");
    }
    checkClients(asked);
    shards.check(asked, this);
    return asked;
  }

  /** Reads the scenario if it makes several runs of each database; otherwise empty. */
  Optional<Matrix> readMatrix() {
    repeats.requireEarlierRuns();
    if (repeats.baseline().isPresent() && (capacity.isWanted() || shards.shard().isPresent())) {
      throw new QuorateException(
          "baseline: found %s, whose results no run is compared with: leave it out, and use 'quorate compare' afterwards"
              .formatted(shards.shard().isPresent() ? "a shard" : "a capacity search"));
    }
    Optional<Matrix> matrix = source.read().readMatrix(scale, databases, repeats.repeats());
    if (matrix.isPresent()) {
      for (Matrix.Cell cell : matrix.get().cells()) {
        checkClients(cell.scenario());
        checkSizes(
            cell.scenario(),
            cell.scenario().databases().stream().map(StoreLoad::database).toList());
      }
      capacity.refuseMatrix();
      shards.refuseMatrix();
    }
    return matrix;
  }

  /** Returns the options that all runs of a matrix have, which a continued one needs again. */
  public Map<String, String> ofCells() {
    Map<String, String> common = options().ofCells();
    common.put(RepeatOptions.ORDER, repeats.order().toString());
    return common;
  }

  /** Returns these settings with the scenario of a cell of a matrix, at a scale. */
  public RunSettings ofCell(Path file, double part) {
    return of(options().ofCell(file, part), run, Optional.empty());
  }

  /** Returns settings with options that a matrix has recorded, instead of the current ones. */
  public RunSettings withRecorded(Map<String, String> recorded) {
    return of(options().withRecorded(recorded), Optional.empty(), Optional.empty());
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
