// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.CsvText;
import io.quorate.format.Problems;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.format.Unreadable;
import io.quorate.report.export.JunitXml;
import io.quorate.report.export.JunitXml.TestCase;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Footnotes;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.SizePrediction;
import io.quorate.results.manifest.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The results of all cells of a matrix.
 *
 * @param cells cells in the order of the plan
 * @param predictions values that were predicted before they were measured
 * @param limits limits of the scenario for each run
 * @param brokenLimits broken limits of the scenario and broken guarantees, a line for each
 * @param undecided limits that only the load generator broke, and runs in which fewer faults took
 *     effect than planned, a line for each
 * @param unreadable unreadable files, a line for each
 */
public record MatrixResults(
    MatrixManifest manifest,
    List<CellResult> cells,
    List<SizePrediction> predictions,
    List<TestCase> limits,
    List<String> brokenLimits,
    List<String> undecided,
    List<String> unreadable) {
  /**
   * Reads the files of a matrix.
   *
   * @throws QuorateException with all files that cannot be read
   */
  public static MatrixResults read(MatrixDirectory directory) {
    MatrixManifest manifest = directory.readManifest();
    Problems problems = new Problems();
    MatrixResults results =
        new MatrixResults(
            manifest,
            new ArrayList<>(),
            SizePrediction.read(directory),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (Cell cell : manifest.cells()) {
      problems.attempt(() -> results.cells.add(results.read(directory, cell)));
    }
    problems.throwIfAny();
    return results;
  }

  String csv() {
    List<String> header = new ArrayList<>(List.of("CELL"));
    manifest.axes().forEach(axis -> header.add(axis.toUpperCase(Locale.ROOT)));
    header.addAll(List.of("REPEAT", "REQUESTS", "ERRORS", "REQUESTS-PER-SECOND"));
    header.addAll(List.of("MEAN-MS", "FASTEST-MS", "P50-MS", "P99-MS"));
    CsvText csv = new CsvText().row(header.toArray(String[]::new));
    for (CellResult cell : cells) {
      for (RepeatFigures run : cell.runs()) {
        List<String> row = new ArrayList<>(List.of(cell.cell().id()));
        manifest.axes().forEach(axis -> row.add(cell.coordinates().getOrDefault(axis, "")));
        List.of(run.repeat(), run.requests(), run.errors()).forEach(each -> row.add("" + each));
        List.of(run.requestsPerSecond(), run.meanMs(), run.fastestMs(), run.p50Ms(), run.p99Ms())
            .forEach(each -> row.add("" + each));
        csv.row(row.toArray(String[]::new));
      }
    }
    return csv.toString();
  }

  /** The content of {@code matrix-result.json}, with its fields in their order. */
  @FormatVersion(1)
  private record Json(
      String name,
      String title,
      Instant start,
      double scale,
      int repeats,
      List<String> axes,
      List<CellResult> cells,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SizePrediction> predictions) {}

  public String json() {
    return StrictJson.text(
        new Json(
            manifest.name(),
            manifest.title(),
            manifest.start(),
            manifest.scale(),
            manifest.repeats(),
            manifest.axes(),
            cells,
            predictions));
  }

  /** Reads the runs of a cell, and adds their limits. */
  private CellResult read(MatrixDirectory directory, Cell cell) {
    int repeats = manifest.repeats();
    List<RepeatFigures> runs = new ArrayList<>();
    List<String> troubles = new ArrayList<>();
    Optional<CellInfo> facts = Optional.empty();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      List<DatabaseFigures> last =
          directory
              .lastRun(cell.id(), repeat)
              .map(
                  database ->
                      ExperimentRun.read(Objects.requireNonNull(database.path().getParent())))
              .map(read -> RunFigures.of(read).databases())
              .orElse(List.of());
      Footnotes.brokenLimits(last).forEach(each -> brokenLimits.add(cell.id() + ": " + each));
      Footnotes.undecidedLimits(last).forEach(each -> undecided.add(cell.id() + ": " + each));
      last.stream()
          .flatMap(each -> each.run().unreadable().stream())
          .forEach(each -> unreadable.add(cell.id() + ": " + each.text()));
      last.stream()
          .flatMap(database -> database.outages().stream())
          .filter(each -> each.violated() || each.undecided())
          .forEach(
              each ->
                  (each.violated() ? brokenLimits : undecided).add(cell.id() + ": " + each.card()));
      int number = repeat;
      String group =
          manifest.name() + "." + cell.label() + (repeats > 1 ? ", repeat " + number : "");
      last.forEach(database -> limits.addAll(JunitXml.limits(group, database)));
      Optional<DatabaseRun> run = last.stream().map(DatabaseFigures::run).findFirst();
      Optional<RepeatFigures> figures =
          last.stream().findFirst().flatMap(each -> RepeatFigures.of(number, each));
      if (figures.isPresent()) {
        facts = facts.or(() -> run.map(CellInfo::of));
        runs.add(figures.get());
      }
      if (figures.filter(RepeatFigures::isWhole).isEmpty()) {
        troubles.add(trouble(cell, repeat, repeats, run));
      }
    }
    return new CellResult(cell, facts, runs, troubles);
  }

  private static String trouble(Cell cell, int repeat, int repeats, Optional<DatabaseRun> run) {
    String which = cell.id() + (repeats > 1 ? ", repeat " + repeat : "");
    Optional<String> unreadable =
        run.flatMap(each -> each.unreadable().stream().findFirst()).map(Unreadable::problem);
    String how =
        run.map(DatabaseRun::manifest)
            .map(
                manifest ->
                    manifest.status() == RunStatus.COMPLETE
                        ? "no request succeeded"
                        : manifest.statusText()
                            + manifest.reason().map(reason -> ": " + reason).orElse(""))
            .orElse("was not run");
    return VisibleText.of(which + ": " + unreadable.orElse(how));
  }
}
