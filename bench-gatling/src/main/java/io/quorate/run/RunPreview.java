// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.ByteSize;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.load.SteadyState;
import io.quorate.results.RunPlan;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.GateRule;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.SloLimit;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes what a run would do, without starting anything. */
final class RunPreview {
  private RunPreview() {}

  /**
   * Returns the lines for a scenario.
   *
   * @param obstacles why databases cannot run here
   */
  static List<String> lines(
      RunSettings settings,
      Scenario scenario,
      List<Store> databases,
      Map<Store, String> obstacles) {
    List<String> lines = new ArrayList<>();
    lines.add(scenario.heading().name() + ": " + scenario.headline());
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
    if (!scenario.goals().limits().isEmpty()) {
      add(
          lines,
          "thresholds",
          scenario.goals().limits().stream()
              .map(SloLimit::toString)
              .collect(Collectors.joining(", ")));
    }
    if (!scenario.goals().gate().isEmpty()) {
      add(
          lines,
          "fail-on",
          scenario.goals().gate().stream()
              .map(GateRule::toString)
              .collect(Collectors.joining(", ")));
    }
    for (Store each : databases) {
      String where =
          obstacles.containsKey(each)
              ? "cannot run: " + obstacles.get(each)
              : where(settings, scenario);
      add(lines, each.id(), same ? where : where + "; " + load(steps(scenario, each)));
    }
    add(lines, "time", time(scenario, databases));
    return ended(lines, settings, scenario.heading().name());
  }

  /** Returns the lines for a matrix of runs. */
  static List<String> lines(RunSettings settings, Matrix matrix, Map<Store, String> obstacles) {
    List<String> lines = new ArrayList<>();
    lines.add(matrix.name() + ": " + matrix.title());
    add(lines, "scenario", file(settings));
    int runs = matrix.cells().size() * matrix.repeats();
    add(
        lines,
        "runs",
        "%d cells, each %s: %d runs, one after the other"
            .formatted(matrix.cells().size(), NumberFormats.count(matrix.repeats(), "time"), runs));
    matrix.cells().forEach(cell -> add(lines, "cell", cell.id()));
    obstacles.forEach((database, why) -> add(lines, database.id(), "cannot run: " + why));
    return ended(lines, settings, matrix.name());
  }

  private static List<String> ended(List<String> lines, RunSettings settings, String name) {
    add(lines, "results", settings.results().resolve(name) + "/");
    lines.add("nothing was started");
    return lines.stream().map(VisibleText::of).toList();
  }

  private static void add(List<String> lines, String name, String value) {
    lines.add("  %-16s %s".formatted(name, value));
  }

  private static String file(RunSettings settings) {
    return settings.plan().map(RunPlan::file).orElse(settings.source().name());
  }

  private static List<Step> steps(Scenario scenario, Store database) {
    return scenario.requireLoad(database).steps();
  }

  private static String load(List<Step> steps) {
    return steps.stream().map(Step::load).collect(Collectors.joining(", then "));
  }

  /** Returns how a scenario warms up, in words; empty if it does not. */
  static Optional<String> warmUp(Scenario scenario) {
    String requests = NumberFormats.count(scenario.requests().warmUp(), "request");
    if (scenario.requests().warmsUpByTime()) {
      return Optional.of(
          "for %d to %d s%s"
              .formatted(
                  SteadyState.LEAST.toSeconds(),
                  SteadyState.MOST.toSeconds(),
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
    long seconds =
        load.steps().stream()
            .mapToLong(step -> step.duration().map(Duration::toSeconds).orElse(0L))
            .sum();
    return load.endsByTime()
        ? "for " + NumberFormats.count(seconds, "second")
        : load.requests() + " requests";
  }

  private static String requests(StoreLoad load, Optional<String> warmUp) {
    String warm = warmUp.map(how -> ", after warming up " + how).orElse("");
    return load.endsByTime()
        ? "as many as the clients send in the time" + warm
        : NumberFormats.commas(load.requests()) + " for each database" + warm;
  }

  private static String keys(Scenario scenario) {
    return "%s of %s, values of %s, order %s%s"
        .formatted(
            NumberFormats.commas(scenario.requests().keys().count()),
            bytes(scenario.requests().keys().sizeBytes()),
            values(scenario.requests().values()),
            scenario.requests().keys().order().id(),
            scenario.requests().keys().prepared() ? ", written before the load" : "");
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
          NumberFormats.count(scenario.cluster().members(), "member") + ", started on this machine";
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
    return "about %d s of load in all, and some seconds to start and check each database"
        .formatted(all.toSeconds());
  }

  private static Optional<Duration> length(Step step) {
    return step.model() instanceof LoadModel.Open open
        ? Optional.of(Duration.ofMillis(1000 * step.requests() / open.ratePerSecond()))
        : step.duration();
  }
}
