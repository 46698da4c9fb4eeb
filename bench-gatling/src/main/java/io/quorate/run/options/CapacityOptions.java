// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.Problems;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import io.quorate.store.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of a capacity search, which override the scenario's section. One of them suffices to
 * search a capacity with a scenario that has no such section.
 *
 * @param limits limits that the load has to keep; empty for the scenario's
 * @param search kind of search: {@code full}, {@code quick}, or {@code scenario} for the
 *     scenario's; empty if not given
 * @param continued directory of a run whose search continues; empty for a new one
 * @param load kind of load that is searched; empty if not given
 * @param preloadBytes sizes with which the search is repeated; empty for the scenario's
 */
public record CapacityOptions(
    List<SloLimit> limits,
    Optional<String> search,
    Optional<Path> continued,
    Optional<CapacityGoal.Load> load,
    List<Long> preloadBytes) {
  static final String THRESHOLDS = "capacity.thresholds";
  static final String SEARCH = "capacity.search";
  static final String RESUME = "capacity.resume";
  static final String LOAD = "capacity.load";
  static final String PRELOAD = "capacity.preload";

  /** Search as in the scenario; full by default. */
  static final String OF_SCENARIO = "scenario";

  private static final List<String> SEARCHES =
      List.of(CapacityGoal.Search.FULL.id(), CapacityGoal.Search.QUICK.id(), OF_SCENARIO);

  private static final Duration PROBE = Duration.ofSeconds(10);
  private static final Duration QUICK_PROBE = Duration.ofSeconds(3);

  /**
   * Length of the probe of a continued search. Its first load is known, but a run needs requests.
   */
  private static final Duration CONTINUED_PROBE = Duration.ofSeconds(1);

  static CapacityOptions read(OptionReader options, Path directory) {
    return new CapacityOptions(
        options.read(THRESHOLDS, CapacityOptions::limits).orElse(List.of()),
        options.read(
            SEARCH, "one of " + SEARCHES, text -> Optional.of(text).filter(SEARCHES::contains)),
        options.read(RESUME, directory::resolve),
        options.read(
            LOAD,
            "rate or clients",
            text ->
                Arrays.stream(CapacityGoal.Load.values())
                    .filter(each -> each.id().equals(text))
                    .findFirst()),
        options.read(PRELOAD, CapacityGoal.PreloadSizes::parse).orElse(List.of()));
  }

  private static List<SloLimit> limits(String text) {
    Problems problems = new Problems();
    List<SloLimit> limits =
        Arrays.stream(text.split(",", -1))
            .flatMap(each -> problems.attempt(() -> limit(each.strip())).stream())
            .toList();
    problems.throwIfAny();
    return limits;
  }

  private static SloLimit limit(String text) {
    SloLimit limit =
        SloLimit.parse(text)
            .orElseThrow(() -> wrong(text, "a threshold such as p99 <= 20 ms, or errors = 0"));
    QuorateException.throwIf(
        ServiceLevel.obstacle(limit)
            .map(expected -> wrong(limit.toString(), expected).getMessage()));
    return limit;
  }

  private static QuorateException wrong(String found, String expected) {
    return OptionReader.wrong("threshold", found, expected);
  }

  boolean isWanted() {
    return !limits.isEmpty()
        || search.isPresent()
        || continued.isPresent()
        || load.isPresent()
        || !preloadBytes.isEmpty();
  }

  /** Returns the search that the options or the scenario request; empty if there is none. */
  Optional<CapacityGoal> goal(Scenario scenario) {
    Optional<CapacityGoal> own = scenario.goals().capacity();
    if (!isWanted() && own.isEmpty()) {
      return Optional.empty();
    }
    requireOperations(scenario);
    return Optional.of(
        new CapacityGoal(
            limits.isEmpty() && own.isPresent() ? own.get().limits() : limits(scenario),
            search
                .filter(given -> !given.equals(OF_SCENARIO))
                .map(given -> CapacityGoal.Search.valueOf(given.toUpperCase(Locale.ROOT)))
                .or(() -> own.map(CapacityGoal::search))
                .orElse(CapacityGoal.Search.FULL),
            load.or(() -> own.map(CapacityGoal::load)).orElse(CapacityGoal.Load.RATE),
            preloadBytes.isEmpty()
                ? own.map(CapacityGoal::preloadBytes).orElse(List.of())
                : preloadBytes,
            own.flatMap(CapacityGoal::unit).or(() -> CapacityGoal.Unit.of(scenario)),
            scenario.databases().get(0).steps().stream()
                .flatMap(step -> step.watch().stream())
                .findFirst()));
  }

  private void requireOperations(Scenario scenario) {
    List<Operation> operations = scenario.requests().mix().operations();
    QuorateException.throwIfAny(
        limits.stream()
            .filter(
                limit ->
                    limit
                        .operation()
                        .filter(each -> !scenario.requests().mix().has(each))
                        .isPresent())
            .map(
                limit ->
                    "threshold: found '%s', but scenario %s has no %s: its operation%s %s"
                        .formatted(
                            limit,
                            scenario.heading().name(),
                            limit.operation().orElseThrow().id(),
                            operations.size() == 1 ? " is" : "s are",
                            operations.stream()
                                .map(Operation::id)
                                .collect(Collectors.joining(", "))))
            .toList());
  }

  /** Returns how long the clients of the scenario probe a database before the search. */
  Duration probe(CapacityGoal goal) {
    return continued.isPresent()
        ? CONTINUED_PROBE
        : goal.search() == CapacityGoal.Search.QUICK ? QUICK_PROBE : PROBE;
  }

  private List<ServiceLevel> limits(Scenario scenario) {
    List<SloLimit> chosen = limits.isEmpty() ? scenario.goals().limits() : limits;
    String unfit =
        chosen.stream()
            .filter(limit -> ServiceLevel.obstacle(limit).isPresent())
            .map(SloLimit::toString)
            .collect(Collectors.joining(", "));
    if (chosen.isEmpty() || !unfit.isEmpty()) {
      throw new QuorateException(
          "scenario %s has %s. A search needs thresholds: add --threshold \"p99 <= 20 ms\" --threshold \"errors = 0\""
              .formatted(
                  scenario.heading().name(),
                  unfit.isEmpty()
                      ? "no thresholds"
                      : "thresholds that no load can be judged by: " + unfit));
    }
    return chosen.stream().flatMap(limit -> ServiceLevel.of(limit).stream()).toList();
  }

  void requireEarlierRun() {
    if (continued.isPresent() && !isSearch(continued.get())) {
      throw new QuorateException(
          "capacity.resume: found %s, expected the directory of a capacity search, which has trials.jsonl for a database, such as results/write-at-rate/20261122T091314Z"
              .formatted(VisibleText.quoted(continued.get().toString())));
    }
  }

  void refuseMatrix() {
    if (isWanted()) {
      throw new QuorateException(
          "found a matrix of runs or repeats, of which no capacity can be searched: take a scenario"
              + " without 'matrix' and 'repeats'");
    }
  }

  private static boolean isSearch(Path run) {
    if (!Files.isDirectory(run)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(run)) {
      return entries.map(DatabaseDirectory::new).map(TrialsJournal::file).anyMatch(Files::exists);
    } catch (IOException unreadable) {
      throw new QuorateException(
          RESUME + ": " + VisibleText.of(run.toString()) + ": " + FileFailure.reason(unreadable));
    }
  }
}
