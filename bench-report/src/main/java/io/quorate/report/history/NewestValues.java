// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.report.export.Decimals;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The values of a series in the newest run of its scenario, or in all repeats of the newest matrix.
 *
 * @param newest newest line of these values
 * @param values one value or more
 */
record NewestValues(RunSeries series, HistoryEntry newest, Sample values) {
  /** Returns the values of all series that the newest run or matrix of their scenario has. */
  static List<NewestValues> of(RunHistory history) {
    Map<String, Instant> starts = new HashMap<>();
    history.entries().forEach(entry -> starts.put(entry.scenario(), entry.runStart()));
    return history.series().stream()
        .flatMap(
            series -> of(series, Objects.requireNonNull(starts.get(series.scenario()))).stream())
        .toList();
  }

  private static Optional<NewestValues> of(RunSeries series, Instant start) {
    List<HistoryEntry> runs =
        series.entries().stream().filter(each -> each.runStart().equals(start)).toList();
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new NewestValues(
                series,
                runs.get(runs.size() - 1),
                new Sample(
                    Kind.of(series.metric()),
                    runs.stream()
                        .mapToDouble(run -> series.valueOf(run).orElseThrow())
                        .toArray())));
  }

  int count() {
    return values.count();
  }

  BigDecimal median() {
    return Decimals.significant(values.median());
  }

  /** Returns the lowest value; empty if there is one only. */
  Optional<BigDecimal> lowest() {
    return count() > 1 ? Optional.of(Decimals.significant(values.least())) : Optional.empty();
  }

  /** Returns the highest value; empty if there is one only. */
  Optional<BigDecimal> highest() {
    return lowest().map(any -> Decimals.significant(values.greatest()));
  }
}
