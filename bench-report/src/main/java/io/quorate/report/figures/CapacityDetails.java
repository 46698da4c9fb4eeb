// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.format.NumberFormats;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.CapacityGoal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The spread of the trials of a capacity search, the recovery after it, and its limitations.
 *
 * @param unit unit of its loads, such as {@code " writes/s"}
 */
record CapacityDetails(SearchRecord search, String unit) {
  private static final int NANO_DIGITS = 9;
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  List<String> all() {
    List<String> details = new ArrayList<>();
    Optional<SearchResult> end = search.conclusion();
    CapacityStatement.unit(search)
        .flatMap(known -> end.flatMap(found -> range(known, found)))
        .ifPresent(details::add);
    end.flatMap(SearchResult::holds)
        .filter(bound -> bound.passed() > 0)
        .ifPresent(bound -> spread(bound).ifPresent(details::add));
    end.flatMap(SearchResult::fails).ifPresent(bound -> spread(bound).ifPresent(details::add));
    search.recovery().map(OverloadRecovery::text).ifPresent(details::add);
    standstills().ifPresent(details::add);
    details.addAll(invalid());
    end.filter(SearchResult::isKnown)
        .filter(found -> found.holds().orElseThrow().passed() > 0)
        .ifPresent(found -> precision(found, details));
    return details;
  }

  /** Returns how many trials were invalid; empty if none were. */
  List<String> invalid() {
    long spoiled = search.trials().stream().filter(TrialRow::isSpoiled).count();
    return spoiled == 0
        ? List.of()
        : List.of(
            "%d of %d trials were invalid because of the load generator or other processes, and repeated"
                .formatted(spoiled, search.trials().size()));
  }

  private void precision(SearchResult end, List<String> details) {
    boolean quick = search.header().isQuick();
    List<TrialRow> held = search.deciding(end.holds().orElseThrow().load());
    if (CapacityStatement.upTo(search, end).isPresent()) {
      details.add(
          "the trials that decided had up to %s requests, and differ too much to be accurate to %s"
              .formatted(
                  NumberFormats.commas(
                      held.stream().mapToLong(CapacityDetails::requests).max().orElse(0)),
                  quick ? "10%" : "5%"));
    } else if (quick && end.outcome() == Outcome.FOUND && !search.header().ofClients()) {
      details.add("a quick search, accurate to 10%");
    }
    int seconds = held.stream().mapToInt(TrialRow::measuredSeconds).sum();
    details.add(
        "pauses of the database that are rarer than one in %s s may be missed, as the load that held was measured for so long"
            .formatted(NumberFormats.commas(seconds)));
  }

  private static long requests(TrialRow row) {
    return Math.round(row.intendedPerSecond() * row.measuredSeconds());
  }

  private static Optional<String> range(CapacityGoal.Unit unit, SearchResult end) {
    boolean open = CapacityStatement.isOpen(end);
    return end.holds()
        .filter(low -> end.isKnown() && low.passed() > 0)
        .filter(any -> open || end.fails().isPresent())
        .map(low -> NumberFormats.count(unit.count(low.load()), unit.name()))
        .map(
            low ->
                "it serves %s, each with one request in %s s"
                    .formatted(
                        open
                            ? "at least " + low
                            : low
                                + ", and not "
                                + NumberFormats.commas(
                                    unit.count(end.fails().orElseThrow().load())),
                        BigDecimal.valueOf(unit.every().toNanos(), NANO_DIGITS)
                            .round(FOUR_DIGITS)
                            .stripTrailingZeros()
                            .toPlainString()));
  }

  private Optional<String> spread(Bound bound) {
    List<TrialRow> rows = search.deciding(bound.load());
    return Bottleneck.spread(rows)
        .map(
            spread ->
                "the %s that decided about %s%s had a p99 of %s"
                    .formatted(
                        rows.size() == 1 ? "trial" : rows.size() + " trials",
                        NumberFormats.commas(bound.load()),
                        unit,
                        spread));
  }

  private Optional<String> standstills() {
    Optional<Bound> holds = search.conclusion().flatMap(SearchResult::holds);
    List<TrialRow> last =
        holds.stream().flatMap(bound -> search.deciding(bound.load()).stream()).toList();
    if (last.isEmpty()) {
      return Optional.empty();
    }
    if (last.stream().anyMatch(row -> row.servers().stalls().isEmpty())) {
      return Optional.of("whether a snapshot fell into its trials is not known");
    }
    long without = last.stream().filter(row -> row.servers().stalls().getAsInt() == 0).count();
    return without == 0
        ? Optional.empty()
        : Optional.of(
            without == last.size()
                ? "no snapshot was seen in the trials %s, so what one costs is not in this"
                    .formatted(holds.get().passed() > 0 ? "that held" : "at that load")
                : "in %d of the %d trials that decided about it no snapshot was seen"
                    .formatted(without, last.size()));
  }
}
