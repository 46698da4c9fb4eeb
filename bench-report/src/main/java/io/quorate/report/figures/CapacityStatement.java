// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static io.quorate.format.NumberFormats.commas;

import io.quorate.ByteSize;
import io.quorate.VisibleText;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.TrialVerdict;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.manifest.Manifest;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.SloLimit;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * States the outcome of a capacity search in sentences without a full stop that can be quoted: what
 * was measured, which load holds, the bottleneck, and the limitations.
 *
 * @param headline the load that holds, and what was measured
 * @param range the load that holds, or the range in which it is, such as {@code 1,050 to 1,170
 *     writes/s}; {@code inconclusive, ...} or {@code no result} if it is not known
 * @param gaveWay the bottleneck, and the cost of the search
 * @param details spread of its trials, recovery, and limitations
 */
public record CapacityStatement(
    String headline, String range, String gaveWay, List<String> details) {
  private static final int SECONDS_PER_MINUTE = 60;

  /** Ratio of the load of the first trial to one that is too low to be the cause of a failure. */
  private static final int FAR_BELOW = 20;

  /** Part of violating requests from which on more than stalls exceeded a limit. */
  private static final double MOST_BY_STALLS = 0.5;

  private static final String NO_RESULT = "no result";

  /** Beginning of the remark of a trial that was invalid because of other processes. */
  private static final String OTHERS = "other processes";

  static List<CapacityStatement> all(DatabaseRun run, Optional<String> disturbance) {
    return run.searches().stream().map(search -> of(run.manifest(), search, disturbance)).toList();
  }

  private static CapacityStatement of(
      Manifest manifest, SearchRecord search, Optional<String> disturbance) {
    String unit = unit(manifest.load().mix(), search);
    String limits = limits(search);
    String start = subject(manifest, search) + ": ";
    CapacityDetails details = new CapacityDetails(search, unit);
    return disturbance
        .map(why -> start + "no verdict, as " + why)
        .map(none -> new CapacityStatement(none, NO_RESULT, cost(search), details.invalid()))
        .orElseGet(
            () ->
                new CapacityStatement(
                    start + outcome(manifest, search, unit, limits) + exceeded(search),
                    range(search, unit),
                    gaveWay(manifest, search),
                    details.all()));
  }

  /** Returns a phrase about the load that a search generated. */
  public static String load(SearchRecord search) {
    return "a search of up to %d trials for the most %s within %s%s: %s%s%s"
        .formatted(
            search.mostTrials(),
            search.header().ofClients() ? "clients" : "requests per second",
            limits(search),
            search.header().preloadBytes() > 0
                ? " with " + ByteSize.text(search.header().preloadBytes()) + " more in the database"
                : "",
            made("made", search.trials(), search),
            search.curve().isEmpty() ? "" : "; " + made("of the curve", search.curve(), search),
            search
                .recovery()
                .map(after -> "; an overload of " + commas(after.overload()) + "/s")
                .orElse(""));
  }

  private static String made(String what, List<TrialRow> trials, SearchRecord search) {
    return trials.isEmpty()
        ? "no trials " + what
        : "%s %s, from %s to %s"
            .formatted(
                NumberFormats.count(trials.size(), "trial"),
                what,
                commas(trials.stream().mapToLong(TrialRow::load).min().getAsLong()),
                commas(trials.stream().mapToLong(TrialRow::load).max().getAsLong())
                    + loadUnit(search));
  }

  private static String limits(SearchRecord search) {
    return search.header().limits().stream()
        .map(SloLimit::toString)
        .map(limit -> limit.equals("errors = 0") ? "no errors" : limit)
        .collect(Collectors.joining(" and "));
  }

  private static String loadUnit(SearchRecord search) {
    return search.header().ofClients() ? " clients" : "/s";
  }

  /** Returns {@code etcd 3.7.3, 3 members, 256 B keys, 1 KiB values}. */
  private static String subject(Manifest manifest, SearchRecord search) {
    List<String> parts = new ArrayList<>();
    parts.add(VisibleText.of(manifest.store().titleAndVersion()));
    parts.add(NumberFormats.count(manifest.store().servers().members().size(), "member"));
    manifest.load().sizes().ifPresent(parts::add);
    manifest.store().settingTexts().forEach(setting -> parts.add(VisibleText.of(setting)));
    if (search.header().preloadBytes() > 0) {
      parts.add("with " + ByteSize.text(search.header().preloadBytes()) + " more in it");
    }
    return String.join(", ", parts);
  }

  private static String unit(OperationMix mix, SearchRecord search) {
    if (search.header().ofClients()) {
      return " clients";
    }
    return mix.isOnly(Operation.PUT)
        ? " writes/s"
        : mix.isOnly(Operation.GET) ? " reads/s" : " requests/s";
  }

  private static String outcome(
      Manifest manifest, SearchRecord search, String unit, String limits) {
    if (search.conclusion().isEmpty()) {
      return manifest.isRunning()
          ? "the search goes on, %s so far".formatted(trials(search))
          : "the search was interrupted after " + trials(search);
    }
    SearchResult end = search.conclusion().get();
    String holds =
        end.holds()
            .filter(bound -> !isOpen(end) || passed(search, bound).isPresent())
            .map(
                bound ->
                    (bound.passed() > 0 ? units(search, bound) : "")
                        + holds(bound, search, end, unit, limits))
            .orElse("");
    String fails = end.fails().map(bound -> amount(bound.load(), unit)).orElse("");
    return switch (end.outcome()) {
      case FOUND -> holds;
      case CLIFF -> holds + ", a cliff";
      case NONE_PASSES ->
          end.fails().filter(bound -> isNotTheCause(search, bound)).isPresent()
              ? "no result, even %s exceeded %s, so the load is not the cause: look for stalls and other processes"
                  .formatted(fails, limits)
              : "no load within %s was found, even %s exceeds it".formatted(limits, fails);
      case NONE_FAILS -> "at least " + holds;
      case LIMITED_BY_LOAD_GENERATOR ->
          "%s, %s"
              .formatted(
                  holds.isEmpty() ? NO_RESULT : "at least " + holds,
                  disturbed(search, end)
                      .map(trials -> trials + " of " + fails + ": stop them and search again")
                      .orElse("the load generator could not generate " + fails));
      case UNSTABLE -> inconclusive(search, unit);
    };
  }

  /**
   * Returns whether a load is far below that of the first trial, which a closed loop showed, and
   * yet exceeded the limits in a part of its requests.
   */
  private static boolean isNotTheCause(SearchRecord search, Bound bound) {
    return search.trials().get(0).load() > FAR_BELOW * bound.load()
        && search.trials().stream()
            .filter(row -> row.load() == bound.load() && row.verdict() == TrialVerdict.FAIL)
            .allMatch(row -> row.violatingPart() < MOST_BY_STALLS);
  }

  /** Returns how many trials of a load that failed were invalid because of other processes. */
  private static Optional<String> disturbed(SearchRecord search, SearchResult end) {
    List<TrialRow> trials =
        search.trials().stream()
            .filter(row -> end.fails().filter(bound -> bound.load() == row.load()).isPresent())
            .toList();
    long byOthers =
        trials.stream()
            .filter(row -> row.remark().filter(why -> why.startsWith(OTHERS)).isPresent())
            .count();
    return Optional.of(
            "other processes disturbed %d of %d trials".formatted(byOthers, trials.size()))
        .filter(any -> byOthers > 0);
  }

  /**
   * Returns the range that is known: from the highest load that passed to the lowest that failed.
   */
  private static String inconclusive(SearchRecord search, String unit) {
    LongSummaryStatistics passed = loads(search, TrialVerdict.PASS);
    LongSummaryStatistics failed = loads(search, TrialVerdict.FAIL);
    if (passed.getCount() == 0 || failed.getCount() == 0) {
      return "inconclusive, too few trials decided";
    }
    return passed.getMax() < failed.getMin()
        ? "inconclusive, between %s and %s: trials between them decide too little"
            .formatted(commas(passed.getMax()), amount(failed.getMin(), unit))
        : "inconclusive, trials disagree: %s failed, %s passed"
            .formatted(amount(failed.getMin(), unit), commas(passed.getMax()));
  }

  private static LongSummaryStatistics loads(SearchRecord search, TrialVerdict verdict) {
    return search.trials().stream()
        .filter(row -> row.verdict() == verdict)
        .mapToLong(TrialRow::load)
        .summaryStatistics();
  }

  /** Returns the number of units that a load serves, before that load; empty without a unit. */
  private static String units(SearchRecord search, Bound bound) {
    return unit(search).map(unit -> unit.text(bound.load()) + " with ").orElse("");
  }

  static Optional<CapacityGoal.Unit> unit(SearchRecord search) {
    return search.header().unit().filter(any -> !search.header().ofClients());
  }

  private static String exceeded(SearchRecord search) {
    Optional<SearchResult> known = search.conclusion().filter(SearchResult::isKnown);
    long capacity = known.flatMap(SearchResult::holds).map(Bound::load).orElse(0L);
    List<TrialRow> below =
        search.curvePoints().stream()
            .filter(row -> row.load() < capacity && !row.isSpoiled())
            .toList();
    List<TrialRow> beyond =
        below.stream().filter(row -> row.verdict() == TrialVerdict.FAIL).toList();
    if (beyond.isEmpty()) {
      return "";
    }
    String loadUnit = loadUnit(search);
    boolean fromThere = below.subList(below.indexOf(beyond.get(0)), below.size()).equals(beyond);
    String where =
        fromThere
            ? "from %s%s on".formatted(commas(beyond.get(0).load()), loadUnit)
            : beyond.stream()
                .map(row -> commas(row.load()) + loadUnit)
                .collect(Collectors.joining(", ", "at ", ""));
    return ", but its curve exceeds the threshold%s %s: not stable"
        .formatted(search.header().limits().size() == 1 ? "" : "s", where);
  }

  private static String holds(
      Bound holds, SearchRecord search, SearchResult end, String unit, String limits) {
    String failed =
        end.fails()
            .filter(bound -> bound.trials() > 0)
            .map(
                bound ->
                    "; %s failed %d of %d"
                        .formatted(
                            commas(bound.load()), bound.trials() - bound.passed(), bound.trials()))
            .orElse("");
    if (holds.passed() == 0) {
      return undecided(holds, search, end, unit, limits);
    }
    Optional<String> upTo = upTo(search, end).map(bound -> amount(bound.load(), unit));
    String held = "held %d of %d".formatted(holds.passed(), holds.trials());
    return "%s within %s (%s%s%s)"
        .formatted(
            upTo.map(high -> "between %s and %s".formatted(commas(holds.load()), high))
                .orElse(amount(holds.load(), unit)),
            limits,
            upTo.isPresent() ? commas(holds.load()) + " " : "",
            held,
            failed);
  }

  /** Returns the range below a load that no trial passed, with the trials at its ends. */
  private static String undecided(
      Bound holds, SearchRecord search, SearchResult end, String unit, String limits) {
    Optional<Long> passed = passed(search, holds);
    String spread =
        Bottleneck.spread(search.deciding(holds.load())).map(" (p99 %s)"::formatted).orElse("");
    String failed =
        end.fails()
            .filter(bound -> bound.trials() > 0)
            .map(bound -> ", %s failed".formatted(commas(bound.load())))
            .orElse("");
    String range =
        passed
            .map(
                low ->
                    isOpen(end)
                        ? amount(low, unit)
                        : "between %s and %s".formatted(commas(low), amount(holds.load(), unit)))
            .orElse("less than " + amount(holds.load(), unit));
    return "%s within %s: %s, %s was undecided%s%s"
        .formatted(
            range,
            limits,
            passed.map(low -> commas(low) + " passed").orElse("no trial passed"),
            commas(holds.load()),
            spread,
            failed);
  }

  /** Returns the highest load up to the one that holds of which a trial passed. */
  private static Optional<Long> passed(SearchRecord search, Bound holds) {
    return search.trials().stream()
        .filter(row -> row.verdict() == TrialVerdict.PASS && row.load() <= holds.load())
        .map(TrialRow::load)
        .max(Comparator.naturalOrder());
  }

  /** Returns whether no load was found that fails. */
  static boolean isOpen(SearchResult end) {
    return end.outcome() == Outcome.NONE_FAILS
        || end.outcome() == Outcome.LIMITED_BY_LOAD_GENERATOR;
  }

  private static String range(SearchRecord search, String unit) {
    Optional<SearchResult> known = search.conclusion().filter(SearchResult::isKnown);
    Optional<Bound> holds = known.flatMap(SearchResult::holds);
    Optional<Long> passed = holds.flatMap(bound -> passed(search, bound));
    if (passed.isEmpty()) {
      return search.conclusion().filter(end -> end.outcome() == Outcome.UNSTABLE).isPresent()
          ? inconclusive(search, unit)
          : NO_RESULT;
    }
    long low = passed.get();
    Optional<Long> high =
        holds
            .map(Bound::load)
            .filter(load -> load > low)
            .or(() -> upTo(search, known.get()).map(Bound::load));
    boolean more = isOpen(known.get());
    return (more ? "at least " : "")
        + high.filter(any -> !more)
            .map(load -> commas(low) + " to " + amount(load, unit))
            .orElse(amount(low, unit))
        + " within "
        + limits(search);
  }

  /** Returns the end of the range of a capacity that is known less well than a search promises. */
  static Optional<Bound> upTo(SearchRecord search, SearchResult end) {
    boolean found = end.outcome() == Outcome.FOUND || end.outcome() == Outcome.CLIFF;
    return end.fails().filter(any -> found && !end.isPrecise(search.plan()));
  }

  /** Returns a load with its unit: {@code 1 write/s}, {@code 1,200 writes/s}. */
  private static String amount(long load, String unit) {
    return commas(load) + (load == 1 ? unit.replaceFirst("s(?=/|$)", "") : unit);
  }

  private static String gaveWay(Manifest manifest, SearchRecord search) {
    List<String> found = Bottleneck.of(search, manifest.host().cores());
    boolean failed = search.conclusion().flatMap(SearchResult::fails).isPresent();
    String what =
        failed
            ? "bottleneck: "
                + (found.isEmpty() ? "none identified" : String.join("; ", found))
                + "; "
            : "";
    return what + cost(search);
  }

  private static String cost(SearchRecord search) {
    return trials(search) + ", " + duration(search.searchSeconds());
  }

  private static String trials(SearchRecord search) {
    return NumberFormats.count(search.trials().size(), "trial");
  }

  private static String duration(double seconds) {
    return seconds < SECONDS_PER_MINUTE
        ? NumberFormats.fixed(seconds, 0) + " s"
        : NumberFormats.fixed(seconds / SECONDS_PER_MINUTE, 0) + " min";
  }
}
