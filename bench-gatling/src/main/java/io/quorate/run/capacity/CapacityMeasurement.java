// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import io.quorate.ByteSize;
import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.VisibleText;
import io.quorate.capacity.CapacitySearch;
import io.quorate.capacity.SearchPlan;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialResult;
import io.quorate.capacity.TrialVerdict;
import io.quorate.install.Installation;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.RunContext;
import io.quorate.run.options.AccessOptions;
import io.quorate.run.options.RunSettings;
import io.quorate.run.options.ServerOptions;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import io.quorate.scenario.Step;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Searches the capacity of one database after a probe by its clients, and repeats the search for
 * each requested size of the store. It runs the trials, reports their results, and writes the
 * journal.
 */
public final class CapacityMeasurement implements RunPart {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Ratio of the first load to the lowest load that is tried. */
  private static final long MIN_PART = 64;

  /** Time for which the load of the first trial runs before it. */
  private static final int WARM_UP_SECONDS = 20;

  private static final int QUICK_WARM_UP_SECONDS = 15;

  private static final long MAX_RATE = 1_000_000;
  private static final long MAX_CLIENTS = 100_000;

  /** Name of the scenario's text in a plan. */
  private static final String SCENARIO = "scenario";

  private final RunContext run;
  private final CapacityGoal goal;
  private long preloadedKeys;

  public CapacityMeasurement(RunContext run, CapacityGoal goal) {
    this.run = run;
    this.goal = goal;
  }

  private static boolean isQuick(CapacityGoal goal) {
    return goal.search() == CapacityGoal.Search.QUICK;
  }

  /** Searches until it is over or the process is ending. */
  @Override
  public void loadEnded() {
    if (run.isEnding()) {
      return; // without a probe there is no first load
    }
    RunSettings settings = run.settings();
    Map<String, String> plan =
        new LinkedHashMap<>(plan(settings, run.scenario(), run.database(), goal));
    plan.put("server version", run.cluster().version());
    List<SearchRecord> earlier = continued(settings, run.database(), goal, plan);
    List<Long> sizes = Stream.concat(Stream.of(0L), goal.preloadBytes().stream()).toList();
    try (TrialRunner runner = new TrialRunner(run, goal)) {
      long start = firstStart();
      int seconds = isQuick(goal) ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
      run.say("warming up for %d s with the first load".formatted(seconds));
      runner.warmUp(start, seconds);
      for (long bytes : sizes) {
        preload(bytes, runner);
        Optional<SearchResult> found = search(bytes, start, plan, earlier, runner);
        if (found.isEmpty()) {
          return; // the process is ending
        }
        start = found.get().holds().map(bound -> bound.load()).orElse(start);
      }
    }
  }

  /** Runs a search at this size of the store; empty if the process is ending. */
  private Optional<SearchResult> search(
      long preloadBytes,
      long startIfNew,
      Map<String, String> plan,
      List<SearchRecord> earlier,
      TrialRunner runner) {
    Optional<SearchRecord> begun =
        earlier.stream().filter(each -> each.header().preloadBytes() == preloadBytes).findFirst();
    long start = begun.map(each -> each.header().start()).orElse(startIfNew);
    SearchRecord.Header header =
        new SearchRecord.Header(
            run.scenario().heading().name(),
            limits(goal),
            goal.search(),
            start,
            goal.load(),
            preloadBytes,
            goal.unit(),
            plan);
    Deque<TrialRow> known = new ArrayDeque<>(begun.map(SearchRecord::trials).orElse(List.of()));
    SearchLog log = SearchLog.begin(run.directory(), header, known.size(), run::say);
    CapacitySearch search = search(goal, start);
    while (search.next().isPresent()) {
      Trial trial = search.next().get();
      Optional<TrialRow> row =
          known.isEmpty() ? runner.make(trial) : Optional.of(known.remove().ofEarlierRun());
      if (row.isEmpty()) {
        return Optional.empty();
      }
      log.add(row.get());
      search.add(result(row.get()), row.get().wholeSeconds());
    }
    SearchResult conclusion = search.conclusion();
    log.add(conclusion);
    boolean whole = new CapacityCurve(goal, runner, log).make(conclusion, begun);
    return whole ? Optional.of(conclusion) : Optional.empty();
  }

  private void preload(long bytes, TrialRunner runner) {
    long keys = bytes / Math.max(1, run.load().bytesPerKey());
    if (keys > preloadedKeys) {
      run.say("making the database larger by %s in all".formatted(ByteSize.text(bytes)));
      runner.preload(preloadedKeys, keys);
      preloadedKeys = keys;
    }
  }

  private static CapacitySearch search(CapacityGoal goal, long start) {
    SearchPlan rules = isQuick(goal) ? SearchPlan.QUICK : SearchPlan.FULL;
    return goal.load() == CapacityGoal.Load.RATE
        ? new CapacitySearch(rules, Math.max(1, start / MIN_PART), MAX_RATE, start)
        : new CapacitySearch(rules, 1, MAX_CLIENTS, start);
  }

  /**
   * Returns the first load: half of the probe's rate or, in a search for clients, the probe's
   * number of clients.
   */
  private long firstStart() {
    Step asked = run.load().steps().get(0).step();
    if (goal.load() == CapacityGoal.Load.CLIENTS) {
      return asked.clients();
    }
    StepMeasurement probe = run.load().steps().get(0).recorder().measurement();
    double perSecond = probe.successes().count() / (probe.elapsedNanos() / NANOS_PER_SECOND);
    return Math.max(1, Math.round(perSecond / 2));
  }

  private static List<SloLimit> limits(CapacityGoal goal) {
    return goal.limits().stream().map(ServiceLevel::limit).toList();
  }

