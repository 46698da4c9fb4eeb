// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Family.Limits;
import io.quorate.results.OpenRuns;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a later run of the same scenario agrees with a published one: an element of {@code
 * reproduced-by.json} in its directory.
 *
 * @param machine name of the machine of the later run
 * @param date day of the later run
 * @param run name of its directory
 * @param counts numbers of verdicts in words
 * @param differences conditions that differ, such as the CPU
 * @param values changes from the published to the later run
 */
public record Agreement(
    String machine,
    String date,
    String run,
    String counts,
    List<String> differences,
    List<Value> values) {
  /**
   * The change of a value.
   *
   * @param verdict word of the comparison: {@code same}, {@code slower}
   */
  public record Value(
      String database,
      String group,
      String metric,
      String published,
      String repeated,
      String change,
      String verdict) {}

  /**
   * Compares a published run with another one.
   *
   * @return empty unless the other one is later, has the same load, versions and settings, and has
   *     values that are compared
   */
  public static Optional<Agreement> of(Path published, Path later, OpenRuns runs) {
    Side before = Side.read(published.toString(), runs);
    Side after = Side.read(later.toString(), runs);
    if (!identity(before).equals(identity(after)) || !start(before).isBefore(start(after))) {
      return Optional.empty();
    }
    Comparison comparison = Comparison.of(before, after, Optional.empty(), Limits.USUAL);
    List<Value> values =
        comparison.changes().stream()
            .filter(each -> !each.metric().isDerived())
            .filter(each -> each.verdict() != Verdict.NOT_MEASURED)
            .map(Agreement::value)
            .toList();
    Path place = later.toAbsolutePath().normalize();
    int last = place.getNameCount() - 1;
    return Optional.of(
            new Agreement(
                place.getName(last - 2).toString(),
                place.getName(last - 1).toString(),
                place.getName(last).toString(),
                comparison.counts(),
                comparison.differences().stream().map(Comparison.Difference::toString).toList(),
                values))
        .filter(any -> !values.isEmpty());
  }

  private static Value value(RowChange change) {
    return new Value(
        change.database(),
        change.row().group(),
        change.metric().id(),
        change.text(change.baseline()),
        change.text(change.candidate()),
        change.changeText(),
        change.verdictText());
  }

  private static Map<String, List<Object>> identity(Side side) {
    Map<String, List<Object>> identity = new TreeMap<>();
    for (Series each : side.series()) {
      Map<String, Object> load = new TreeMap<>();
      Condition.ofLoad().forEach(name -> load.put(name, each.conditions(name)));
      identity.put(each.key(), List.of(each.titles(), load));
    }
    return identity;
  }

  private static Instant start(Side side) {
    return side.series().stream()
        .flatMap(each -> each.runs().stream())
        .map(RunValues::start)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }
}
