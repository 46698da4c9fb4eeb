// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.ByteSize;
import io.quorate.DiskSpace;
import io.quorate.VisibleText;
import io.quorate.fault.FaultCommands;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.load.SteadyState;
import io.quorate.load.workload.WarmUp;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Store;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Describes what a run would do, without starting anything. */
final class RunPreview {
  private RunPreview() {}

  /** A property of a run; without a name it is what will run. */
  record Line(String name, String value) {}

  /** The document for programs. */
  @FormatVersion(1)
  private record Document(boolean canRun, List<Line> lines) {}

  /** Prints lines for people, or a document for programs. */
  static void print(PrintWriter out, List<Line> lines, boolean canRun, boolean isForPrograms) {
    if (isForPrograms) {
      out.print(StrictJson.text(new Document(canRun, lines)));
    } else {
      for (Line each : lines) {
        String shown = "  %-16s %s".formatted(each.name, each.value);
        ConsoleText.wrapped(each.name.isEmpty() ? VisibleText.of(each.value) : shown)
            .forEach(out::println);
      }
      out.println("nothing was started");
    }
    out.flush();
  }

  /** Minutes of a search for a capacity, as its options say. */
  private static final int FULL_MINUTES = 12;

  private static final int QUICK_MINUTES = 3;

  /**
   * Returns the lines for a scenario.
   *
   * @param obstacles why databases cannot run here
   */
  static List<Line> lines(
      RunSettings settings,
      Scenario scenario,
      List<Store> databases,
      Map<Store, String> obstacles) {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("", scenario.heading().name() + ": " + scenario.headline()));
    add(
        lines,
        "scenario",
        settings.source().described().isPresent() ? "from options" : file(settings));
    add(lines, "operations", scenario.requests().mix().toString());
    StoreLoad first = scenario.requireLoad(databases.get(0));
    boolean same = databases.stream().allMatch(each -> steps(scenario, each).equals(first.steps()));
    if (same) {
      add(lines, "load", load(first.steps()));
      add(lines, "requests", requests(first, warmUp(scenario)));
    }
    if (scenario.requests().mix().usesKeys()) {
      add(lines, "keys", keys(scenario));
    }
    OperationMix mix = scenario.requests().mix();
    mix.objects().ifPresent(each -> add(lines, "objects", objects(each, mix.objectsPerTxn())));
    lines.addAll(details(settings, scenario, first));
    Optional<CapacityGoal> search = settings.capacityGoal();
    search.ifPresent(goal -> add(lines, "search", search(goal)));
    for (Store each : databases) {
      String where =
          obstacles.containsKey(each)
              ? "cannot run: " + obstacles.get(each)
              : where(settings, scenario);
      add(lines, each.id(), same ? where : where + "; " + load(steps(scenario, each)));
    }
    add(
        lines,
        "time",
        search.map(goal -> time(goal, databases)).orElseGet(() -> time(scenario, databases)));
    if (settings.hosting(scenario) == ServerInfo.Hosting.LOCAL
        && databases.stream().anyMatch(Store::hasServers)) {
      add(lines, "disk space", diskSpace(settings, List.of(scenario), databases));
    }
    return ended(lines, settings, scenario.heading().name());
  }

  /** Returns the details of the cells of a matrix; those of some cells name their databases. */
  private static List<Line> details(RunSettings settings, List<Scenario> cells) {
    Map<Line, List<StoreLoad>> all = new LinkedHashMap<>();
    for (Scenario cell : cells) {
      StoreLoad load = loads(cell, List.of()).findFirst().orElseThrow();
      details(settings, cell, load)
          .forEach(line -> all.computeIfAbsent(line, none -> new ArrayList<>()).add(load));
    }
    List<Line> lines = new ArrayList<>();
    all.forEach(
        (line, loads) ->
            add(
                lines,
                line.name(),
                loads.size() == cells.size()
                    ? line.value()
                    : loads.stream()
                        .map(each -> each.database().title())
                        .distinct()
                        .collect(Collectors.joining(", ", line.value() + " (", ")"))));
    List<String> names = lines.stream().map(Line::name).distinct().toList();
    lines.sort(Comparator.comparingInt(line -> names.indexOf(line.name())));
    return lines;
  }

  /** Returns what happens next to the load, and what the results have to meet. */
  private static List<Line> details(RunSettings settings, Scenario scenario, StoreLoad load) {
    List<Line> lines = new ArrayList<>();
    addAll(lines, "thresholds", scenario.goals().limits(), ", ");
    addAll(lines, "fail-on", scenario.goals().gate(), ", ");
    scenario.faults().ifPresent(plan -> faults(lines, plan, settings.servers().faultCommands()));
    scenario.requests().mix().sessions().ifPresent(each -> add(lines, "sessions", sessions(each)));
    load.steps().stream()
        .flatMap(step -> step.watch().stream())
        .map(WatchLoad::toString)
        .distinct()
        .reduce((one, other) -> one + ", then " + other)
        .ifPresent(all -> add(lines, "watches", all));
    return lines;
  }

  /** Adds what happens to members, with commands by their names, as their text may be secret. */
  private static void faults(List<Line> lines, FaultPlan plan, FaultCommands commands) {
    List<String> faults = new ArrayList<>();
    List<String> maintenance = new ArrayList<>();
    for (FaultPlan.Kind kind : plan.kinds()) {
      Fault fault = kind.fault();
      String how = commands.has(fault) ? ", " + commands.text(fault) : "";
      (fault.isMaintenance() ? maintenance : faults)
          .add("%s, %s%s".formatted(kind, NumberFormats.count(plan.times(), "time"), how));
    }
    addAll(lines, "faults", faults, "; ");
    addAll(lines, "maintenance", maintenance, "; ");
    add(
        lines,
        "next to the load",
        "%s and %s of clients that have to survive"
            .formatted(
                NumberFormats.count(plan.sessions(), "session"),
                plan.watches() == 1
                    ? "1 watch"
                    : NumberFormats.commas(plan.watches()) + " watches"));
  }

  private static String sessions(OperationMix.Sessions sessions) {
    return "one for each client, ttl %d s%s%s%s"
        .formatted(
            sessions.ttlSeconds(),
            sessions.hold().isZero() ? "" : ", held for " + held(sessions.hold()),
            sessions.crashEvery() == 0 ? "" : ", every " + sessions.crashEvery() + ". holder stops",
            sessions.pauseEvery() == 0 ? "" : ", every " + sessions.pauseEvery() + ". is paused");
  }

  private static String held(Duration time) {
    return time.toSeconds() < 10
        ? time.toMillis() + " ms"
        : NumberFormats.duration(time.toMillis() / 1000.0);
  }

  private static String search(CapacityGoal goal) {
    return "the highest %s within %s"
        .formatted(
            goal.load() == CapacityGoal.Load.RATE ? "rate" : "number of clients",
            goal.limits().stream()
                .map(each -> each.limit().toString())
                .collect(Collectors.joining(", ")));
  }

  private static String time(CapacityGoal goal, List<Store> databases) {
    return "about %s, and the time to enlarge the database, if it is to be"
        .formatted(NumberFormats.duration(time(goal, databases.size()).toSeconds()))
        .replaceFirst(", and .*", goal.preloadBytes().isEmpty() ? "" : "$0");
  }

  /** Returns how long the searches of a number of databases take, without enlarging them. */
  static Duration time(CapacityGoal goal, int databases) {
    int minutes = goal.search() == CapacityGoal.Search.QUICK ? QUICK_MINUTES : FULL_MINUTES;
    return Duration.ofMinutes((long) minutes * databases * (1 + goal.preloadBytes().size()));
  }

  /** Returns the space for the data of one database: in the log and in the data of each member. */
  private static String diskSpace(
      RunSettings settings, List<Scenario> scenarios, List<Store> chosen) {
    String free =
        DiskSpace.freeBytes(settings.results())
            .map(bytes -> "; %s are free".formatted(NumberFormats.humanizedBytes(bytes)))
            .orElse("");
    if (scenarios.stream().flatMap(each -> loads(each, chosen)).anyMatch(StoreLoad::endsByTime)) {
      return "grows with the written values, for each member" + free;
    }
    Scenario largest =
        scenarios.stream()
            .max(Comparator.comparingLong(each -> dataBytes(each, chosen)))
            .orElseThrow();
    return "about %s for the data of %s%s"
        .formatted(
            NumberFormats.humanizedBytes(dataBytes(largest, chosen)),
            NumberFormats.count(largest.cluster().members(), "member"),
            free);
  }

  /**
   * Returns the loads of a scenario.
   *
   * @param chosen databases that are measured; empty for those of the scenario
   */
  private static Stream<StoreLoad> loads(Scenario scenario, List<Store> chosen) {
    List<Store> databases =
        chosen.isEmpty() ? scenario.databases().stream().map(StoreLoad::database).toList() : chosen;
    return databases.stream().map(scenario::requireLoad);
  }

  private static long dataBytes(Scenario scenario, List<Store> chosen) {
    Requests requests = scenario.requests();
    DoubleStream written =
        loads(scenario, chosen)
            .mapToDouble(load -> load.keysWritten(requests.mix(), Step::requests));
    double keys =
        written.max().orElse(0) + (requests.keys().prepared() ? requests.keys().count() : 0);
    return (long) (2 * scenario.cluster().members() * requests.bytesPerKey() * keys);
  }

  /** Returns the lines for a matrix of runs. */
  static List<Line> lines(RunSettings settings, Matrix matrix, Map<Store, String> obstacles) {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("", matrix.name() + ": " + matrix.title()));
    add(lines, "scenario", file(settings));
    int runs = matrix.cells().size() * matrix.repeats();
    add(
        lines,
        "runs",
        "%d cells, each %s: %d runs, one after the other"
            .formatted(matrix.cells().size(), NumberFormats.count(matrix.repeats(), "time"), runs));
    matrix.cells().forEach(cell -> add(lines, "cell", cell.id()));
    List<Scenario> scenarios = matrix.cells().stream().map(Matrix.Cell::scenario).toList();
    lines.addAll(details(settings, scenarios));
    Duration load = Duration.ZERO;
    for (Matrix.Cell cell : matrix.cells()) {
      Scenario scenario = cell.scenario();
      for (Step step : steps(scenario, scenario.databases().get(0).database())) {
        load = load.plus(length(step).orElse(Duration.ZERO));
      }
    }
    if (!load.isZero()) {
      double seconds = load.multipliedBy(matrix.repeats()).toSeconds();
      add(lines, "time", "at least %s of load".formatted(NumberFormats.duration(seconds)));
    }
    if (settings.hosting(scenarios.get(0)) == ServerInfo.Hosting.LOCAL
        && scenarios.stream()
            .flatMap(each -> loads(each, List.of()))
            .anyMatch(each -> each.database().hasServers())) {
      add(lines, "disk space", diskSpace(settings, scenarios, List.of()));
    }
    obstacles.forEach((database, why) -> add(lines, database.id(), "cannot run: " + why));
    return ended(lines, settings, matrix.name());
  }

  private static List<Line> ended(List<Line> lines, RunSettings settings, String name) {
    add(lines, "results", settings.results().resolve(name) + "/");
    return lines;
  }

  private static void add(List<Line> lines, String name, String value) {
    lines.add(new Line(name, VisibleText.of(value)));
  }

  /** Adds several values in one line; no line without a value. */
  private static void addAll(
      List<Line> lines, String name, Collection<?> values, String separator) {
    values.stream()
        .map(Object::toString)
        .reduce((one, other) -> one + separator + other)
        .ifPresent(all -> add(lines, name, all));
  }

  private static String file(RunSettings settings) {
    return settings.plan().map(RunPlan::file).orElse(settings.source().name());
  }

  private static List<Step> steps(Scenario scenario, Store database) {
    return scenario.requireLoad(database).steps();
  }

  private static String load(List<Step> steps) {
    return steps.stream()
        .map(step -> step.load() + (step.isPhase() ? ", " + extent(List.of(step)) : ""))
        .collect(Collectors.joining(", then "));
  }

  /** Returns how a scenario warms up, in words; empty if it does not. */
  static Optional<String> warmUp(Scenario scenario) {
    String requests = NumberFormats.count(scenario.requests().warmUp(), "request");
    if (scenario.requests().warmsUpByTime()) {
      return Optional.of(
          "for %d to %d s%s"
              .formatted(
                  SteadyState.LEAST.toSeconds(),
                  WarmUp.LONGEST.toSeconds(),
                  scenario.requests().warmUp() == 0 ? "" : ", at least " + requests));
    }
    return scenario.requests().warmUp() == 0 ? Optional.empty() : Optional.of("with " + requests);
  }

  /** Returns what happens before the first measured request, in words. */
  static String preparations(Scenario scenario) {
    String keys =
        scenario.requests().mix().usesKeys() && scenario.requests().keys().prepared()
            ? "writing "
                + NumberFormats.count(scenario.requests().keys().count(), "key")
                + ", then "
            : "";
    return keys + warmUp(scenario).map(how -> "warming up " + how).orElse("measuring at once");
  }

  /** Returns how long a load lasts, in words. */
  static String extent(StoreLoad load) {
    return load.endsByTime()
        ? extent(load.steps())
        : NumberFormats.count(load.requests(), "request");
  }

  /** Returns the time of those steps that have one, and the requests of the others. */
  private static String extent(List<Step> steps) {
    long seconds =
        steps.stream().mapToLong(step -> step.duration().map(Duration::toSeconds).orElse(0L)).sum();
    long requests =
        steps.stream().filter(each -> each.duration().isEmpty()).mapToLong(Step::requests).sum();
    return Stream.of(
            seconds == 0 ? "" : "for " + NumberFormats.count(seconds, "second"),
            requests == 0 ? "" : NumberFormats.count(requests, "request"))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  private static String requests(StoreLoad load, Optional<String> warmUp) {
    String warm = warmUp.map(how -> ", after warming up " + how).orElse("");
    return load.endsByTime()
        ? "as many as the clients send in the time" + warm
        : NumberFormats.commas(load.requests()) + " for each database" + warm;
  }

  private static String keys(Scenario scenario) {
    return "%s of %s, values of %s, order %s%s%s"
        .formatted(
            NumberFormats.commas(scenario.requests().keys().count()),
            bytes(scenario.requests().keys().sizeBytes()),
            values(scenario.requests().values()),
            scenario.requests().keys().order().id(),
            scenario.requests().keys().prepared() ? ", written before the load" : "",
            scenario.requests().keys().ends());
  }

  private static String objects(OperationMix.Objects objects, int ofTxn) {
    String text = NumberFormats.commas(objects.count()) + " created before the load";
    if (objects.ephemeral() > 0) {
      text += "; create makes %d%% ephemeral".formatted(objects.ephemeral());
    }
    int least = OperationMix.TxnParts.LEAST_OBJECTS;
    return ofTxn > 0 ? text + "; txn changes %d to %d".formatted(least, ofTxn) : text;
  }

  private static String values(ValueSizes sizes) {
    return sizes.isFixed() ? bytes(sizes.leastBytes()) : sizes.toString();
  }

  private static String bytes(int size) {
    String text = ByteSize.text(size);
    return text.endsWith("B") ? text : text + (size == 1 ? " byte" : " bytes");
  }

  private static String where(RunSettings settings, Scenario scenario) {
    return switch (settings.hosting(scenario)) {
      case GIVEN -> "existing cluster at " + settings.servers().endpoints();
      case AGENTS -> "members started by the agents at " + scenario.cluster().agents();
      default ->
          NumberFormats.count(scenario.cluster().members(), "member")
              + (scenario.requests().routing() == Routing.NON_VOTER
                  ? " and one without a vote, which gets the requests"
                  : "")
              + ", started on this machine";
    };
  }

  /** Returns how long the load takes, as far as the scenario determines it. */
  private static String time(Scenario scenario, List<Store> databases) {
    Duration all = Duration.ZERO;
    for (Store database : databases) {
      for (Step step : steps(scenario, database)) {
        Optional<Duration> length = length(step);
        if (length.isEmpty()) {
          return "until all requests are answered, which depends on the databases";
        }
        all = all.plus(length.get());
      }
    }
    return "about %s of load in all, and some seconds to start and check each database"
        .formatted(NumberFormats.duration(all.toSeconds()));
  }

  private static Optional<Duration> length(Step step) {
    return step.duration().isEmpty() && step.model() instanceof LoadModel.Open open
        ? Optional.of(Duration.ofMillis(1000 * step.requests() / open.ratePerSecond()))
        : step.duration();
  }
}
