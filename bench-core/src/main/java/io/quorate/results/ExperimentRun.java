// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.Problems;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The content of the files of one run of a scenario.
 *
 * @param databases databases in the order of the scenario, each with a separate heading; empty with
 *     only imported runs, or after a kill before the first manifest
 * @param imports imported runs of other tools, by name
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

  /**
   * Returns whether capacities were searched, so that the steps of its databases only prepare the
   * search.
   */
  public boolean isSearch() {
    return databases.stream().anyMatch(each -> !each.searches().isEmpty());
  }

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

  /**
   * Gives each column of a run a separate heading. Columns of the same store and version are
   * distinguished by their different settings, otherwise by their names in the scenario.
   */
  static final class ColumnHeadings {
    private final List<DatabaseRun> databases;
    private final Set<String> taken;

    ColumnHeadings(List<DatabaseRun> databases, List<ImportedRun> imports) {
      this.databases = List.copyOf(databases);
      this.taken =
          imports.stream().map(ImportedRun::tag).collect(Collectors.toCollection(HashSet::new));
    }

    List<DatabaseRun> unique() {
      Map<String, List<DatabaseRun>> groups =
          databases.stream().collect(Collectors.groupingBy(ColumnHeadings::tag));
      Set<String> shared = new HashSet<>(taken);
      groups.forEach(
          (tag, group) -> {
            if (group.size() > 1) {
              shared.add(tag);
            } else {
              taken.add(tag);
            }
          });
      return databases.stream()
          .map(
              each ->
                  shared.contains(tag(each))
                      ? renamed(each, groups.getOrDefault(tag(each), List.of()))
                      : each)
          .toList();
    }

    private DatabaseRun renamed(DatabaseRun database, List<DatabaseRun> group) {
      String bySettings = bySettings(database, group);
      long same = group.stream().filter(each -> bySettings(each, group).equals(bySettings)).count();
      String heading = same == 1 ? bySettings : database.manifest().store().id();
      String unique = heading;
      for (int number = 2; !taken.add(unique); number++) {
        unique = heading + "-" + number;
      }
      return database.withHeading(unique);
    }

    private static String bySettings(DatabaseRun database, List<DatabaseRun> group) {
      return settings(database).entrySet().stream()
          .filter(
              own ->
                  group.stream()
                      .anyMatch(each -> !own.getValue().equals(settings(each).get(own.getKey()))))
          .map(own -> "-" + own.getKey() + "-" + own.getValue())
          .collect(Collectors.joining("", tag(database), ""));
    }

    private static Map<String, String> settings(DatabaseRun database) {
      return database.manifest().store().settings();
    }

    private static String tag(DatabaseRun database) {
      return database.manifest().store().tag();
    }
  }
}
