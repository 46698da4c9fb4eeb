// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.report.compare.Agreement;
import io.quorate.report.compare.Condition;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.Page;
import io.quorate.report.page.RunIndex;
import io.quorate.report.plot.draw.Card;
import io.quorate.report.study.MatrixReport;
import io.quorate.report.study.MatrixResults;
import io.quorate.report.table.RowLabels;
import io.quorate.results.Canary;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.Errata;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixDirectory.CellRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.RunStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A run or a matrix of runs in a directory that is committed to Git, {@code
 * results/<machine>/<date>/<name>}: its archive, and the report that is rendered from the archive
 * alone.
 *
 * @param path its directory
 * @param files directory with the content of the archive
 * @param repeats such directories of the runs of the same scenario that are published next to it,
 *     its own included
 */
record PublishedRun(Path path, Path files, List<Path> repeats) {
  static final String SCENARIO = "scenario.yaml";

  /** The page of a matrix says which of its runs failed, such as those of too much data. */
  private static final Set<RunStatus> OF_CELLS = EnumSet.of(RunStatus.COMPLETE, RunStatus.FAILED);

  /**
   * Returns why it cannot be published; empty if it can.
   *
   * @throws QuorateException if the plan of a matrix or a manifest of a run cannot be read
   */
  List<String> problems() {
    return MatrixDirectory.isAt(files)
        ? problems(new MatrixDirectory(files))
        : RunFacts.problems(ExperimentRun.read(files), Set.of(RunStatus.COMPLETE));
  }

  private static List<String> problems(MatrixDirectory matrix) {
    List<String> problems = new ArrayList<>();
    for (CellRun each : matrix.lastRuns()) {
      each.last()
          .map(run -> problems(run.path()))
          .orElse(List.of("is missing"))
          .forEach(why -> problems.add(each.name() + ": " + why));
    }
    if (problems.isEmpty()
        && matrix.lastRuns().stream()
            .map(each -> matrix.status(each.cell().id(), each.repeat()).orElseThrow())
            .allMatch(RunStatus.FAILED::equals)) {
      problems.add("has no complete run");
    }
    return problems;
  }

  private static List<String> problems(Path run) {
    try {
      return RunFacts.problems(ExperimentRun.read(run), OF_CELLS);
    } catch (QuorateException unreadable) {
      return List.of(unreadable.getMessage());
    }
  }

  /** Returns the directories in the archive of a matrix that are not of its runs. */
  List<String> others() {
    if (!MatrixDirectory.isAt(files)) {
      return List.of();
    }
    MatrixDirectory matrix = new MatrixDirectory(files);
    List<Path> runs =
        matrix.lastRuns().stream().map(run -> matrix.cells().resolve(run.path())).toList();
    return DatabaseDirectory.directories(matrix.cells()).stream()
        .flatMap(cell -> DatabaseDirectory.entries(cell).stream())
        .filter(run -> !runs.contains(run))
        .map(run -> matrix.path().relativize(run) + " does not belong to a run")
        .toList();
  }

  /** Writes the report again, and returns its files. */
  OutputFiles written() {
    OutputFiles rendered = rendered();
    rendered.write();
    return rendered;
  }

  OutputFiles rendered() {
    OutputFiles rendered = new OutputFiles(path);
    render(rendered);
    return rendered;
  }

  void render(OutputFiles rendered) {
    if (MatrixDirectory.isAt(files)) {
      MatrixDirectory matrix = new MatrixDirectory(files);
      rendered.add(path.resolve(SCENARIO), matrix.readManifest().text());
      new MatrixReport(MatrixResults.read(matrix))
          .addPublished(new MatrixDirectory(path), rendered);
    } else {
      ExperimentRun run = ExperimentRun.read(files);
      run.databases().stream()
          .findFirst()
          .map(database -> database.manifest().scenario().text())
          .ifPresent(text -> rendered.add(path.resolve(SCENARIO), text));
      new RunReport(figures(run), RowLabels.LATER).addPublished(new RunDirectory(path), rendered);
    }
  }

  /** Returns the values of a run, with those of its repeats if they measured the same servers. */
  RunFigures figures(ExperimentRun run) {
    List<RunFigures> all =
        repeats.stream()
            .flatMap(each -> PublishedRuns.readable(() -> ExperimentRun.read(each)).stream())
            .filter(each -> conditions(each).equals(conditions(run)))
            .map(RunFigures::of)
            .filter(each -> each.doNotUse().isEmpty())
            .toList();
    return RunFigures.of(run).withRepeats(all.size() > 1 ? all : List.of());
  }

  private static List<Object> conditions(ExperimentRun run) {
    return run.databases().stream()
        .map(DatabaseRun::manifest)
        .map(
            each ->
                (Object)
                    List.of(each.store().tag(), each.store().settings(), Condition.ofOptions(each)))
        .toList();
  }

  /**
   * Returns its part of the index of all that was published together.
   *
   * @param agreements how later runs repeated it
   */
  RunIndex.Part index(List<Agreement> agreements) {
    String name = String.valueOf(path.getFileName());
    List<Page.Link> remarks = new ArrayList<>();
    if (Errata.withdrawal(path).isPresent()) {
      remarks.add(new Page.Link("withdrawn", "../../ERRATA.md"));
    }
    for (Agreement each : agreements) {
      String place = each.machine() + "/" + each.date() + "/" + each.run();
      remarks.add(
          new Page.Link(
              "repeated by %s on %s: %s".formatted(each.machine(), each.date(), each.counts()),
              "../../" + place + "/index.html"));
    }
    Canary.read(files).forEach(each -> remarks.add(new Page.Link("canary: " + each, "")));
    boolean picture = Files.exists(path.resolve(Card.FILE));
    return MatrixDirectory.isAt(files)
        ? ofMatrix(name, new MatrixDirectory(files), remarks, picture)
        : new RunIndex.Run(name, figures(ExperimentRun.read(files)), remarks, picture);
  }

  private static RunIndex.Part ofMatrix(
      String name, MatrixDirectory matrix, List<Page.Link> remarks, boolean picture) {
    Optional<RunIndex.Run> first =
        matrix.lastRuns().stream()
            .flatMap(each -> each.last().stream())
            .findFirst()
            .map(
                run ->
                    new RunIndex.Run(
                        name, RunFigures.of(ExperimentRun.read(run.path())), remarks, picture));
    return new RunIndex.Matrix(name, matrix.readManifest(), first, remarks, picture);
  }
}
