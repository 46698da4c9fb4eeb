// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.report.export.Decimals;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision.Verdict;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The content of {@code comparison.json}, with its fields in their order: a comparison for
 * programs.
 *
 * @param differences conditions that are not the same on both sides
 */
@FormatVersion(1)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record ComparisonFile(
    String baseline,
    String candidate,
    List<ChangeEntry> changes,
    List<GateResult> gate,
    List<String> differences,
    List<String> warnings) {
  /**
   * A change.
   *
   * @param unit unit of the values; empty for a count
   * @param baseline values of the runs, ascending
   * @param candidate values of the runs, ascending
   * @param isBound whether some of the values are lower bounds, as an outage did not end: present
   *     if true, and then without change, interval and p
   * @param isRatio whether change and interval are ratios minus 1, or differences in the unit
   * @param band A/A band, as the change
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record ChangeEntry(
      String database,
      String group,
      OptionalInt step,
      Optional<String> operation,
      String metric,
      String unit,
      List<BigDecimal> baseline,
      List<BigDecimal> candidate,
      Optional<Boolean> isBound,
      Optional<Boolean> isRatio,
      Optional<BigDecimal> change,
      List<BigDecimal> interval,
      Optional<BigDecimal> p,
      Optional<BigDecimal> band,
      Verdict verdict) {
    static ChangeEntry of(RowChange change) {
      Optional<Change> found =
          Optional.of(change.change()).filter(each -> each.hasInterval() && !each.isBound());
      return new ChangeEntry(
          change.database(),
          change.row().group(),
          change.row().step(),
          change.row().operation(),
          change.metric().id(),
          change.metric().unit(),
          decimals(change.baseline().values()),
          decimals(change.candidate().values()),
          Optional.of(change.change().isBound()).filter(bound -> bound),
          found.map(Change::isRatio),
          found.map(each -> Decimals.significant(each.estimate())),
          found.map(each -> decimals(each.low(), each.high())).orElse(List.of()),
          found.map(each -> Decimals.significant(each.p())),
          change.asked().band().isPresent()
              ? Optional.of(Decimals.significant(change.asked().band().getAsDouble()))
              : Optional.empty(),
          change.verdict());
    }
  }

  static String text(Comparison comparison, List<String> warnings, List<GateResult> gate) {
    return StrictJson.text(
        new ComparisonFile(
            comparison.baseline().name(),
            comparison.candidate().name(),
            comparison.changes().stream().map(ChangeEntry::of).toList(),
            gate,
            comparison.differences().stream().map(Object::toString).toList(),
            warnings));
  }

  private static List<BigDecimal> decimals(double... values) {
    return Arrays.stream(values).mapToObj(Decimals::significant).toList();
  }
}
