// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.format.AtomicFile;
import io.quorate.format.NumberFormats;
import io.quorate.install.Installation;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.live.LiveOutput;
import io.quorate.run.live.RunMetrics;
import io.quorate.run.options.RepeatOptions;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.GateRule;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs the cells of a matrix, all of them once and then all again, each as a separate run with
 * separate servers. The outcome of each is in its manifest, so that an interrupted matrix can be
 * resumed.
 */
public record MatrixRun(
    MatrixDirectory directory,
    MatrixManifest manifest,
    RunSettings settings,
    boolean retryFailed,
    LoadGenerator.Launcher launcher,
    EarlyEnd early) {
  private static final long MIN_FREE_BYTES = 20_000_000;

  /** Pairs after which each side has to have a complete run. */
  private static final int PAIRS_TO_START = 3;

  private record Turn(Cell cell, int repeat) {}

  /** Creates the directory of a new matrix; fails with all problems before anything starts. */
  public static MatrixRun begun(
      Matrix asked,
      RunSettings settings,
      Installation installation,
      LoadGenerator.Launcher launcher,
      EarlyEnd early) {
    Matrix matrix = requireValid(asked, settings);
    requireInstalled(
        matrix.cells().stream().map(Matrix.Cell::scenario).toList(), settings, installation);
    settings.source().save();
    MatrixDirectory directory =
        MatrixDirectory.create(settings.results(), matrix, Instant.now(), settings.ofCells());
    if (settings.source().isOfOptions()) {
      AtomicFile.write(directory.describedScenario(), matrix.source());
    }
    return new MatrixRun(directory, directory.readPlan(), settings, false, launcher, early);
  }

  /** Opens an existing matrix; fails with all problems before anything starts. */
  public static MatrixRun continued(
      Path path,
      RunSettings settings,
      Installation installation,
      LoadGenerator.Launcher launcher,
      EarlyEnd early) {
    MatrixDirectory directory = MatrixDirectory.open(path);
    MatrixManifest manifest = directory.readPlan();
    RunSettings same = settings.withRecorded(manifest.options());
    same.repeats().requireEarlierRuns();
    MatrixRun matrix =
        new MatrixRun(directory, manifest, same, settings.retryFailed(), launcher, early);
    List<Scenario> scenarios =
        manifest.cells().stream().map(cell -> matrix.settings(cell).readScenario()).toList();
    requireInstalled(scenarios, same, installation);
    requireRunnable(scenarios, same, directory.path());
    return matrix;
  }

  private static void requireInstalled(
      List<Scenario> scenarios, RunSettings settings, Installation installation) {
    QuorateException.throwIfAny(
        scenarios.stream()
            .map(settings.servers()::of)
            .flatMap(
                each -> ScenarioRun.obstacle(settings, installation, each, database(each)).stream())
            .distinct()
            .toList());
  }

  /** Returns the chosen part of a matrix; fails if other than a missing program prevents a run. */
  static Matrix requireValid(Matrix asked, RunSettings settings) {
    Matrix matrix = chosen(asked, settings);
    if (settings.repeats().isSequential()) {
      requirePair(matrix, settings.repeats());
    }
    requireRunnable(
        matrix.cells().stream().map(Matrix.Cell::scenario).toList(), settings, settings.results());
    settings.source().requireNew();
    return matrix;
  }

  private static void requirePair(Matrix matrix, RepeatOptions options) {
    if (matrix.axes().size() > 1 || matrix.cells().size() != 2) {
      throw new QuorateException(
          "until: found %s, expected a scenario of two databases, such as --database etcd@3.5.35,etcd"
              .formatted(NumberFormats.count(matrix.cells().size(), "cell")));
    }
    Scenario scenario = matrix.cells().get(0).scenario();
    List<GateRule> rules =
        Stream.concat(scenario.goals().gate().stream(), options.gate().stream()).toList();
    if (rules.isEmpty()) {
      throw new QuorateException(
          "until: found no rule that could be decided: add one, such as --fail-on \"p99 <= +10%\"");
    }
    if (scenario.requests().coldStart()
        && !rules.stream().allMatch(rule -> rule.metric().isCount())) {
      throw new QuorateException(
          "until: found cold-start: true, expected a warm-up, as runs of cold code are not compared");
    }
  }

  private static Matrix chosen(Matrix matrix, RunSettings settings) {
    boolean onlyRepeated = matrix.axes().size() == 1;
    boolean existing = settings.usesExistingCluster();
    if (!onlyRepeated && (existing || !settings.servers().agents().isEmpty())) {
      throw new QuorateException(
          ("found %s, but %s is a matrix, and each of its runs starts servers: remove the "
                  + "option, or list agents in its file")
              .formatted(
                  settings.servers().agents().isEmpty() ? "endpoints" : "agents", matrix.name()));
    }
    if (onlyRepeated && existing && matrix.cells().size() > 1) {
      throw new QuorateException(
          "endpoints belong to one database, but the run has %s: choose one with --database ID"
              .formatted(matrix.cells().stream().map(cell -> database(cell.scenario())).toList()));
    }
    if (onlyRepeated || settings.databases().isEmpty()) {
      return matrix;
    }
    List<Matrix.Cell> cells =
        matrix.cells().stream()
            .filter(cell -> isOf(settings.databases(), database(cell.scenario())))
            .toList();
    if (cells.isEmpty()) {
      throw new QuorateException(
          "database: found %s, expected a database of the matrix %s: %s"
              .formatted(
                  settings.databases(),
                  matrix.name(),
                  matrix.cells().stream()
                      .map(cell -> database(cell.scenario()))
                      .distinct()
                      .toList()));
    }
    return matrix.of(cells);
  }

  private static boolean isOf(List<Store> chosen, Store store) {
    return chosen.contains(store) || chosen.contains(store.base());
  }

  private static Store database(Scenario cell) {
    return cell.databases().get(0).database();
  }

  private static void requireRunnable(List<Scenario> scenarios, RunSettings settings, Path at) {
    SystemLimits limits = SystemLimits.ofThisProcess();
    Set<String> problems = new LinkedHashSet<>();
    DiskSpace.full(at, MIN_FREE_BYTES).ifPresent(problems::add);
    settings.servers().requireSettings(scenarios.stream().map(MatrixRun::database).toList());
    for (Scenario written : scenarios) {
      Scenario scenario = settings.servers().of(written);
      Store database = database(scenario);
      settings.servers().requireAccess(scenario, List.of(database));
      settings.requireRoomForPrefix(settings.share(scenario, database));
      boolean local = settings.hosting(scenario) == ServerInfo.Hosting.LOCAL;
      settings.servers().agentKeys(scenario);
      problems.addAll(limits.problems(scenario, scenario.requireLoad(database), local));
    }
    QuorateException.throwIfAny(problems);
    settings.metrics().ifPresent(each -> RunMetrics.requireFree("metrics", each));
    settings.watch().ifPresent(each -> RunMetrics.requireFree("watch", each));
  }

  private Path results() {
    Path ofScenario = Objects.requireNonNull(directory.path().getParent());
    return Objects.requireNonNull(ofScenario.getParent());
  }

  /**
   * Executes all remaining runs, and then creates the report.
   *
   * @return 1 if a cell was not run to its end, if keys were not all verified and removed, or if
   *     the report could not be created; otherwise the exit code of the report, 0 on success
   */
  public int run() throws InterruptedException {
    ScenarioRun.tidy(results());
    List<Turn> turns = turns(manifest.repeats());
    Console.lines(manifest.name() + ": " + VisibleText.of(manifest.title()));
    Console.lines(
        "%s, %d runs; results: %s"
            .formatted(
                NumberFormats.count(
                    manifest.cells().size(), manifest.axes().size() == 1 ? "database" : "cell"),
                turns.size(),
                VisibleText.of(directory.toString())));
    List<Turn> left = new ArrayList<>(turns.stream().filter(this::isToBeMade).toList());
    Progress progress = new Progress(turns.size(), turns.size() - left.size());
    List<DatabaseDirectory> made = new ArrayList<>();
    early.continueBy(resumption() + " runs the rest");
    Duration canary = settings.repeats().canary(manifest.repeats());
    if (!left.isEmpty() && !canary.isZero()) {
      CanaryProbe.append(directory.path(), canary);
    }
    boolean ofSizes = isOfSizes();
    while (!left.isEmpty() && early.cause().isEmpty() && !isDecided(left.get(0))) {
      if (ofSizes) {
        // the values of a cell from those with less data, if there are enough
        String cell = left.get(0).cell.id();
        Quorate.run("report", directory.path().toString(), "--predict", cell, "--to-stderr");
      }
      made.addAll(make(left, progress));
      left.remove(0);
    }
    if (!made.isEmpty() && !canary.isZero() && early.cause().isEmpty()) {
      lastCanary(canary);
    }
    return ScenarioRun.settled(made, report());
  }

  /** Measures the machine after the runs; a failure is told, as the runs are worth their report. */
  private void lastCanary(Duration time) {
    try {
      CanaryProbe.append(directory.path(), time);
    } catch (QuorateException impossible) {
      Console.lines("no canary after the runs: " + impossible.getMessage());
    }
  }

  private List<Turn> turns(int repeats) {
    return IntStream.rangeClosed(1, repeats)
        .boxed()
        .flatMap(
            repeat ->
                settings.repeats().order().of(manifest.cells(), repeat).stream()
                    .map(cell -> new Turn(cell, repeat)))
        .toList();
  }

  /** Returns whether the pairs before a turn, which begins one, decide the gate. */
  private boolean isDecided(Turn next) {
    boolean begins =
        next.cell.equals(settings.repeats().order().of(manifest.cells(), next.repeat).get(0));
    return settings.repeats().isSequential()
        && begins
        && next.repeat > 1
        && (next.repeat > PAIRS_TO_START || manifest.cells().stream().allMatch(this::hasRun))
        && ScenarioRun.compared(settings, sides(), "--gate-only") != Quorate.UNDECIDED;
  }

  /** Returns whether one of the first pairs has a complete run of a cell. */
  private boolean hasRun(Cell cell) {
    return IntStream.rangeClosed(1, PAIRS_TO_START)
        .mapToObj(repeat -> directory.status(cell.id(), repeat))
        .anyMatch(status -> status.filter(RunStatus.COMPLETE::equals).isPresent());
  }

  /** Returns the sides of a sequential comparison. */
  private List<String> sides() {
    return manifest.cells().stream()
        .map(cell -> directory + ":" + database(settings(cell).readScenario()))
        .toList();
  }

  private boolean isToBeMade(Turn turn) {
    Optional<RunStatus> status = status(turn);
    return status.isEmpty()
        || status.get() == RunStatus.INTERRUPTED
        || status.get() == RunStatus.ENDED_EARLY
        || status.get() == RunStatus.FAILED && retryFailed;
  }

  private Optional<RunStatus> status(Turn turn) {
    return directory.status(turn.cell.id(), turn.repeat);
  }

  /** Returns whether the cells have faults, and data of different sizes. */
  private boolean isOfSizes() {
    return manifest.cells().stream()
            .map(cell -> settings(cell).readScenario())
            .filter(cell -> cell.faults().isPresent())
            .map(Scenario::requests)
            .map(requests -> requests.keys().count() * requests.bytesPerPreloadedKey())
            .distinct()
            .count()
        > 1;
  }

  @SuppressWarnings("try") // the live output works until it is closed
  private List<DatabaseDirectory> make(List<Turn> left, Progress progress)
      throws InterruptedException {
    Turn turn = left.get(0);
    Cell cell = turn.cell;
    List<String> cells = left.stream().map(each -> each.cell.id()).toList();
    Console.lines(
        progress.begins(VisibleText.of(cell.label()), turn.repeat, manifest.repeats(), cells));
    RunSettings own = settings(cell).planned();
    long start = System.nanoTime();
    RunDirectory attempt = directory.nextAttempt(cell.id(), turn.repeat);
    LiveOutput live = new LiveOutput(attempt, settings);
    try {
      new LoadGeneratorRun(launcher, early, own, database(own.readScenario())).into(attempt, 0);
    } finally {
      live.close();
    }
    progress.ended(cell.id(), Duration.ofNanos(System.nanoTime() - start));
    return attempt.databases();
  }

  private RunSettings settings(Cell cell) {
    return settings.ofCell(directory.scenario(cell.id()), manifest.scale());
  }

  private String resumption() {
    return "./quorate run --resume " + VisibleText.of(directory.toString());
  }

  private List<GateRule> gate() {
    return settings(manifest.cells().get(0)).readScenario().goals().gate();
  }

  private int report() {
    List<Turn> turns = turns(directory.readManifest().repeats());
    long failed =
        turns.stream()
            .filter(turn -> status(turn).filter(RunStatus.COMPLETE::equals).isEmpty())
            .count();
    int report = Quorate.run(settings.reportOf(directory.path()));
    Quorate.run("list", "--index", "--results", results().toString());
    long left = turns.stream().filter(this::isToBeMade).count();
    if (left > 0 && !retryFailed) {
      Console.lines(
          "%d of %d runs are left; to continue: %s".formatted(left, turns.size(), resumption()));
    } else if (failed > 0) {
      Console.lines(
          "%d of %d runs failed; to run them again: %s --retry failed"
              .formatted(failed, turns.size(), resumption()));
    }
    if (failed > 0 && early.cause().isPresent()) {
      return early.cause().get().exitCode();
    }
    return failed == 0 && ScenarioRun.isReported(report)
        ? settings.repeats().isSequential()
            ? ScenarioRun.worst(report, ScenarioRun.compared(settings, sides()))
            : ScenarioRun.compared(settings, gate(), directory.path(), report)
        : Quorate.FAILED;
  }

  /**
   * Reports the progress of a matrix of runs. The remaining time is estimated from the runs so far:
   * from earlier runs of the same cell, otherwise from the mean of all runs.
   */
  static final class Progress {
    private final int runs;
    private final Map<String, Duration> byCell = new HashMap<>();
    private Duration all = Duration.ZERO;
    private int measured;
    private int begun;

    Progress(int runs, int begun) {
      this.runs = runs;
      this.begun = begun;
    }

    public void ended(String cell, Duration took) {
      byCell.put(cell, took);
      all = all.plus(took);
      measured++;
    }

    /** Counts a run that begins; {@code left} are the cells of the remaining runs. */
    public String begins(String label, int repeat, int repeats, List<String> left) {
      String which = repeats > 1 ? "repeat %d of %d, ".formatted(repeat, repeats) : "";
      return "[%d/%d] %s%s%s".formatted(++begun, runs, which, label, estimate(left));
    }

    private String estimate(List<String> left) {
      if (measured == 0) {
        return "";
      }
      Duration mean = all.dividedBy(measured);
      long seconds =
          left.stream()
              .map(cell -> byCell.getOrDefault(cell, mean))
              .reduce(Duration.ZERO, Duration::plus)
              .toSeconds();
      return "; about " + NumberFormats.duration(seconds) + " left";
    }
  }
}
