// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.ExperimentRun;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The values of a run, computed once for tables, page, plots, findings and exports.
 *
 * @param databases databases in the order of the columns
 * @param imports columns of imported runs of other tools
 */
public record RunFigures(
    ExperimentRun run, List<DatabaseFigures> databases, List<TotalFigures> imports) {
  public static RunFigures of(ExperimentRun run) {
    return new RunFigures(
        run,
        run.databases().stream().map(DatabaseFigures::of).toList(),
        run.imports().stream().map(TotalFigures::of).toList());
  }

  /** Returns the databases in the table. */
  public List<DatabaseFigures> compared() {
    return databases.stream().filter(each -> each.total().isPresent()).toList();
  }

  public List<TotalFigures> columns() {
    return Stream.concat(
            databases.stream().flatMap(each -> each.total().stream()), imports.stream())
        .toList();
  }

  /**
   * Returns why the run decides nothing, as a sentence; empty if it may be used. One disturbed
   * database is enough, as the others are compared with it.
   */
  public Optional<String> doNotUse() {
    List<String> reasons = databases.stream().flatMap(each -> each.disturbance().stream()).toList();
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of("Do not use this run: " + String.join("; ", reasons) + ".");
  }

  public boolean hasLimits() {
    return databases.stream().anyMatch(each -> !each.limits().isEmpty());
  }
}
