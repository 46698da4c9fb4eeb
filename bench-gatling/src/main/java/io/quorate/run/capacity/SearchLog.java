// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import io.quorate.capacity.SearchResult;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.scenario.SloLimit;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Writes what a capacity search finds to its journal, and prints a line about it. The report puts
 * the outcome into sentences.
 */
record SearchLog(TrialsJournal journal, String unit, Consumer<String> say) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int PERCENT = 100;

  /**
   * Begins the journal.
   *
   * @param known number of trials of an earlier run that are reused
   */
  static SearchLog begin(
      DatabaseDirectory directory, SearchRecord.Header header, int known, Consumer<String> say) {
    String unit = header.ofClients() ? " clients" : "/s";
    say.accept(
        format(
            "capacity search: %s, starting at %,d%s%s",
            header.limits().stream().map(SloLimit::toString).collect(Collectors.joining(" and ")),
            header.start(),
            unit,
            known == 0 ? "" : format("; %d trials are reused", known)));
    return new SearchLog(TrialsJournal.begin(directory, header), unit, say);
  }

  void add(TrialRow row) {
    journal.add(row);
    StringBuilder line =
        new StringBuilder(
            format(
                "trial %d  %-8s %,d%s for %d s: %s",
                row.number(),
                row.stage().id(),
                row.load(),
                unit,
                row.measuredSeconds(),
                row.verdict().words()));
    if (row.remark().isPresent()) {
      line.append(" (").append(row.remark().get()).append(')');
    } else {
      row.latencies()
          .p99Nanos()
          .ifPresent(
              nanos ->
                  line.append(", p99 ")
                      .append(NumberFormats.milliseconds(nanos / NANOS_PER_MILLI)));
      line.append(format(", %.2f%% violate a threshold", PERCENT * row.violatingPart()));
    }
    say.accept(line.toString());
  }

  void add(SearchResult conclusion) {
    journal.add(conclusion);
    say.accept("capacity search: " + NumberFormats.count(conclusion.trials(), "trial"));
  }

  void add(OverloadRecovery recovery) {
    journal.add(recovery);
    say.accept(recovery.text());
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
