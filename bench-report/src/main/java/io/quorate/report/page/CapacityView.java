// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.findings.Phrases;
import io.quorate.report.plot.Strip;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of a search for a capacity: sentences, and a picture of its trials by load.
 *
 * @param strip axis of the load; empty without trials
 * @param trials trials in their order
 */
public record CapacityView(
    String headline,
    String gaveWay,
    List<String> details,
    List<Strip> strip,
    List<TrialDot> trials) {
  private static final double NANOS_PER_MS = 1e6;

  /**
   * A trial.
   *
   * @param place percentage of the width
   * @param lane number of trials of this load before it
   * @param verdict pass, fail, undecided or spoiled
   */
  public record TrialDot(double place, int lane, String verdict, String text) {}

  static CapacityView of(CapacityStatement statement, SearchRecord search) {
    List<TrialRow> rows = search.trials();
    List<Strip> strip =
        rows.isEmpty()
            ? List.of()
            : List.of(
                Strip.of(
                    new LogScale(),
                    rows.stream().mapToLong(TrialRow::load).min().getAsLong(),
                    rows.stream().mapToLong(TrialRow::load).max().getAsLong()));
    Map<Long, Integer> lanes = new HashMap<>();
    List<TrialDot> dots = new ArrayList<>();
    for (TrialRow row : rows) {
      dots.add(
          new TrialDot(
              strip.get(0).place(row.load()),
              lanes.merge(row.load(), 1, Integer::sum) - 1,
              row.verdict().id(),
              text(row, search.header().ofClients())));
    }
    return new CapacityView(
        VisibleText.of(statement.headline()),
        sentence(statement.gaveWay()),
        statement.details().stream().map(CapacityView::sentence).toList(),
        strip,
        dots);
  }

  /** Returns the number of rows of dots. */
  public int lanes() {
    return 1 + trials.stream().mapToInt(TrialDot::lane).max().orElse(0);
  }

  /** Returns a line about a trial: {@code trial 1: 2,250/s, 20 s, p99 67.3 ms: failed}. */
  private static String text(TrialRow row, boolean ofClients) {
    Optional<String> p99 =
        row.latencies().p99Nanos().stream()
            .mapToObj(
                nanos -> ", p99 %s ms".formatted(NumberFormats.threeDigits(nanos / NANOS_PER_MS)))
            .findFirst();
    return VisibleText.of(
        "trial %d: %s%s, %d s%s: %s%s"
            .formatted(
                row.number(),
                NumberFormats.commas(row.load()),
                ofClients ? " clients" : "/s",
                row.measuredSeconds(),
                p99.orElse(""),
                row.verdict().words(),
                row.remark().map(" (%s)"::formatted).orElse("")));
  }

  private static String sentence(String words) {
    return VisibleText.of(Phrases.capitalized(words)) + ".";
  }
}
