package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
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
  private static final double SIGNIFICANT = 0.05;

  /** Number of runs of a baseline whose halves have enough runs for an A/A band. */
  private static final int RUNS_FOR_BAND = 2 * RatioEstimate.MIN_RUNS;

  /** Quantile of the distribution of the interval's ends, from which further runs are estimated. */
  private static final double TYPICAL_QUANTILE = 2.2;

  /**
   * The same database, or the same cell, on both sides.
   *
   * @param name title of the store of both sides, or of the cell
   */
  record Pair(String name, Series before, Series after) {}

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
  record Limits(double threshold, double margin) {
    static final Limits DEFAULT = new Limits(0.01, 0.05);
  }

  /**
   * Compares two sides.
   *
   * @param aa runs of one and the same version, whose odd and even runs give the A/A band; empty
   *     for those of the baseline, if they are enough
   */
  static Comparison of(Side baseline, Side candidate, Optional<Side> aa, Limits limits) {
    List<Pair> pairs = pairs(baseline, candidate);
    List<Change> changes = new ArrayList<>();
    for (Pair pair : pairs) {
      Optional<Series> same =
          aa.isPresent()
              ? counterpart(pair.before, aa.get(), aa.get().series().size() == 1)
              : Optional.of(pair.before).filter(each -> each.runs().size() >= RUNS_FOR_BAND);
      changes.addAll(changes(pair, same, limits));
    }
    return new Comparison(
        baseline, candidate, pairs, changes, differences(baseline, candidate, pairs));
  }

  /**
   * Compares the odd runs of a side with its even runs, so that all changes are noise.
   *
   * @throws QuorateException if a database has one run only
   */
  static Comparison ofItself(Side side, Limits limits) {
    return of(side.half(true), side.half(false), Optional.empty(), limits);
  }

  private static List<Pair> pairs(Side baseline, Side candidate) {
    boolean single = baseline.series().size() == 1 && candidate.series().size() == 1;
    List<Pair> pairs = new ArrayList<>();
    for (Series before : baseline.series()) {
      counterpart(before, candidate, single)
          .ifPresent(after -> pairs.add(new Pair(name(before, after), before, after)));
    }
    return pairs;
  }

  private static String name(Series before, Series after) {
    return VisibleText.of(
        before.key().equals(after.key()) && before.key().contains(",")
            ? before.key()
            : before.title().equals(after.title())
                ? before.title()
                : before.title() + " \u2192 " + after.title());
  }

  /** Returns the series with the same key, or else the only one of the same store. */
  private static Optional<Series> counterpart(Series one, Side side, boolean single) {
    List<Series> sameStore =
        side.series().stream().filter(each -> each.stores().equals(one.stores())).toList();
    return side.series().stream()
        .filter(each -> single || each.key().equals(one.key()))
        .findFirst()
        .or(() -> sameStore.stream().filter(each -> sameStore.size() == 1).findFirst());
  }

  private static List<Change> changes(Pair pair, Optional<Series> aa, Limits limits) {
    Set<Row> rows = new LinkedHashSet<>();
    Stream.of(pair.before, pair.after)
        .flatMap(series -> series.runs().stream())
        .forEach(run -> rows.addAll(run.values().keySet()));
    Map<String, List<Change>> families = new LinkedHashMap<>();
    for (Row row : rows) {
      families
          .computeIfAbsent(row.group(), any -> new ArrayList<>())
          .add(
              change(
                  pair.name,
                  row,
                  pair.before.values(row),
                  pair.after.values(row),
                  aa.map(same -> band(same.values(row), row)).orElse(OptionalDouble.empty())));
    }
    return families.values().stream().flatMap(family -> decided(family, limits).stream()).toList();
  }

  /** Returns the change of a row, before the verdicts of its family. */
  static Change change(
      String database, Row row, double[] baseline, double[] candidate, OptionalDouble band) {
    double[] before = Arrays.stream(baseline).sorted().toArray();
    double[] after = Arrays.stream(candidate).sorted().toArray();
    int runs = Math.min(before.length, after.length);
    return new Change(
        database,
        row,
        before,
        after,
        runs < RatioEstimate.MIN_RUNS
            ? Optional.empty()
            : Optional.of(RatioEstimate.of(before, after, row.metric().isCount())),
        band,
        runs == 0 ? Verdict.NOT_MEASURED : Verdict.TOO_FEW_RUNS,
        0);
  }

  /** Returns the change between the odd and the even runs of one version; empty without two. */
  static OptionalDouble band(double[] runs, Row row) {
    if (runs.length < 2) {
      return OptionalDouble.empty();
    }
    double[] odd = everySecond(runs, 0);
    double[] even = everySecond(runs, 1);
    return OptionalDouble.of(
        Math.abs(RatioEstimate.of(odd, even, row.metric().isCount()).change()));
  }

  private static double[] everySecond(double[] runs, int first) {
    return IntStream.range(0, runs.length)
        .filter(i -> i % 2 == first)
        .mapToDouble(i -> runs[i])
        .toArray();
  }

  /**
   * Returns a family of changes with their verdicts. The probabilities are corrected by the method
   * of Holm (1979): the smallest is multiplied by the number of metrics, the next one by one less,
   * and so on.
   */
  static List<Change> decided(List<Change> family, Limits limits) {
    List<Change> tested =
        family.stream()
            .filter(each -> each.estimate().isPresent())
            .sorted(Comparator.comparingDouble(each -> each.estimate().get().p()))
            .toList();
    Set<Row> significant = new LinkedHashSet<>();
    for (int i = 0; i < tested.size(); i++) {
      if (tested.get(i).estimate().get().p() * (tested.size() - i) > SIGNIFICANT) {
        break;
      }
      significant.add(tested.get(i).row());
    }
    return family.stream()
        .map(each -> decided(each, significant.contains(each.row()), limits))
        .toList();
  }

  private static Change decided(Change change, boolean significant, Limits limits) {
    if (change.estimate().isEmpty()) {
      return change;
    }
    RatioEstimate found = change.estimate().get();
    double threshold = found.isRatio() ? limits.threshold : 0;
    double margin = found.isRatio() ? limits.margin : 0;
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
        verdict == Verdict.INCONCLUSIVE ? moreRuns(change, found.deviation(), distance) : 0);
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

  /** Returns the names of all conditions that have to be the same. */
  Set<String> conditions() {
    return pairs.stream()
        .flatMap(pair -> pair.before.runs().get(0).conditions().keySet().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
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
      for (String condition : pair.before.runs().get(0).conditions().keySet()) {
        Set<String> before = pair.before.conditions(condition);
        Set<String> after = pair.after.conditions(condition);
        if (before.size() > 1 || !before.equals(after)) {
          differences.add(
              new Difference(
                  condition,
                  "%s in the baseline, %s in the candidate".formatted(some(before), some(after))));
        }
      }
    }
    return List.copyOf(differences);
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
