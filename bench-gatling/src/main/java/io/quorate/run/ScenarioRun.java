// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.cluster.process.OrphanCleanup;
import io.quorate.format.AtomicFile;
import io.quorate.install.Installation;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ReservedManifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.capacity.CapacityMeasurement;
import io.quorate.run.live.LiveOutput;
import io.quorate.run.live.RunMetrics;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.FaultAction;
import io.quorate.scenario.GateRule;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.shard.Heartbeat;
import io.quorate.store.Store;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs a scenario: one load generator after the other, then the report. */
public record ScenarioRun(
    RunSettings settings,
    Installation installation,
    LoadGenerator.Launcher launcher,
    EarlyEnd early) {
  static final int OK = 0;

  private static final String COMPARE = "compare";

  /** Free space needed for the files of a short run; servers need more. */
  private static final long MIN_FREE_BYTES = 2_000_000;

  /**
   * Runs the scenario to its end.
   *
   * @return 0 if every possible database was run to its end, 1 if one was not, or if its keys were
   *     not all verified and removed, 3 if a limit or the gate of the scenario was broken or a
   *     capacity search had no result, and 4 if a limit or a rule of the gate could not be decided,
   *     or fewer faults took effect than planned; 128 and the number of the signal if one ended the
   *     run early
   * @throws QuorateException if there is a problem before anything is started
   */
  public int run() throws InterruptedException {
    Scenario scenario = settings.readScenario();
    List<Store> databases = requireValid(scenario);
    Map<Store, String> obstacles = obstacles(scenario, databases);
    List<Store> runnable = databases.stream().filter(each -> !obstacles.containsKey(each)).toList();
    if (runnable.isEmpty() || !settings.databases().isEmpty() && !obstacles.isEmpty()) {
      throw new QuorateException(String.join(System.lineSeparator(), obstacles.values()));
    }

    requireRunnable(scenario, runnable);
    settings.source().save();
    tidy(settings.results());
    RunDirectory run =
        RunDirectory.create(
            settings.results(),
            scenario.heading().name(),
            scenario.scale(),
            settings.shards().shardOrDefault(),
            Instant.now());
    String shard = settings.shards().shard().map(each -> ", " + each).orElse("");
    Console.lines(scenario.heading().name() + shard + ": " + scenario.headline());
    Console.lines("results: " + VisibleText.of(run.toString()));
    if (settings.source().isOfOptions()) {
      AtomicFile.write(
          run.path().resolve("scenario.yaml"), settings.plan().orElseThrow().scenario());
    }
    early.continueBy(
        "'quorate report %s' writes the page".formatted(VisibleText.of(run.toString())));
    Optional<Heartbeat> life = settings.shards().showLife();
    LiveOutput live = new LiveOutput(run, settings);
    boolean complete = true;
    int left = runnable.size();
    for (Store database : runnable) {
      left--;
      complete &= new LoadGeneratorRun(launcher, early, settings, database).into(run, left);
    }
    live.close();

    obstacles.values().forEach(Console::lines);
    // of what left no trace at all, everything has been said
    int report =
        run.databases().isEmpty() ? Quorate.FAILED : Quorate.run(settings.reportOf(run.path()));
    Quorate.run("list", "--index", "--results", settings.results().toString());
    for (DatabaseDirectory each : run.databases()) {
      RunStatus status = Manifest.read(each.manifest()).status();
      settings.shards().publishCompletion(run.path(), status);
    }
    life.ifPresent(Heartbeat::close);
    int code =
        complete && isReported(report)
            ? compared(settings, scenario.goals().gate(), run.path(), exitCode(run, report))
            : Quorate.FAILED;
    int end = complete ? code : early.cause().map(EarlyEnd.Cause::exitCode).orElse(code);
    return settled(run.databases(), end);
  }

  /**
   * Prints what runs have not done at their ends, as the last lines of a command.
   *
   * @return 1 if there is something, otherwise the exit code so far
   */
  static int settled(List<DatabaseDirectory> runs, int soFar) {
    List<String> undone =
        runs.stream().flatMap(each -> LoadGeneratorRun.undone(each).stream()).toList();
    undone.forEach(Console::lines);
    return undone.isEmpty() ? soFar : Quorate.FAILED;
  }

  /** Returns whether an exit code of the report is about the results, not about a failure. */
  static boolean isReported(int report) {
    return report == OK || report == Quorate.LIMIT_BROKEN || report == Quorate.UNDECIDED;
  }

  /**
   * Prints what a run would do, and starts nothing.
   *
   * @return 0 if all databases can run, 1 if a program is missing
   * @throws QuorateException if there is something wrong with the scenario or the options
   */
  public int preview(PrintWriter out) {
    Scenario scenario = settings.readScenario();
    List<Store> databases = requireValid(scenario);
    Map<Store, String> obstacles = obstacles(scenario, databases);
    requireRunnable(
        scenario, databases.stream().filter(each -> !obstacles.containsKey(each)).toList());
    return preview(out, RunPreview.lines(settings, scenario, databases, obstacles), obstacles);
  }

  private int preview(PrintWriter out, List<RunPreview.Line> lines, Map<Store, String> obstacles) {
    RunPreview.print(out, lines, obstacles.isEmpty(), settings.isForPrograms());
    return obstacles.isEmpty() ? OK : Quorate.FAILED;
  }

  /** Prints what a matrix of runs would do, and starts nothing; returns as {@link #preview}. */
  public int preview(Matrix asked, PrintWriter out) {
    Matrix matrix = MatrixRun.requireValid(asked, settings);
    Map<Store, String> obstacles = new LinkedHashMap<>();
    for (Matrix.Cell cell : matrix.cells()) {
      Store database = cell.scenario().databases().get(0).database();
      obstacle(settings, installation, settings.servers().of(cell.scenario()), database)
          .ifPresent(why -> obstacles.put(database, why));
    }
    return preview(out, RunPreview.lines(settings, matrix, obstacles), obstacles);
  }

  /** Checks the scenario and the options; returns the databases in the order of the scenario. */
  private List<Store> requireValid(Scenario scenario) {
    settings.capacityGoal();
    settings.shards().requireFuture(Instant.now());
    settings.servers().agentKeys(scenario);
    List<Store> databases = wanted(scenario);
    settings.servers().requireAccess(scenario, databases);
    settings.servers().access().warnings().forEach(Console::lines);
    settings.servers().requireSettings(databases);
    settings.checkSizes(scenario, databases).ifPresent(Console::lines);
    return databases;
  }

  static void tidy(Path results) {
    OrphanCleanup.tidy(results, Console::lines);
    OrphanCleanup.databases(results).stream()
        .map(DatabaseDirectory::new)
        .filter(ReservedManifest::release)
        .filter(killed -> Files.exists(killed.manifest()))
        .forEach(ScenarioRun::remind);
  }

  /** Says what a run has not done that was killed together with its load generator. */
  private static void remind(DatabaseDirectory killed) {
    try {
      LoadGeneratorRun.undone(killed)
          .forEach(each -> Console.lines("a run was killed (" + killed + "): " + each));
    } catch (QuorateException unreadable) {
      Console.lines(unreadable.getMessage());
    }
  }

  /**
   * Returns 3 if a search found no capacity, unless a disturbed one decides nothing, otherwise the
   * exit code of the report.
   */
  static int exitCode(RunDirectory run, int report) {
    int code = report;
    for (DatabaseDirectory database : run.databases()) {
      for (SearchRecord search : TrialsJournal.read(database)) {
        if (search.conclusion().filter(found -> !found.isKnown()).isPresent()) {
          Console.lines(database.id() + ": no capacity was found");
          code = report == Quorate.UNDECIDED ? report : Quorate.LIMIT_BROKEN;
        }
      }
    }
    return code;
  }

  /**
   * Compares the results in a directory with earlier ones, or with themselves, as the options ask.
   *
   * @return 3 if the run broke a limit, unless the comparison failed; otherwise the exit code of
   *     the comparison, or 4 if a limit is undecided and no rule broken
   */
  static int compared(RunSettings settings, List<GateRule> gate, Path run, int soFar) {
    Optional<Path> baseline = settings.repeats().baseline();
    if (baseline.isEmpty() && !settings.repeats().isSelfComparison()) {
      if (!gate.isEmpty() || !settings.repeats().rules().isEmpty()) {
        Console.lines(
            "fail-on: applied when this run is compared with earlier ones: --baseline DIR, or"
                + " 'quorate compare'");
      }
      return soFar;
    }
    return worst(
        soFar,
        compared(
            settings,
            Stream.concat(baseline.stream(), Stream.of(run)).map(Path::toString).toList()));
  }

  /** Compares sides with the rules of the options; returns the exit code. */
  static int compared(RunSettings settings, List<String> sides, String... more) {
    List<String> words = new ArrayList<>(List.of(COMPARE));
    words.addAll(sides);
    String rules = settings.repeats().rules();
    if (sides.size() > 1 && !rules.isEmpty()) {
      words.addAll(List.of("--fail-on", rules));
    }
    words.addAll(List.of(more));
    return Quorate.run(words.toArray(String[]::new));
  }

  /** Returns the exit code of a run and its comparison. */
  static int worst(int soFar, int compared) {
    boolean isWorse = soFar == Quorate.UNDECIDED && compared == Quorate.LIMIT_BROKEN;
    return soFar == OK || isWorse || compared == Quorate.FAILED || compared == Quorate.USAGE
        ? compared
        : soFar;
  }

  private void requireContinuable(Scenario scenario, List<Store> databases) {
    Optional<CapacityGoal> goal = settings.capacityGoal();
    if (goal.isPresent()) {
      for (Store each : databases) {
        Map<String, String> plan = CapacityMeasurement.plan(settings, scenario, each, goal.get());
        CapacityMeasurement.continued(settings, each, goal.get(), plan);
      }
    }
  }

  /** Fails if something else than a missing program prevents a run. */
  private void requireRunnable(Scenario scenario, List<Store> runnable) {
    requireContinuable(scenario, runnable);
    requireDiskSpace(scenario, runnable);
    runnable.forEach(each -> settings.requireRoomForPrefix(settings.share(scenario, each)));
    settings.metrics().ifPresent(each -> RunMetrics.requireFree("metrics", each));
    settings.watch().ifPresent(each -> RunMetrics.requireFree("watch", each));
    settings.source().requireNew();
  }

  private void requireDiskSpace(Scenario scenario, List<Store> runnable) {
    SystemLimits limits = SystemLimits.ofThisProcess();
    boolean local = settings.hosting(scenario) == ServerInfo.Hosting.LOCAL;
    List<String> problems = new ArrayList<>();
    DiskSpace.full(settings.results(), MIN_FREE_BYTES).ifPresent(problems::add);
    for (Store database : runnable) {
      problems.addAll(limits.problems(scenario, settings.share(scenario, database).load(), local));
    }
    QuorateException.throwIfAny(problems);
  }

  /** Returns the databases in the order of the scenario, then those that it does not name. */
  private List<Store> wanted(Scenario scenario) {
    List<Store> named = scenario.databases().stream().map(StoreLoad::database).toList();
    List<Store> chosen = settings.databases();
    chosen.forEach(scenario::requireLoad);
    List<Store> wanted =
        chosen.isEmpty()
            ? named
            : Stream.concat(
                    named.stream().filter(chosen::contains),
                    chosen.stream().filter(database -> !named.contains(database)))
                .distinct()
                .toList();
    if (settings.usesExistingCluster()) {
      for (Store database : wanted) {
        if (!database.hasServers()) {
          throw new QuorateException(
              ("endpoints: the database '%s' has no servers. Choose another database, or "
                      + "remove the endpoints")
                  .formatted(database));
        }
      }
      requireOne(wanted, "endpoints belong to");
    }
    if (settings.shards().shard().isPresent()) {
      requireOne(wanted, "shards meet for");
    }
    return wanted;
  }

  private static void requireOne(List<Store> wanted, String what) {
    if (wanted.size() != 1) {
      throw new QuorateException(
          "%s one database, but the run has %s: choose one with --database ID"
              .formatted(what, wanted));
    }
  }

  private Map<Store, String> obstacles(Scenario scenario, List<Store> databases) {
    Map<Store, String> obstacles = new LinkedHashMap<>();
    for (Store database : databases) {
      obstacle(settings, installation, scenario, database)
          .ifPresent(why -> obstacles.put(database, why));
    }
    return obstacles;
  }

  /**
   * Returns the reason why the servers of a database cannot be started; empty if they can, or need
   * not be. Agents check their own installations.
   */
  static Optional<String> obstacle(
      RunSettings settings, Installation installation, Scenario scenario, Store database) {
    StoreServers servers = Stores.servers(database);
    return switch (settings.hosting(scenario)) {
      case LOCAL ->
          installation
              .obstacle(database)
              .or(() -> servers.obstacleToStart(scenario.cluster().members()))
              .or(() -> upgrade(scenario, database).flatMap(installation::obstacle));
      case AGENTS -> servers.obstacleToStart(scenario.cluster().members());
      case GIVEN -> Optional.empty();
    };
  }

  /** Returns the store to whose version a fault upgrades a database; empty without that. */
  private static Optional<Store> upgrade(Scenario scenario, Store database) {
    return scenario
        .faults()
        .flatMap(plan -> plan.first(FaultAction.Restart.UPGRADE))
        .map(any -> database.base());
  }
}
