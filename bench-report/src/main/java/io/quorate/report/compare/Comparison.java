// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.scenario.GateRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The comparison of a candidate with a baseline.
 *
 * @param pairs series of the baseline and the candidate that are compared
 * @param changes changes, by pair and row
 * @param differences conditions that differ; empty if the two are comparable
 */
record Comparison(
    Side baseline,
    Side candidate,
    List<Pair> pairs,
    List<Change> changes,
    List<Difference> differences) {
  /** Condition that the runs of one side have one version and the same settings. */
  static final String STORE = "store";

  private static final double ERROR_OF_REQUESTS = 0.04;
  private static final double ERROR_OF_MACHINES = 0.01;

  /** Number of runs of a baseline whose halves have enough runs for an A/A band. */
  private static final int RUNS_FOR_BAND = 2 * RatioEstimate.MIN_RUNS;

  /** Quantile of the distribution of the interval's ends, from which further runs are estimated. */
  private static final double TYPICAL_QUANTILE = 2.2;

  /**
   * The same database, or the same cell, on both sides.
   *
   * @param name title of the store of both sides, or of the cell
   */
  record Pair(String name, Series before, Series after) {
    /** Returns why the values of some run say nothing about the database; empty if they may. */
    private Optional<String> disqualification(Row row) {
      return Stream.concat(before.runs().stream(), after.runs().stream())
          .flatMap(run -> run.disqualification(Optional.of(row)).stream())
          .findFirst();
    }
  }

  /**
   * A condition that is not the same on both sides.
   *
   * @param text its values
   */
  record Difference(String condition, String text) {
    @Override
    public String toString() {
      return condition + ": " + text;
    }
  }

  /**
   * Which changes matter, as parts: 0.01 is 1%.
   *
   * @param threshold change beyond which the whole interval has to be for {@code faster} and {@code
   *     slower}
   * @param margin change within which the whole interval has to be for {@code same}
   */
  record Limits(double threshold, double margin) {}

  /**
   * Compares two sides.
   *
   * @param aa runs of one and the same version, whose odd and even runs give the A/A band; empty
   *     for those of the baseline, if they are enough
   * @throws QuorateException if all runs of the baseline are also in the candidate, or the A/A runs
   *     are not enough
   */
  static Comparison of(Side baseline, Side candidate, Optional<Side> aa, Limits limits) {
    boolean single = baseline.series().size() == 1 && candidate.series().size() == 1;
    return ofDifferent(baseline.without(candidate), candidate, single, aa, limits);
  }

  private static Comparison ofDifferent(
      Side before, Side candidate, boolean single, Optional<Side> aa, Limits limits) {
    List<Pair> pairs = pairs(before, candidate, single);
    List<Change> changes = new ArrayList<>();
    Set<Difference> differences = new LinkedHashSet<>(differences(before, candidate, pairs));
    for (Pair pair : pairs) {
      Optional<Series> same = aa.isPresent() ? aa.map(side -> ofSame(pair, side)) : ownBand(pair);
      aa.ifPresent(side -> addDifferences(differences, pair.before, same.get(), "the A/A runs"));
      changes.addAll(changes(pair, same, limits));
    }
    return new Comparison(before, candidate, pairs, changes, List.copyOf(differences));
  }

  private static Optional<Series> ownBand(Pair pair) {
    return Optional.of(pair.before).filter(each -> each.runs().size() >= RUNS_FOR_BAND);
  }

  /** Returns the A/A runs of the same column or, if there is none, of the same store. */
  private static Series ofSame(Pair pair, Side aa) {
    Series found =
        aa.series().stream()
            .filter(each -> each.key().equals(pair.before.key()))
            .findFirst()
            .or(() -> onlyOfStore(pair.before, aa.series()))
            .orElseThrow(
                () ->
                    new QuorateException(
                        "--aa: %s has no runs of %s"
                            .formatted(
                                VisibleText.of(aa.name()), VisibleText.of(pair.before.key()))));
    if (found.runs().size() < RUNS_FOR_BAND) {
      throw new QuorateException(
          "--aa: %s has %s of %s, expected %d or more, as fewer do not show the noise"
              .formatted(
                  VisibleText.of(aa.name()),
                  NumberFormats.count(found.runs().size(), "run"),
                  VisibleText.of(found.key()),
                  RUNS_FOR_BAND));
    }
    return found;
  }

  /**
   * Compares the odd runs of a side with its even runs, so that all changes are noise.
   *
   * @throws QuorateException if a database has one run only
   */
  static Comparison ofItself(Side side, Limits limits) {
    return ofDifferent(side.half(true), side.half(false), false, Optional.empty(), limits);
  }

  /** Pairs series with the same key, and then what is left if it is the only one of its store. */
  private static List<Pair> pairs(Side baseline, Side candidate, boolean single) {
    List<Series> before = new ArrayList<>(baseline.series());
    List<Series> after = new ArrayList<>(candidate.series());
    List<Pair> pairs = new ArrayList<>();
    for (Series each : baseline.series()) {
      after.stream()
          .filter(other -> single || other.key().equals(each.key()))
          .findFirst()
          .ifPresent(
              other -> {
                pairs.add(new Pair(name(each, other), each, other));
                before.remove(each);
                after.remove(other);
              });
    }
    for (Series each : List.copyOf(before)) {
      onlyOfStore(each, after)
          .filter(other -> onlyOfStore(other, before).isPresent())
          .ifPresent(other -> pairs.add(new Pair(name(each, other), each, other)));
    }
    return pairs;
  }

  /** Returns the series of the same store, if there is only one. */
  private static Optional<Series> onlyOfStore(Series one, List<Series> others) {
    List<Series> same = others.stream().filter(each -> each.stores().equals(one.stores())).toList();
    return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
  }

  private static String name(Series before, Series after) {
    return VisibleText.of(
        before.key().equals(after.key()) && before.key().contains(",")
            ? before.key()
            : before.title().equals(after.title())
                ? before.title()
                : before.title() + " \u2192 " + after.title());
  }

  private static List<Change> changes(Pair pair, Optional<Series> aa, Limits limits) {
    Set<Row> rows = new LinkedHashSet<>();
    Stream.of(pair.before, pair.after)
        .flatMap(series -> series.runs().stream())
        .forEach(run -> rows.addAll(run.values().keySet()));
    List<Change> family =
        rows.stream()
            .map(
                row ->
                    change(
                        pair.name,
                        row,
                        pair.before.values(row),
                        pair.after.values(row),
                        aa.map(same -> same.values(row)).orElse(new double[0])))
            .toList();
    return decided(family, limits).stream()
        .map(each -> each.without(pair.disqualification(each.row())))
        .toList();
  }

  /**
   * Returns the change of a row, before the verdicts of its family.
   *
   * @param aa values of runs of one version, in the order of their start; empty for no A/A band
   */
  static Change change(
      String database, Row row, double[] baseline, double[] candidate, double[] aa) {
    double[] before = Arrays.stream(baseline).sorted().toArray();
    double[] after = Arrays.stream(candidate).sorted().toArray();
    int runs = Math.min(before.length, after.length);
    Optional<RatioEstimate> estimate =
        runs < RatioEstimate.MIN_RUNS
            ? Optional.empty()
            : Optional.of(RatioEstimate.of(before, after, row.metric().isCount()));
    return new Change(
        database,
        row,
        before,
        after,
        estimate,
        estimate.map(found -> band(aa, found.isRatio())).orElse(OptionalDouble.empty()),
        runs == 0 ? Verdict.NOT_MEASURED : Verdict.TOO_FEW_RUNS,
        0,
        Optional.empty());
  }

  /**
   * Returns the change between the odd and the even runs of one version; empty with too few, or if
   * it is a difference and the estimate a ratio.
   */
  static OptionalDouble band(double[] runs, boolean ratio) {
    if (runs.length < RUNS_FOR_BAND) {
      return OptionalDouble.empty();
    }
    RatioEstimate noise = RatioEstimate.of(everySecond(runs, 0), everySecond(runs, 1), !ratio);
    return noise.isRatio() == ratio
        ? OptionalDouble.of(Math.abs(noise.change()))
        : OptionalDouble.empty();
  }

  private static double[] everySecond(double[] runs, int first) {
    return IntStream.range(0, runs.length)
        .filter(i -> i % 2 == first)
        .mapToDouble(i -> runs[i])
        .toArray();
  }

  /**
   * Returns the changes of a database with their verdicts. At most {@value #ERROR_OF_REQUESTS} plus
   * {@value #ERROR_OF_MACHINES} of comparisons without a change show one: the probabilities of
   * requests and of machines are corrected separately.
   */
  static List<Change> decided(List<Change> changes, Limits limits) {
    Set<Row> significant = new LinkedHashSet<>();
    significant.addAll(significant(changes, false, ERROR_OF_REQUESTS));
    significant.addAll(significant(changes, true, ERROR_OF_MACHINES));
    return changes.stream()
        .map(
            each ->
                decided(each, each.metric().isCount() || significant.contains(each.row()), limits))
        .toList();
  }

  /**
   * Returns the rows whose probability is small enough, after the correction of Holm (1979): the
   * smallest is multiplied by the number of changes, the next one by one less, and so on. The
   * largest that is small enough decides (Hochberg, 1988), as metrics of one run rise and fall
   * together. Numbers of requests are not normally distributed, so their interval alone decides.
   */
  private static List<Row> significant(List<Change> changes, boolean machines, double error) {
    List<Change> tested =
        changes.stream()
            .filter(each -> each.estimate().isPresent() && !each.metric().isCount())
            .filter(each -> each.metric().isOfMachines() == machines)
            .sorted(Comparator.comparingDouble(each -> each.estimate().get().p()))
            .toList();
    int most =
        IntStream.range(0, tested.size())
            .filter(i -> tested.get(i).estimate().get().p() * (tested.size() - i) <= error)
            .map(i -> i + 1)
            .max()
            .orElse(0);
    return tested.subList(0, most).stream().map(Change::row).toList();
  }

  private static Change decided(Change change, boolean significant, Limits limits) {
    if (change.estimate().isEmpty()) {
      return change;
    }
    RatioEstimate found = change.estimate().get();
    double unit = change.unit();
    double threshold = limits.threshold * unit;
    double margin = limits.margin * unit;
    double nearest = found.low() > 0 ? found.low() : found.high() < 0 ? -found.high() : 0;
    boolean inBand =
        change.band().isPresent() && Math.abs(found.change()) <= change.band().getAsDouble();
    Verdict verdict;
    if (!inBand && significant && nearest > threshold) {
      verdict =
          found.change() > 0 == change.metric().isHigherBetter() ? Verdict.BETTER : Verdict.WORSE;
    } else if (inBand || found.largest() <= margin) {
      verdict = Verdict.SAME;
    } else {
      verdict = Verdict.INCONCLUSIVE;
    }
    double distance =
        Math.max(Math.abs(found.change()) - threshold, margin - Math.abs(found.change()));
    return new Change(
        change.database(),
        change.row(),
        change.baseline(),
        change.candidate(),
        change.estimate(),
        change.band(),
        verdict,
        verdict == Verdict.INCONCLUSIVE ? moreRuns(change, found.deviation(), distance) : 0,
        Optional.empty());
  }

  /**
   * Returns how many further runs of each side make the interval about as narrow as a decision
   * needs, from the spread of the runs so far; at least 1.
   */
  private static int moreRuns(Change change, double deviation, double distance) {
    int runs = Math.min(change.baseline().length, change.candidate().length);
    double needed = 2 * Math.pow(TYPICAL_QUANTILE * deviation / distance, 2);
    return (int) Math.max(1, Math.min(1_000, Math.ceil(needed)) - runs);
  }

  /**
   * A database of the baseline without a counterpart.
   *
   * @param failed whether the candidate has runs of it, none of which is complete
   */
  record Missing(String key, boolean failed) {}

  /** Returns the databases of the baseline that the candidate lacks. */
  List<Missing> missing() {
    return baseline.series().stream()
        .filter(each -> pairs.stream().noneMatch(pair -> pair.before == each))
        .map(Series::key)
        .map(
            key ->
                new Missing(
                    key, candidate.leftOut().stream().anyMatch(each -> each.key().equals(key))))
        .toList();
  }

  /** Returns the values of the candidate without the load generator's delay, ascending. */
  double[] punctual(Change change) {
    return pairs.stream()
        .filter(pair -> pair.name.equals(change.database()))
        .findFirst()
        .map(pair -> Arrays.stream(pair.after.punctual(change.row())).sorted().toArray())
        .orElseThrow();
  }

  /** Returns whether runs of the candidate of a database are not complete. */
  boolean isIncomplete(String database) {
    return pairs.stream()
        .filter(pair -> pair.name.equals(database))
        .anyMatch(
            pair ->
                candidate.leftOut().stream().anyMatch(each -> each.key().equals(pair.after.key())));
  }

  /** Returns sentences about databases of one side only. */
  Stream<String> unpaired() {
    return Stream.concat(
        baseline.series().stream()
            .filter(each -> pairs.stream().noneMatch(pair -> pair.before == each))
            .map(each -> VisibleText.of(each.key()) + " is only in the baseline."),
        candidate.series().stream()
            .filter(each -> pairs.stream().noneMatch(pair -> pair.after == each))
            .map(each -> VisibleText.of(each.key()) + " is only in the candidate."));
  }

  /** Returns the gate of the scenario of the candidate. */
  List<GateRule> gate() {
    return pairs.stream()
        .flatMap(pair -> pair.after.runs().get(0).manifest().scenario().gate().stream())
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  private static List<Difference> differences(Side baseline, Side candidate, List<Pair> pairs) {
    Set<Difference> differences = new LinkedHashSet<>();
    if (pairs.isEmpty()) {
      differences.add(
          new Difference(
              "databases",
              "found %s in the baseline and %s in the candidate, expected the same"
                  .formatted(keys(baseline), keys(candidate))));
    }
    for (Pair pair : pairs) {
      addMixed(differences, pair.before, "the baseline");
      addMixed(differences, pair.after, "the candidate");
      addDifferences(differences, pair.before, pair.after, "the candidate");
    }
    return List.copyOf(differences);
  }

  /** Adds a difference if the runs of one side are of several versions or settings. */
  private static void addMixed(Set<Difference> differences, Series series, String who) {
    if (series.titles().size() > 1) {
      differences.add(new Difference(STORE, some(series.titles()) + " in " + who));
    }
  }

  private static void addDifferences(
      Set<Difference> differences, Series baseline, Series other, String who) {
    for (String condition : Condition.ids()) {
      Set<String> before = baseline.conditions(condition);
      Set<String> after = other.conditions(condition);
      if (before.size() > 1 || !before.equals(after)) {
        differences.add(
            new Difference(
                condition,
                "%s in the baseline, %s in %s".formatted(some(before), some(after), who)));
      }
    }
  }

  private static String some(Set<String> values) {
    String more = values.size() > 2 ? " and " + (values.size() - 2) + " more" : "";
    return values.stream().limit(2).map(VisibleText::of).collect(Collectors.joining(" / ")) + more;
  }

  private static String keys(Side side) {
    return side.series().stream()
        .map(each -> VisibleText.of(each.key()))
        .collect(Collectors.joining(", "));
  }

  /** Returns the numbers of verdicts in words: {@code 2 slower, 1 faster, 9 same}. */
  String counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String word :
        List.of(
            "slower",
            "more",
            "faster",
            "less",
            "same",
            "inconclusive",
            "not decided",
            "not measured")) {
      long count =
          changes.stream()
              .filter(each -> each.verdictText().split(":| within")[0].equals(word))
              .count();
      if (count > 0) {
        counts.put(word, count);
      }
    }
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
