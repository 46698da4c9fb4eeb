package io.quorate.report.figures;

import io.quorate.VisibleText;
import io.quorate.capacity.Trial;
import io.quorate.format.NumberFormats;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.SloLimit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Tells from what was measured what gave way: what was used up while the lowest load was tried that
 * did not hold, or what the members waited for much longer than at the load that held. Means over
 * the trials of each.
 */
final class Bottleneck {
  /** From this part on something counts as used up. */
  private static final double USED_UP = 0.9;

  /** From this part of its processors on the load generator counts as used up. */
  private static final double LOAD_GENERATOR = 0.8;

  /** A wait that is so many times that at the load that held is longer. */
  private static final double LONGER = 1.5;

  /** From this part of the tightest limit on a wait matters. */
  private static final double MATTERS = 0.25;

  private static final double NANOS_PER_MS = 1e6;

  private final List<TrialRow> held;
  private final List<TrialRow> failed;
  private final int cores;
  private final double tightestMs;

  private Bottleneck(List<TrialRow> held, List<TrialRow> failed, int cores, double tightestMs) {
    this.held = held;
    this.failed = failed;
    this.cores = cores;
    this.tightestMs = tightestMs;
  }

  /**
   * Returns what gave way, a phrase for each.
   *
   * @param cores of the load generator's machine
   * @return none if nothing stands out
   */
  static List<String> of(SearchRecord search, int cores) {
    Optional<Long> holds = search.conclusion().flatMap(end -> end.holds()).map(b -> b.load());
    Optional<Long> fails = search.conclusion().flatMap(end -> end.fails()).map(b -> b.load());
    if (fails.isEmpty()) {
      return List.of();
    }
    double tightest =
        search.header().limits().stream()
            .flatMap(text -> SloLimit.parse(text).stream())
            .filter(limit -> limit.quantity().isLatency())
            .mapToDouble(limit -> limit.baseNumber().doubleValue())
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return new Bottleneck(
            trials(search, holds.orElse(-1L)), trials(search, fails.get()), cores, tightest)
        .all();
  }

  /** Returns the trials that decided about a load; all of it if none did. */
  private static List<TrialRow> trials(SearchRecord search, long load) {
    List<TrialRow> all = search.trials().stream().filter(row -> row.load() == load).toList();
    List<TrialRow> last = all.stream().filter(row -> row.stage() == Trial.Stage.CONFIRM).toList();
    return last.isEmpty() ? all : last;
  }

  private List<String> all() {
    List<String> found = new ArrayList<>();
    part(TrialRow::machineBusy, USED_UP, 1)
        .ifPresent(
            text ->
                found.add(
                    "the processors of this machine, %s busy (servers %s, load generator %s of %d)"
                        .formatted(
                            text,
                            processors(TrialRow::serverCores),
                            processors(row -> OptionalDouble.of(row.loadGeneratorCores())),
                            cores)));
    part(row -> row.servers().busiestCores(), USED_UP, cores)
        .ifPresent(text -> found.add("the processors of the busiest member, %s".formatted(text)));
    part(row -> OptionalDouble.of(row.loadGeneratorCores()), LOAD_GENERATOR, cores)
        .ifPresent(text -> found.add("the processors of the load generator, %s".formatted(text)));
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

  /** Returns how much of something was used, if it was used up; beside that at the lower load. */
  private Optional<String> part(
      Function<TrialRow, OptionalDouble> figure, double usedUp, double all) {
    double above = mean(failed, figure) / all;
    double below = mean(held, figure) / all;
    return above >= usedUp
        ? Optional.of(percent(above) + (below > 0 ? " against " + percent(below) : ""))
        : Optional.empty();
  }

  private String processors(Function<TrialRow, OptionalDouble> figure) {
    double cores = mean(failed, figure);
    return Double.isNaN(cores) ? "unknown" : NumberFormats.fixed(cores, 2);
  }

  /** Returns the mean of those that are known; NaN if none is. */
  private static double mean(List<TrialRow> rows, Function<TrialRow, OptionalDouble> figure) {
    return rows.stream()
        .map(figure)
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }

  private static String percent(double part) {
    return NumberFormats.fixed(100 * part, 0) + " %";
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