  /** Returns all conditions of the trials that are known before servers run, by name. */
  public static Map<String, String> plan(
      RunSettings settings, Scenario scenario, Store database, CapacityGoal goal) {
    ServerOptions servers = settings.servers();
    ServerInfo.Hosting hosting = settings.hosting(scenario);
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put(SCENARIO, scenario.heading().source());
    plan.put("scale", BigDecimal.valueOf(scenario.scale()).toPlainString());
    plan.put("database", database.id());
    plan.put(
        "settings",
        servers.fitting(scenario.requireLoad(database)).settings().texts().entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", ")));
    plan.put("preload", joined(goal.preloadBytes().stream().map(ByteSize::text).toList()));
    plan.put("client", settings.client(scenario.requireLoad(database)).toString());
    List<Endpoint> addresses =
        hosting == ServerInfo.Hosting.AGENTS ? scenario.cluster().agents() : servers.endpoints();
    plan.put(
        "servers", (hosting.name().toLowerCase(Locale.ROOT) + " " + joined(addresses)).strip());
    AccessOptions access = servers.access();
    plan.put(
        "access",
        joined(
            Stream.of(access.authority(), access.certificate(), access.key(), access.credentials())
                .flatMap(Optional::stream)
                .toList()));
    if (hosting == ServerInfo.Hosting.LOCAL) {
      Installation installed = Installation.of(System.getenv(), System.getProperties());
      plan.put(
          "programs",
          joined(
              Stores.servers(database).programs().stream()
                  .flatMap(program -> installed.find(program).stream())
                  .map(Installation.Found::executable)
                  .toList()));
    }
    BuildInfo quorate = BuildInfo.ofThisBuild();
    plan.put(
        "Quorate",
        (quorate.version().orElse("") + " " + quorate.commit().orElse("")).strip()
            + (quorate.dirty() ? " with changes" : ""));
    return plan;
  }

  private static String joined(List<?> parts) {
    return parts.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  /** Returns the searches that are continued; refuses those that had another plan. */
  public static List<SearchRecord> continued(
      RunSettings settings, Store database, CapacityGoal goal, Map<String, String> plan) {
    Optional<Path> run = settings.capacity().continued().map(it -> it.resolve(database.id()));
    List<SearchRecord> searches =
        run.map(path -> TrialsJournal.read(new DatabaseDirectory(path))).orElse(List.of());
    for (SearchRecord each : searches) {
      List<String> differences = differences(each.header(), goal, plan);
      if (!differences.isEmpty()) {
        throw new QuorateException(
            "%s: cannot continue this search, because its plan differs:\n%s\nRepeat the command and the scenario of that run, or start a new search without --resume"
                .formatted(
                    VisibleText.of(run.orElseThrow().toString()), String.join("\n", differences)));
      }
      requireTrials(run.orElseThrow(), each, goal);
    }
    return searches;
  }

  /** Fails if the search would not have made these trials. */
  private static void requireTrials(Path run, SearchRecord record, CapacityGoal goal) {
    CapacitySearch search = search(goal, record.header().start());
    String unit = record.header().ofClients() ? " clients" : "/s";
    for (TrialRow row : record.trials()) {
      String found = trial(row.number(), row.stage(), row.load(), unit);
      String expected =
          search
              .next()
              .map(next -> trial(next.number(), next.stage(), next.load(), unit))
              .orElse("none");
      if (!found.equals(expected)) {
        throw new QuorateException(
            "%s: cannot continue this search: found %s, expected %s after the trials before it. Start a new search without --resume"
                .formatted(VisibleText.of(run.toString()), found, expected));
      }
      search.add(result(row), row.wholeSeconds());
    }
  }

  private static String trial(int number, Trial.Stage stage, long load, String unit) {
    return SearchLog.format("trial %d (%s, %,d%s)", number, stage.id(), load, unit);
  }

  private static List<String> differences(
      SearchRecord.Header earlier, CapacityGoal goal, Map<String, String> plan) {
    Map<String, String> before = new LinkedHashMap<>(earlier.plan());
    Map<String, String> now = new LinkedHashMap<>(plan);
    before.put("thresholds", joined(earlier.limits()));
    now.put("thresholds", joined(limits(goal)));
    before.put("search", earlier.search().id());
    now.put("search", goal.search().id());
    before.put("load", earlier.load().id());
    now.put("load", goal.load().id());
    List<String> differences = new ArrayList<>();
    now.forEach(
        (name, value) -> {
          String old = before.getOrDefault(name, value);
          if (!old.equals(value)) {
            differences.add(
                name.equals(SCENARIO) ? differentLine(old, value) : different(name, old, value));
          }
        });
    return differences;
  }

  private static String differentLine(String before, String now) {
    List<String> old = before.lines().toList();
    List<String> lines = now.lines().toList();
    int line = 0;
    while (line < old.size() && line < lines.size() && old.get(line).equals(lines.get(line))) {
      line++;
    }
    return different(
        "scenario, line " + (line + 1),
        line < old.size() ? old.get(line).strip() : "",
        line < lines.size() ? lines.get(line).strip() : "");
  }

  private static String different(String name, String before, String now) {
    return "  %s: was %s, is now %s"
        .formatted(
            name,
            before.isEmpty() ? "nothing" : VisibleText.quoted(before),
            now.isEmpty() ? "nothing" : VisibleText.quoted(now));
  }

  private static TrialResult result(TrialRow row) {
    double unknown = row.verdict() == TrialVerdict.PASS ? 0 : Double.POSITIVE_INFINITY;
    return new TrialResult(row.verdict(), row.usedPart().orElse(unknown), row.violatingPart());
  }
}
