package io.quorate.report.matrix;

import io.quorate.report.matrix.MatrixPage.Table;
import io.quorate.run.NumberFormats;
import io.quorate.store.RequestPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares cells whose members are apart with those of one member: how much longer the requests of
 * a single client take, in round trips between members, beside those that they have to wait for.
 */
final class RoundTripComparison {
  private static final String TOPOLOGY = "topology";
  private static final String TARGET = "target";

  private final MatrixLayout layout;
  private final List<Comparison> comparisons = new ArrayList<>();

  /**
   * A cell with members that are apart beside one with one member.
   *
   * @param path that its requests have to go
   * @param tripMs of a round trip between members
   * @param ms the median latency, as of {@code aloneMs} on one member
   */
  private record Comparison(
      CellResult cell, RequestPath path, double tripMs, double ms, double aloneMs) {
    int needed() {
      return path.toLeader() + path.toMajority();
    }

    /** Returns by how many round trips a request takes longer than on one member. */
    double more() {
      return (ms - aloneMs) / tripMs;
    }

    /** Returns whether it takes as much longer as it has to or, if it need not, less than one. */
    boolean isAsNeeded() {
      return needed() == 0 ? more() < 1 : more() >= needed();
    }
  }

  RoundTripComparison(MatrixResults results) {
    layout = MatrixLayout.of(results);
    for (CellResult cell : results.cells()) {
      boolean apart =
          cell.facts().filter(facts -> facts.members() > 1 && facts.clients() == 1).isPresent();
      Optional<LeastTime> least = cell.runs().stream().flatMap(r -> r.least().stream()).findFirst();
      Optional<CellResult> alone = apart ? alone(results, cell) : Optional.empty();
      if (alone.isPresent() && least.filter(each -> each.tripMs() > 0).isPresent()) {
        double trip = cell.least(LeastTime::trip).orElseThrow().median();
        comparisons.add(
            new Comparison(cell, least.get().path(), trip, medianMs(cell), medianMs(alone.get())));
      }
    }
  }

  private static double medianMs(CellResult cell) {
    return cell.spread(RunFigures::p50Ms).orElseThrow().median();
  }

  /** Returns the cell on one member that does the same, through whichever target it has. */
  private static Optional<CellResult> alone(MatrixResults results, CellResult cell) {
    return results.cells().stream()
        .filter(each -> each.facts().filter(facts -> facts.members() == 1).isPresent())
        .filter(each -> work(each).equals(work(cell)))
        .findFirst();
  }

  private static Map<String, String> work(CellResult cell) {
    Map<String, String> work = new LinkedHashMap<>(cell.coordinates());
    work.keySet().removeAll(List.of(TOPOLOGY, TARGET));
    return work;
  }

  /** Returns a sentence for each kind of requests and target. */
  List<String> sentences() {
    Map<String, List<Comparison>> kinds = new LinkedHashMap<>();
    comparisons.forEach(
        each -> kinds.computeIfAbsent(kind(each), any -> new ArrayList<>()).add(each));
    return kinds.entrySet().stream().map(each -> sentence(each.getKey(), each.getValue())).toList();
  }

  private String kind(Comparison of) {
    CellFacts facts = of.cell.facts().orElseThrow();
    String store = layout.axes().contains("database") ? facts.store() + ": " : "";
    String what = facts.reads().map(reads -> "a " + reads + " read").orElse("a write");
    String through = MatrixSentences.through(facts.target());
    int needed = of.needed();
    String trips =
        needed == 0
            ? "no round trip between members"
            : needed == 1
                ? "1 round trip between members"
                : needed + " round trips between members";
    return "%s%s %s has to wait for %s".formatted(store, what, through, trips);
  }

  private String sentence(String kind, List<Comparison> of) {
    List<Comparison> others = of.stream().filter(each -> !each.isAsNeeded()).toList();
    boolean none = of.get(0).needed() == 0;
    String wanted = none ? "less than 1 more" : "at least as many more";
    String range = range(of);
    String most =
        others.isEmpty()
            ? "In all %s comparisons it takes %s than on one member: %s."
                .formatted(of.size(), wanted, range)
            : "In %s of %s comparisons it takes %s than on one member: %s."
                .formatted(of.size() - others.size(), of.size(), wanted, range);
    String not =
        others.isEmpty()
            ? ""
            : " Not in "
                + String.join(
                    "; ",
                    others.stream()
                        .map(each -> name(each.cell) + ": " + number(each.more()))
                        .toList())
                + ".";
    return kind + ". " + most + not;
  }

  private static String range(List<Comparison> of) {
    double least = of.stream().mapToDouble(Comparison::more).min().orElseThrow();
    double most = of.stream().mapToDouble(Comparison::more).max().orElseThrow();
    return of.size() == 1 ? number(least) : number(least) + " to " + number(most);
  }

  private String name(CellResult cell) {
    return String.join(", ", layout.rest(cell, List.of()));
  }

  private static String number(double trips) {
    return NumberFormats.fixed(trips, 2);
  }

  /** Returns all comparisons; without rows if there is none. */
  Table table() {
    List<List<String>> rows = new ArrayList<>();
    for (Comparison each : comparisons) {
      rows.add(
          List.of(
              name(each.cell),
              StudyTables.ms(each.tripMs),
              "" + each.needed(),
              StudyTables.ms(each.aloneMs),
              StudyTables.ms(each.ms),
              number(each.more())));
    }
    return new Table(
        "One client, apart from and on one member: median latencies",
        List.of(
            "cell",
            "round trip between members",
            "round trips to wait for",
            "on one member",
            "here",
            "longer, in round trips"),
        rows);
  }
}
