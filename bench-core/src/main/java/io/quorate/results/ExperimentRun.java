package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.Problems;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The content of the files of one run of a scenario.
 *
 * @param databases in the order of the scenario, each with a heading of its own; none if there are
 *     only imported runs, or if the run was killed before its first manifest
 * @param imports runs that other tools made, by name
 */
public record ExperimentRun(
    RunDirectory directory, List<DatabaseRun> databases, List<ImportedRun> imports) {
  /**
   * Reads the directory of a run.
   *
   * @throws QuorateException with all files that cannot be read, each with file, line, what was
   *     found and what was expected
   */
  public static ExperimentRun read(Path path) {
    RunDirectory directory = RunDirectory.open(path);
    Problems problems = new Problems();
    List<DatabaseRun> databases =
        directory.databases().stream()
            .flatMap(each -> problems.attempt(() -> DatabaseRun.read(each.path())).stream())
            .sorted(Comparator.comparingInt(ExperimentRun::column))
            .toList();
    List<ImportedRun> imports =
        directory.imports().stream()
            .flatMap(each -> problems.attempt(() -> ImportedRun.read(each)).stream())
            .toList();
    problems.throwIfAny();
    if (databases.isEmpty() && imports.isEmpty() && directory.withoutManifest().isEmpty()) {
      throw new QuorateException(
          path + ": found no */manifest.json, expected the directory of a run");
    }
    return new ExperimentRun(directory, new ColumnHeadings(databases, imports).unique(), imports);
  }

  /** Returns whether capacities were searched, so that the steps of its databases are probes. */
  public boolean isSearch() {
    return databases.stream().anyMatch(each -> !each.searches().isEmpty());
  }

  /** Returns a one-line title of the run. */
  public String title() {
    if (databases.isEmpty() && imports.isEmpty()) {
      return "Run " + directory.id();
    }
    return databases.isEmpty()
        ? imports.stream()
            .flatMap(each -> each.title().stream())
            .findFirst()
            .orElse("Imported from " + ImportedRun.ORIGIN)
        : databases.get(0).manifest().scenario().title();
  }

  private static int column(DatabaseRun run) {
    int column = run.manifest().scenario().databases().indexOf(run.manifest().store().id());
    return column < 0 ? Integer.MAX_VALUE : column;
  }
}
