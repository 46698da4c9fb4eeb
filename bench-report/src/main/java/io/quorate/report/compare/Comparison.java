// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RowChange.Judged;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Family;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Family.Question;
import io.quorate.scenario.GateRule;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
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
    List<SeriesPair> pairs,
    List<RowChange> changes,
    List<Difference> differences) {
  /** Condition that the runs of one side have one version and the same settings. */
  static final String DATABASE = "database";

  /** Condition that the runs of both sides took turns; without it a gate does not fail. */
  static final String ORDER = "order";

  private static final String SLOWEST_OF_FEW = "the slowest request of so few runs is chance";

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
    List<SeriesPair> pairs =
        pairs(before, candidate, single).stream().map(SeriesPair::ofUsable).toList();
    List<RowChange> changes = new ArrayList<>();
    Set<Difference> differences = new LinkedHashSet<>(differences(before, candidate, pairs));
    for (SeriesPair pair : pairs) {
      Series same = aa.map(side -> ofSame(pair, side)).orElse(pair.before());
      aa.ifPresent(side -> addDifferences(differences, pair.before(), same, "the A/A runs"));
      changes.addAll(changes(pair, same, limits));
    }
    return new Comparison(before, candidate, pairs, changes, List.copyOf(differences));
  }

  /** Returns the A/A runs of the same column or, if there is none, of the same store. */
  private static Series ofSame(SeriesPair pair, Side aa) {
    Series found =
        aa.series().stream()
            .filter(each -> each.key().equals(pair.before().key()))
            .findFirst()
            .or(() -> onlyOfStore(pair.before(), aa.series()))
            .orElseThrow(
                () ->
                    new QuorateException(
                        "--aa: %s has no runs of %s"
                            .formatted(
                                VisibleText.of(aa.name()), VisibleText.of(pair.before().key()))));
    if (found.runs().size() < Change.RUNS_FOR_BAND) {
      throw new QuorateException(
          "--aa: %s has %s of %s, expected %d or more, as fewer do not show the noise"
              .formatted(
                  VisibleText.of(aa.name()),
                  NumberFormats.count(found.runs().size(), "run"),
                  VisibleText.of(found.key()),
                  Change.RUNS_FOR_BAND));
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
  private static List<SeriesPair> pairs(Side baseline, Side candidate, boolean single) {
    List<Series> before = new ArrayList<>(baseline.series());
    List<Series> after = new ArrayList<>(candidate.series());
    List<SeriesPair> pairs = new ArrayList<>();
    for (Series each : baseline.series()) {
      after.stream()
          .filter(other -> single || other.key().equals(each.key()))
          .findFirst()
          .ifPresent(
              other -> {
                pairs.add(SeriesPair.of(each, other));
                before.remove(each);
                after.remove(other);
              });
    }
    for (Series each : List.copyOf(before)) {
      onlyOfStore(each, after)
          .filter(other -> onlyOfStore(other, before).isPresent())
          .ifPresent(other -> pairs.add(SeriesPair.of(each, other)));
    }
    return pairs;
  }

  /** Returns the series of the same store, if there is only one. */
  private static Optional<Series> onlyOfStore(Series one, List<Series> others) {
    List<Series> same = others.stream().filter(each -> each.stores().equals(one.stores())).toList();
    return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
  }

  private static List<RowChange> changes(SeriesPair pair, Series aa, Limits limits) {
    List<Row> all =
        Stream.of(pair.before(), pair.after())
            .flatMap(series -> series.runs().stream())
            .flatMap(run -> run.values().keySet().stream())
            .distinct()
            .toList();
    List<Judged> values =
        all.stream().map(row -> pair.judged(row, RunValues::values, RunValues::values)).toList();
    List<Question> questions =
        IntStream.range(0, all.size())
            .mapToObj(i -> question(pair, all.get(i), values.get(i).change(), aa))
            .toList();
    List<Integer> family =
        IntStream.range(0, all.size())
            .filter(i -> !all.get(i).metric().isDerived())
            .boxed()
            .toList();
    List<Decision> decisions = Family.decide(family.stream().map(questions::get).toList(), limits);
    return IntStream.range(0, all.size())
        .mapToObj(
            i ->
                new RowChange(
                    pair.name(),
                    all.get(i),
                    questions.get(i),
                    // a value that follows from others would be a second test of the same change
                    all.get(i).metric().isDerived()
                        ? Family.decide(List.of(questions.get(i)), limits).get(0)
                        : decisions.get(family.indexOf(i)),
                    values.get(i),
                    pair.judged(all.get(i), RunValues::values, RunValues::punctual),
                    pair.judged(all.get(i), RunValues::punctual, RunValues::values),
                    pair.isRare(all.get(i)),
                    pair.reservations(all.get(i), questions.get(i).change())))
        .toList();
  }

  private static Question question(SeriesPair pair, Row row, Change change, Series aa) {
    boolean chance = row.metric() == Metric.MAX && !change.hasInterval();
    return new Question(
        change,
        aa.sample(row, RunValues::values).isBound()
            ? OptionalDouble.empty()
            : change.band(aa.values(row, RunValues::values)),
        chance ? Optional.of(SLOWEST_OF_FEW) : pair.obstacle(row).or(() -> pair.drift(change)));
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
        .filter(each -> pairs.stream().noneMatch(pair -> pair.before().key().equals(each.key())))
        .map(Series::key)
        .map(
            key ->
                new Missing(
                    key, candidate.leftOut().stream().anyMatch(each -> each.key().equals(key))))
        .toList();
  }

  boolean isInBlocks() {
    return pairs.stream().anyMatch(SeriesPair::isInBlocks);
  }

  /** Returns the counts of verdicts, and whether the runs of the sides took no turns. */
  String headline() {
    return counts() + (isInBlocks() ? " (sides ran in blocks: a change may be drift)" : "");
  }

  /** Returns which pairs of runs of a database are left out, and why; empty if none is. */
  String leftOut(String database) {
    return pairs.stream()
        .filter(pair -> pair.name().equals(database))
        .map(SeriesPair::leftOut)
        .findFirst()
        .orElse("");
  }

  /** Returns whether runs of the candidate of a database are not complete. */
  boolean isIncomplete(String database) {
    return pairs.stream()
        .filter(pair -> pair.name().equals(database))
        .anyMatch(
            pair ->
                candidate.leftOut().stream()
                    .anyMatch(each -> each.key().equals(pair.after().key())));
  }

  /** Returns sentences about databases of one side only. */
  Stream<String> unpaired() {
    return Stream.concat(
        missing().stream().map(each -> VisibleText.of(each.key()) + " is only in the baseline."),
        candidate.series().stream()
            .filter(each -> pairs.stream().noneMatch(pair -> pair.after().key().equals(each.key())))
            .map(each -> VisibleText.of(each.key()) + " is only in the candidate."));
  }

  /** Returns the gate of the scenario of the candidate. */
  List<GateRule> gate() {
    return pairs.stream()
        .flatMap(pair -> pair.after().runs().get(0).manifest().scenario().gate().stream())
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  private static List<Difference> differences(
      Side baseline, Side candidate, List<SeriesPair> pairs) {
    Set<Difference> differences = new LinkedHashSet<>();
    if (pairs.isEmpty()) {
      differences.add(
          new Difference(
              "databases",
              "found %s in the baseline and %s in the candidate, expected the same"
                  .formatted(keys(baseline), keys(candidate))));
    }
    for (SeriesPair pair : pairs) {
      addMixed(differences, pair.before(), "the baseline");
      addMixed(differences, pair.after(), "the candidate");
      addDifferences(differences, pair.before(), pair.after(), "the candidate");
    }
    return List.copyOf(differences);
  }

  /** Adds a difference if the runs of one side are of several versions, programs or settings. */
  private static void addMixed(Set<Difference> differences, Series series, String who) {
    Stream.of(series.titles(), series.programs())
        .filter(each -> each.size() > 1)
        .findFirst()
        .ifPresent(each -> differences.add(new Difference(DATABASE, some(each) + " in " + who)));
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

  /**
   * Returns the numbers of verdicts in words: {@code 2 slower, 1 faster, 9 same}; without those of
   * values that follow from others.
   */
  String counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Verdict verdict : Verdict.values()) {
      changes.stream()
          .filter(each -> each.verdict() == verdict && !each.metric().isDerived())
          .map(each -> each.decision().word(each.change().kind()))
          .forEach(word -> counts.merge(word, 1L, Long::sum));
    }
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
