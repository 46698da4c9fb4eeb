// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.Errata;
import io.quorate.results.MatrixManifest;
import io.quorate.results.OpenRuns;
import io.quorate.scenario.GateRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The options that repeat a run and compare it with earlier runs.
 *
 * @param repeats how often each database is run; empty for the number in the scenario
 * @param isSelfComparison whether the odd repeats are compared with the even ones afterwards
 * @param baseline earlier runs that the run is compared with; empty for none
 * @param order order of the databases or cells in a repeat
 * @param isSequential whether the second database is compared with the first after each repeat,
 *     until the gate is decided; {@code repeats} is then the greatest number
 * @param rules rules that are added to the gate of the scenario, separated by commas; may be empty
 * @param canary time of a canary before and after all runs; zero for none, empty for the default
 */
public record RepeatOptions(
    OptionalInt repeats,
    boolean isSelfComparison,
    Optional<Path> baseline,
    RunOrder order,
    boolean isSequential,
    String rules,
    Optional<Duration> canary) {
  static final String REPEATS = "repeats";
  static final String SELF = "aa";
  static final String BASELINE = "baseline";

  static final String ORDER = "repeat.order";
  static final String UNTIL = MatrixManifest.UNTIL;
  static final String MAX_REPEATS = "max-repeats";
  static final String FAIL_ON = "fail-on";
  static final String CANARY = "canary";

  /** The options that the runs of a matrix do not have. */
  static final List<String> OF_ALL_RUNS =
      List.of(REPEATS, SELF, BASELINE, ORDER, UNTIL, MAX_REPEATS, FAIL_ON, CANARY);

  /** Most runs of each side. */
  public static final int MAX = 100;

  private static final int USUAL_MAX = 30;

  private static final Duration USUAL_CANARY = Duration.ofSeconds(10);

  /** Least number of pairs that can decide. */
  public static final int LEAST_PAIRS = 6;

  static RepeatOptions read(OptionReader options, Path directory) {
    Optional<Integer> pairs =
        options.read(SELF, "a number from 2 to 50", text -> number(text, 2, 50));
    Optional<Integer> repeats =
        options.read(REPEATS, "a number from 1 to " + MAX, text -> number(text, 1, MAX));
    boolean sequential =
        options
            .read(UNTIL, "'decided'", text -> Optional.of(text).filter("decided"::equals))
            .isPresent();
    Optional<Integer> most =
        options.read(
            MAX_REPEATS,
            "a number from %d to %d".formatted(LEAST_PAIRS, MAX),
            text -> number(text, LEAST_PAIRS, MAX));
    Optional<Integer> all =
        sequential
            ? most.or(() -> Optional.of(USUAL_MAX))
            : pairs.map(each -> 2 * each).or(() -> repeats);
    RepeatOptions read =
        new RepeatOptions(
            all.map(OptionalInt::of).orElseGet(OptionalInt::empty),
            pairs.isPresent(),
            options.read(BASELINE, directory::resolve),
            options.read(ORDER, RunOrder.EXPECTED, RunOrder::parse).orElse(RunOrder.ABBA),
            sequential,
            options.read(FAIL_ON, "rules such as 'p99 <= +10%'", RepeatOptions::rules).orElse(""),
            options.read(CANARY, "'off', or a time from 4s to 60s", RepeatOptions::canary));
    boolean others = repeats.isPresent() || read.baseline.isPresent() || !read.rules.isEmpty();
    if (pairs.isPresent() && others) {
      throw new QuorateException(
          "aa: runs each database twice as often, and compares the run with itself: leave out"
              + " repeats, baseline and fail-on");
    }
    if (sequential
        ? pairs.isPresent() || repeats.isPresent() || read.baseline.isPresent()
        : most.isPresent()) {
      throw new QuorateException(
          sequential
              ? "until: compares two databases of this run: leave out repeats, aa and baseline"
              : "max-repeats: expected --until decided with it");
    }
    return read;
  }

  /** Returns the rules if all are right. */
  private static Optional<String> rules(String text) {
    return Optional.of(text).filter(any -> gate(text).size() == text.split(",").length);
  }

  /** Returns the rules of the option. */
  public List<GateRule> gate() {
    return gate(rules);
  }

  private static List<GateRule> gate(String text) {
    return Stream.of(text.split(","))
        .flatMap(rule -> GateRule.parse(rule, (found, expected) -> {}).stream())
        .toList();
  }

  private static Optional<Duration> canary(String text) {
    return text.equals("off")
        ? Optional.of(Duration.ZERO)
        : Optional.of(text)
            .filter(time -> time.matches("([4-9]|[1-5][0-9]|60)s"))
            .map(time -> Duration.ofSeconds(Long.parseLong(time.substring(0, time.length() - 1))));
  }

  /** Refuses canaries of a single run, which has none. */
  public void refuseCanary() {
    if (canary.filter(time -> !time.isZero()).isPresent()) {
      throw new QuorateException(
          "--canary: found a single run, expected a series: add --repeats, or leave it out");
    }
  }

  /**
   * Returns how long the canaries of a series take, each; zero for none. Without the option, a
   * series has them from two repeats on.
   */
  public Duration canary(int times) {
    return canary.orElse(times < 2 ? Duration.ZERO : USUAL_CANARY);
  }

  /** Returns whether a run is compared with other runs when it has ended. */
  boolean isCompared() {
    return isSelfComparison || baseline.isPresent() || isSequential();
  }

  private static Optional<Integer> number(String text, int least, int most) {
    return Optional.of(text)
        .filter(digits -> digits.matches("[0-9]{1,3}"))
        .map(Integer::valueOf)
        .filter(number -> number >= least && number <= most);
  }

  /** Refuses a directory without runs before anything is started. */
  public void requireEarlierRuns() {
    baseline
        .filter(path -> !hasRuns(path, 0) && !hasRuns(withoutColumn(path), 0))
        .ifPresent(
            path -> {
              throw new QuorateException(
                  "baseline: found no run in %s, expected the directory of a run, or one with several runs, not withdrawn ones"
                      .formatted(VisibleText.of(path.toString())));
            });
  }

  /** Returns the path without the column of a run, {@code :etcd}, at its end. */
  private static Path withoutColumn(Path path) {
    return Path.of(path.toString().replaceFirst(":[^:/]+$", ""));
  }

  private static boolean hasRuns(Path path, int depth) {
    return Files.isDirectory(path)
        && (depth == 0 || !Files.isSymbolicLink(path))
        && (OpenRuns.isRun(path) && Errata.withdrawal(path).isEmpty()
            || depth < 2
                && DatabaseDirectory.entries(path).stream()
                    .anyMatch(each -> hasRuns(each, depth + 1)));
  }
}
