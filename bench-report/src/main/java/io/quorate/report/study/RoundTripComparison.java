// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.store.RequestPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares cells with members in several zones with cells of one member: the additional time of a
 * single client's requests, in round trips between members, next to the expected number.
 */
final class RoundTripComparison {

  private final MatrixLayout layout;
  private final List<Comparison> comparisons = new ArrayList<>();

  /** Number of standard errors that cover about 95% of random deviations. */
  private static final double ERRORS = 2;

  /** The median of a cell, and its standard error. */
  private record Median(double ms, double errorMs) {
    static Median of(CellResult cell) {
      double ms = cell.p50Ms().orElseThrow().mean();
      double runs = cell.runs().size();
      double within =
          cell.runs().stream().mapToDouble(run -> Math.pow(run.p50ErrorMs(), 2)).sum() / runs;
      double between =
          cell.runs().stream().mapToDouble(run -> Math.pow(run.p50Ms() - ms, 2)).sum()
              / Math.max(1, runs - 1);
      return new Median(ms, Math.sqrt((within + between) / runs));
    }
  }

  /**
   * The comparison of a cell with members in several zones with a cell of one member.
   *
   * @param path path of its requests
   * @param tripMs time of a round trip between members
   */
  private record Comparison(
      CellResult cell, RequestPath path, double tripMs, Median here, Median alone) {
    int needed() {
      return path.toLeader() + path.toMajority();
    }

    /** Returns the additional time of a request compared with one member, in round trips. */
    double more() {
      return (here.ms - alone.ms) / tripMs;
    }

    /** Returns the random deviation of the additional time, in round trips. */
    double chance() {
      return ERRORS * Math.hypot(here.errorMs, alone.errorMs) / tripMs;
    }

    String longer() {
      return number(more()) + " \u00b1 " + number(chance());
    }

    /**
     * Returns how many round trips of the additional time are on the path of a request: {@code 1 of
     * 3.1}. The medians may differ by more than a round trip by chance.
     */
    String explained() {
      return more() + chance() < needed()
          ? "fewer than the " + needed() + " of its path"
          : chance() < 1 ? needed() + " of " + NumberFormats.fixed(more(), 1) : "too close to call";
    }
  }

  RoundTripComparison(MatrixResults results) {
    layout = MatrixLayout.of(results);
    for (CellResult cell : results.cells()) {
      boolean apart =
          cell.facts().filter(facts -> facts.members() > 1 && facts.clients() == 1).isPresent();
      Optional<RoundTripBound> least =
          cell.runs().stream().flatMap(r -> r.least().stream()).findFirst();
      Optional<CellResult> alone = apart ? alone(results, cell) : Optional.empty();
      if (alone.isPresent() && least.filter(each -> each.tripMs() > 0).isPresent()) {
        double trip = cell.least(each -> OptionalDouble.of(each.tripMs())).orElseThrow();
        comparisons.add(
            new Comparison(
                cell, least.get().path(), trip, Median.of(cell), Median.of(alone.get())));
      }
    }
  }

  /** Returns the cell with one member and the same work, with any target. */
  private static Optional<CellResult> alone(MatrixResults results, CellResult cell) {
    return results.cells().stream()
        .filter(each -> each.facts().filter(facts -> facts.members() == 1).isPresent())
        .filter(each -> work(each).equals(work(cell)))
        .findFirst();
  }

  private static Map<String, String> work(CellResult cell) {
    Map<String, String> work = new LinkedHashMap<>(cell.coordinates());
    work.keySet().removeAll(List.of(MatrixLayout.TOPOLOGY, MatrixLayout.TARGET));
    return work;
  }

  private String name(CellResult cell) {
    return String.join(", ", layout.rest(cell, List.of()));
  }

  private static String number(double trips) {
    return NumberFormats.fixed(trips, 2);
  }

  Table table() {
    return new Table(
        "Median latency of one client that waits longer than on one member",
        List.of(
            "cell",
            "round trip between members",
            "on one member",
            "here",
            "longer, in round trips",
            "explained by round trips"),
        comparisons.stream()
            .filter(each -> each.more() > 0)
            .map(
                each ->
                    List.of(
                        name(each.cell),
                        StudyTables.ms(each.tripMs),
                        StudyTables.ms(each.alone.ms),
                        StudyTables.ms(each.here.ms),
                        each.longer(),
                        each.explained()))
            .toList());
  }
}
