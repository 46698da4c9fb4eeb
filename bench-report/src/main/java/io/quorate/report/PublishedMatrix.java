// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.install.TemporaryDirectory;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.RunIndex;
import io.quorate.report.study.MatrixReport;
import io.quorate.report.study.MatrixResults;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixDirectory.CellRun;
import io.quorate.results.MatrixManifest;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A matrix of runs in a directory that is committed to Git. It has the plan, a compressed file with
 * all files of its runs that the report reads, and the report: the page, its text, and the values.
 *
 * @param directory its directory, which has the name of the matrix
 */
record PublishedMatrix(MatrixDirectory directory) implements Published {
  @Override
  public Path path() {
    return directory.path();
  }

  @Override
  public String origin() {
    return origin(directory.readManifest());
  }

  static String origin(MatrixManifest manifest) {
    return manifest.start().toString();
  }

  @Override
  public int logs() {
    return Published.logsIn(path().resolve(RunArchive.CELLS));
  }

  @Override
  public List<String> facts() {
    return List.of(SCENARIO, RunArchive.CELLS, name(directory.manifest()));
  }

  private RunArchive archive() {
    Path file = path().resolve(RunArchive.CELLS);
    RunArchive archive = RunArchive.read(file);
    if (!archive.directory().equals(MatrixDirectory.CELLS)) {
      throw new QuorateException(
          "%s: found %s, expected only files in %s"
              .formatted(
                  VisibleText.of(file.toString()), archive.directory(), MatrixDirectory.CELLS));
    }
    return archive;
  }

  /**
   * Unpacks the matrix and removes the unpacked files afterwards.
   *
   * @param use receives the directory of the matrix, whose files exist until it returns
   * @throws QuorateException if a file cannot be read
   */
  <T> T read(Function<MatrixDirectory, T> use) {
    RunArchive archive = archive();
    // an unreadable plan is named before it is copied
    directory.readManifest();
    try (TemporaryDirectory unpacked = TemporaryDirectory.create()) {
      MatrixDirectory copy = new MatrixDirectory(unpacked.path());
      archive.unpack(copy.path());
      Files.copy(directory.manifest(), copy.manifest());
      databases(copy).forEach(FewerSamples::interpolate);
      return use.apply(copy);
    } catch (IOException impossible) {
      throw FileFailure.exception(directory + ": cannot be unpacked", impossible);
    }
  }

  private static Stream<DatabaseDirectory> databases(MatrixDirectory matrix) {
    return matrix.lastRuns().stream()
        .flatMap(each -> each.last().stream())
        .flatMap(run -> run.databases().stream());
  }

  @Override
  public List<String> problemsOfRuns() {
    List<String> problems = new ArrayList<>(read(PublishedMatrix::problems));
    Set<String> runs = directory.lastRuns().stream().map(CellRun::path).collect(Collectors.toSet());
    archive().files().keySet().stream()
        .filter(file -> !runs.contains(file.replaceFirst("^([^/]*/[^/]*)/.*", "$1")))
        .forEach(
            file -> problems.add(RunArchive.CELLS + ": " + file + " does not belong to a run"));
    return problems;
  }

  /** Returns why a matrix cannot be published; empty if it can. */
  static List<String> problems(MatrixDirectory matrix) {
    List<String> problems = new ArrayList<>();
    for (CellRun each : matrix.lastRuns()) {
      each.last()
          .map(PublishedMatrix::problems)
          .orElse(List.of("is missing"))
          .forEach(why -> problems.add(each.name() + ": " + why));
    }
    return problems;
  }

  private static List<String> problems(RunDirectory run) {
    try {
      return RunFacts.problems(ExperimentRun.read(run.path()));
    } catch (QuorateException unreadable) {
      return List.of(unreadable.getMessage());
    }
  }

  @Override
  public void render(Path target, OutputFiles files) {
    read(
        matrix -> {
          List<Manifest> runs =
              databases(matrix).map(database -> Manifest.read(database.manifest())).toList();
          new MatrixReport(MatrixResults.read(matrix))
              .addPublished(new MatrixDirectory(target), runs, files);
          return files;
        });
  }

  @Override
  public RunIndex.Part index() {
    String name = path().getFileName().toString();
    return read(
        matrix -> {
          Map<MatrixManifest.Cell, List<RunIndex.Run>> cells = new LinkedHashMap<>();
          for (CellRun each : matrix.lastRuns()) {
            each.last()
                .map(run -> RunFigures.of(ExperimentRun.read(run.path())))
                .ifPresent(
                    run ->
                        cells
                            .computeIfAbsent(each.cell(), any -> new ArrayList<>())
                            .add(new RunIndex.Run(name, run)));
          }
          return new RunIndex.Matrix(name, matrix.readManifest(), cells);
        });
  }
}
