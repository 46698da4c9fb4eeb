package io.quorate.report.plot;

import java.util.List;

/**
 * The plotted figures of a run.
 *
 * @param databases in their order
 * @param missing those that are not plotted and why, such as {@code consul (failed)}
 */
public record PlottedRun(List<PlottedDatabase> databases, List<String> missing) {
  public PlottedRun {
    databases = List.copyOf(databases);
    missing = List.copyOf(missing);
  }

  /** Returns whether requests were sent at a rate. */
  boolean isOpen() {
    return databases.stream()
        .flatMap(database -> database.steps().stream())
        .anyMatch(PlottedDatabase.Step::isOpen);
  }

  /** Returns whether there were watchers. */
  boolean isWatched() {
    return databases.stream().anyMatch(database -> !database.watches().isEmpty());
  }

  /** Returns the ink of each database. */
  List<Ink> inks() {
    return Ink.of(databases.stream().map(PlottedDatabase::id).toList());
  }
}
