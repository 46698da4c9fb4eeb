// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static io.quorate.format.NumberFormats.wholePercent;

import io.quorate.VisibleText;
import io.quorate.capacity.Bound;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.format.NumberFormats;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Determines the bottleneck: a resource that was exhausted at the lowest load that failed, or a
 * cause of waits that were much longer than at the load that held. It uses means over the trials of
 * each load.
 */
record Bottleneck(List<TrialRow> held, List<TrialRow> failed, int cores, double tightestMs) {
  /** Utilization from which on a resource counts as exhausted. */
  private static final double USED_UP = 0.9;

  /** Utilization of its CPUs from which on the load generator counts as exhausted. */
  private static final double LOAD_GENERATOR = 0.8;

  /**
   * Least ratio of a wait to the wait at the load that passed, from which on it counts as longer.
   */
  private static final double LONGER = 1.5;

  /** Least part of the tightest limit for a wait to matter. */
  private static final double MATTERS = 0.25;

  private static final double NANOS_PER_MS = 1e6;

  /**
   * Returns a phrase for each bottleneck.
   *
   * @param cores number of cores of the load generator's machine
   * @return the phrases; empty if there is no bottleneck
   */
  static List<String> of(SearchRecord search, int cores) {
    Optional<Bound> holds = search.conclusion().flatMap(SearchResult::holds);
    Optional<Bound> fails = search.conclusion().flatMap(SearchResult::fails);
    double tightest =
        search.header().limits().stream()
            .filter(limit -> limit.quantity().isLatency())
            .mapToDouble(limit -> limit.baseNumber().doubleValue())
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return new Bottleneck(trials(search, holds), trials(search, fails), cores, tightest).all();
  }

  private static List<TrialRow> trials(SearchRecord search, Optional<Bound> bound) {
    List<TrialRow> all =
        search.trials().stream()
            .filter(row -> bound.filter(found -> found.load() == row.load()).isPresent())
            .toList();
    List<TrialRow> last = all.stream().filter(row -> row.stage() == Trial.Stage.CONFIRM).toList();
    return last.isEmpty() ? all : last;
  }

  private List<String> all() {
    List<String> found = new ArrayList<>();
    part(TrialRow::machineBusy, USED_UP, 1)
        .ifPresent(
            text ->
                found.add(
                    "host CPU, %s busy (servers %s, load generator %s of %d cores)"
                        .formatted(
                            text,
                            processors(TrialRow::serverCores),
                            processors(row -> OptionalDouble.of(row.loadGeneratorCores())),
                            cores)));
    part(row -> row.servers().busiestCores(), USED_UP, cores)
        .ifPresent(text -> found.add("CPU of the busiest member, %s".formatted(text)));
    part(row -> OptionalDouble.of(row.loadGeneratorCores()), LOAD_GENERATOR, cores)
        .ifPresent(text -> found.add("CPU of the load generator, %s".formatted(text)));
    part(row -> row.servers().diskBusy(), USED_UP, 1)
        .ifPresent(text -> found.add("the disk, busy %s of the time".formatted(text)));
    part(row -> row.servers().networkBusy(), USED_UP, 1)
        .ifPresent(text -> found.add("the network, %s of its speed".formatted(text)));
    waits(found);
    return found;
  }

  private void waits(List<String> found) {
    Set<String> waits = new LinkedHashSet<>();
    failed.forEach(row -> waits.addAll(row.servers().waitsMillis().keySet()));
    for (String wait : waits) {
      ToDoubleFunction<TrialRow> millis =
          row -> row.servers().waitsMillis().getOrDefault(wait, Double.NaN);
      double above = mean(failed, row -> OptionalDouble.of(millis.applyAsDouble(row)));
      double below = mean(held, row -> OptionalDouble.of(millis.applyAsDouble(row)));
      if (above >= MATTERS * tightestMs && above >= LONGER * below) {
        found.add(
            "%s, p99 %s ms against %s ms"
                .formatted(VisibleText.of(wait), number(above), number(below)));
      }
    }
  }

  /** Returns the use of a resource if it was exhausted, with its use at the lower load. */
  private Optional<String> part(
      Function<TrialRow, OptionalDouble> figure, double usedUp, double all) {
    double above = mean(failed, figure) / all;
    double below = mean(held, figure) / all;
    return above >= usedUp
        ? Optional.of(wholePercent(above) + (below > 0 ? " against " + wholePercent(below) : ""))
        : Optional.empty();
  }

  private String processors(Function<TrialRow, OptionalDouble> figure) {
    double cores = mean(failed, figure);
    return Double.isNaN(cores) ? "unknown" : NumberFormats.fixed(cores, 2);
  }

  /** Returns the mean of the known values; NaN if there are none. */
  private static double mean(List<TrialRow> rows, Function<TrialRow, OptionalDouble> figure) {
    return rows.stream()
        .flatMapToDouble(row -> figure.apply(row).stream())
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }

  private static String number(double value) {
    return NumberFormats.fixed(value, value < 10 ? 1 : 0);
  }

  /** Returns the least and the most p99 of some trials, such as {@code 14.2 to 16.0 ms}. */
  static Optional<String> spread(List<TrialRow> rows) {
    double[] all =
        rows.stream()
            .flatMapToLong(row -> row.latencies().p99Nanos().stream())
            .mapToDouble(nanos -> nanos / NANOS_PER_MS)
            .sorted()
            .toArray();
    return all.length == 0
        ? Optional.empty()
        : Optional.of(
            all.length == 1
                ? number(all[0]) + " ms"
                : number(all[0]) + " to " + number(all[all.length - 1]) + " ms");
  }
}
