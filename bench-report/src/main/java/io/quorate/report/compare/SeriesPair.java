// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.Reservation.Stated;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Pairs;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.results.Canary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The same database, or the same cell, on both sides of a comparison.
 *
 * @param name title of the store of both sides, or of the cell
 * @param leftOut how many pairs of a sequential comparison are left out, and why; may be empty
 */
record SeriesPair(String name, Series before, Series after, String leftOut) {
  /** Pairs two series. */
  static SeriesPair of(Series before, Series after) {
    String one = before.title();
    String other = after.title();
    String name =
        VisibleText.of(
            before.key().equals(after.key()) && before.key().contains(",")
                ? before.key()
                : one.equals(other) ? one : without(one, other) + " \u2192 " + without(other, one));
    return new SeriesPair(name, before, after, "");
  }

  /** Returns a title without the settings that another title has, too. */
  private static String without(String title, String other) {
    List<String> parts = List.of(title.split(", "));
    List<String> shared = List.of(other.split(", "));
    return IntStream.range(0, parts.size())
        .filter(i -> i == 0 || !shared.subList(1, shared.size()).contains(parts.get(i)))
        .mapToObj(parts::get)
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns what is left without the pairs of a sequential comparison of which a run says nothing
   * about its database, by a cause that does not depend on its latencies; the same if nothing would
   * be left.
   */
  SeriesPair ofUsable() {
    Map<Integer, String> unusable = new TreeMap<>();
    all()
        .filter(run -> run.pair() > 0)
        .forEach(run -> run.spoiled().ifPresent(why -> unusable.putIfAbsent(run.pair(), why)));
    Series left = before.withoutPairs(unusable.keySet());
    Series right = after.withoutPairs(unusable.keySet());
    return unusable.isEmpty() || left.runs().isEmpty() || right.runs().isEmpty()
        ? this
        : new SeriesPair(
            name,
            left,
            right,
            "left out: %s (%s)"
                .formatted(
                    NumberFormats.count(unusable.size(), "pair"),
                    unusable.values().stream().distinct().collect(Collectors.joining("; "))));
  }

  private Stream<RunValues> all() {
    return Stream.concat(before.runs().stream(), after.runs().stream());
  }

  /** Returns whether all runs of one side were before those of the other. */
  boolean isInBlocks() {
    Instant firstBefore = before.runs().get(0).start();
    Instant firstAfter = after.runs().get(0).start();
    Instant lastBefore = before.runs().get(before.runs().size() - 1).start();
    Instant lastAfter = after.runs().get(after.runs().size() - 1).start();
    return Math.min(before.runs().size(), after.runs().size()) > 1
        && (lastBefore.isBefore(firstAfter) || lastAfter.isBefore(firstBefore));
  }

  /**
   * Returns why the machine explains a change: it moved by more between the canaries. Sides of one
   * series that took turns had the same machine.
   */
  Optional<String> drift(Change change) {
    Set<Canary> all = all().flatMap(run -> run.canaries().stream()).collect(Collectors.toSet());
    boolean same = !isInBlocks() && all().allMatch(run -> Set.copyOf(run.canaries()).equals(all));
    return Canary.movement(all)
        .filter(moved -> !same && change.isRatio())
        .filter(moved -> Math.abs(Math.log1p(change.estimate())) < Math.log(moved.factor()))
        .map("the canaries moved more: %s"::formatted);
  }

  /** Returns why the values of some run must not be compared; empty if they may. */
  Optional<String> obstacle(Row row) {
    long missing = all().filter(run -> !run.values().containsKey(row)).count();
    return missing > 0
        ? Optional.of("%d of %d runs have no such value".formatted(missing, all().count()))
        : all().flatMap(run -> run.obstacles(row).stream()).map(Stated::text).findFirst();
  }

  /** Returns whether a run of the baseline has too few requests for a percentile. */
  boolean isRare(Row row) {
    return before.runs().stream().anyMatch(run -> run.isOfFew(row));
  }

  /** Returns the reservations that forbid a comparison, if nothing else forbids it. */
  Set<Reservation> reservations(Row row, Change change) {
    if (drift(change).isPresent() || !all().allMatch(run -> run.values().containsKey(row))) {
      return Set.of();
    }
    return all()
        .flatMap(run -> run.obstacles(row).stream())
        .map(Stated::reservation)
        .collect(Collectors.toSet());
  }

  /**
   * Returns a change that a gate judges.
   *
   * @param baseline values of the baseline's runs, all or without the load generator's delay
   * @param candidate values of the candidate's runs
   */
  RowChange.Judged judged(
      Row row,
      Function<RunValues, Map<Row, Double>> baseline,
      Function<RunValues, Map<Row, Double>> candidate) {
    Map<Integer, Double> ofBaseline = before.byPair(row, baseline);
    Map<Integer, Double> ofCandidate = after.byPair(row, candidate);
    List<Integer> both = ofBaseline.keySet().stream().filter(ofCandidate::containsKey).toList();
    Change change = Change.of(before.sample(row, baseline), after.sample(row, candidate));
    return new RowChange.Judged(
        change,
        Optional.of(both)
            .filter(any -> !both.isEmpty() && !change.isBound())
            .map(
                any ->
                    Pairs.of(
                        Kind.of(row.metric()),
                        values(ofBaseline, both),
                        values(ofCandidate, both))));
  }

  private static double[] values(Map<Integer, Double> values, List<Integer> pairs) {
    return pairs.stream().mapToDouble(values::get).toArray();
  }
}
