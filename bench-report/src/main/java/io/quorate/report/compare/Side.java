// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.Problems;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.Errata;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixDirectory.CellRun;
import io.quorate.results.MatrixManifest;
import io.quorate.results.OpenRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The baseline or a candidate of a comparison.
 *
 * @param name the argument that named it
 * @param series runs by database or cell
 * @param leftOut runs that are not compared
 */
public record Side(String name, List<Series> series, List<LeftOut> leftOut) {
  /**
   * A run that is not compared.
   *
   * @param key key of the series that it would belong to
   * @param text why it is not compared, a sentence
   */
  public record LeftOut(String key, String text) {}

  /**
   * Reads the runs of an argument: the directory of a run, of a matrix or of repeats, published or
   * not, or a directory with such directories. {@code :DATABASE} after it selects a column by its
   * id or heading.
   *
   * @throws QuorateException if nothing can be compared, or with all files that cannot be read
   */
  public static Side read(String argument, OpenRuns opened) {
    Path path = Path.of(argument);
    Optional<String> column = Optional.empty();
    int colon = argument.lastIndexOf(':');
    if (!Files.exists(path) && colon > 0) {
      path = Path.of(argument.substring(0, colon));
      column = Optional.of(argument.substring(colon + 1));
    }
    if (!Files.isDirectory(path)) {
      throw new QuorateException(
          VisibleText.of(path.toString())
              + ": is not a directory. Pass the directory of a run, or one with several runs");
    }
    Reader reader = new Reader(column, opened);
    reader.read(path, 1);
    reader.problems.throwIfAny();
    List<Series> series = new ArrayList<>();
    reader.runs.forEach((key, runs) -> series.add(new Series(key, runs)));
    if (series.isEmpty()) {
      throw new QuorateException(
          "%s: found no complete, readable run%s, expected one or more.%s"
              .formatted(
                  VisibleText.of(argument),
                  column.map(name -> " of " + VisibleText.quoted(name)).orElse(""),
                  reader.leftOut.stream()
                      .map(each -> " " + each.text())
                      .collect(Collectors.joining())));
    }
    return new Side(argument, series, reader.leftOut);
  }

  /**
   * Returns the odd, or the even, runs of each series.
   *
   * @throws QuorateException if a series has one run only
   */
  Side half(boolean odd) {
    series.stream()
        .filter(each -> each.runs().size() < 2)
        .findFirst()
        .ifPresent(
            each -> {
              throw new QuorateException(
                  "%s: found one run of %s, expected two or more, which are compared with each other. Name a second directory, or repeat the run with --repeats"
                      .formatted(VisibleText.of(name), VisibleText.of(each.key())));
            });
    return new Side(
        name + (odd ? ", odd runs" : ", even runs"),
        series.stream().map(each -> each.half(odd)).toList(),
        leftOut);
  }

  /**
   * Returns this baseline without runs that are also in a candidate.
   *
   * @throws QuorateException if none is left
   */
  Side without(Side candidate) {
    List<Series> left =
        series.stream()
            .map(
                each ->
                    candidate.series.stream().reduce(each, Series::without, (one, other) -> other))
            .filter(each -> !each.runs().isEmpty())
            .toList();
    if (left.isEmpty()) {
      throw new QuorateException(
          "%s has the same runs as %s. Without a candidate, its odd runs are compared with its even ones"
              .formatted(VisibleText.of(name), VisibleText.of(candidate.name)));
    }
    return new Side(name, left, leftOut);
  }

  private static final class Reader {
    private static final int MAX_DEPTH = 3;

    /** More pairs than a sequential comparison may have. */
    private static final int MAX_PAIRS = 1000;

    private final Optional<String> column;
    private final OpenRuns opened;
    private final Map<String, List<RunValues>> runs = new LinkedHashMap<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final Problems problems = new Problems();
    private int sequences;

    private Reader(Optional<String> column, OpenRuns opened) {
      this.column = column;
      this.opened = opened;
    }

    private void read(Path path, int depth) {
      Optional<String> withdrawn = Errata.withdrawal(path);
      if (withdrawn.isPresent()) {
        leftOut.add(new LeftOut("", withdrawn.get()));
      } else if (OpenRuns.isRun(path)) {
        problems.attempt(() -> readFiles(opened.files(path)));
      } else if (depth < MAX_DEPTH) {
        DatabaseDirectory.directories(path).forEach(each -> read(each, depth + 1));
      }
    }

    private void readFiles(Path files) {
      if (!MatrixDirectory.isAt(files)) {
        readRun(files, Optional.empty(), 0);
        return;
      }
      MatrixDirectory matrix = new MatrixDirectory(files);
      MatrixManifest manifest = matrix.readManifest();
      sequences++;
      for (CellRun each : matrix.lastRuns()) {
        Optional<String> label =
            Optional.of(each.cell().label()).filter(any -> manifest.axes().size() > 1);
        int pair = manifest.isSequential() ? MAX_PAIRS * sequences + each.repeat() : 0;
        each.last()
            .filter(run -> !run.databases().isEmpty())
            .ifPresent(run -> readRun(run.path(), label, pair));
      }
    }

    private void readRun(Path path, Optional<String> cell, int pair) {
      for (DatabaseRun run : ExperimentRun.read(path).databases()) {
        String id = run.manifest().store().id();
        if (column.isPresent()
            && !column.get().equals(id)
            && !column.get().equals(run.manifest().store().tag())) {
          continue;
        }
        if (!run.searches().isEmpty()) {
          leftOut.add(
              new LeftOut(
                  cell.orElse(id),
                  opened.named(
                      "%s is a search for a capacity, whose trials are not compared."
                          .formatted(VisibleText.of(run.directory().toString())))));
          continue;
        }
        boolean measured = run.manifest().status().isMeasured() && run.clients().isPresent();
        if (!measured || !run.unreadable().isEmpty()) {
          leftOut.add(
              new LeftOut(
                  cell.orElse(id),
                  opened.named(
                      run.unreadable().size() > 0
                          ? "%s is unreadable (%s)."
                              .formatted(
                                  VisibleText.of(run.directory().toString()),
                                  VisibleText.of(run.unreadable().get(0).problem()))
                          : "%s is not complete (%s)."
                              .formatted(
                                  VisibleText.of(run.directory().toString()),
                                  run.manifest().status().text()))));
          continue;
        }
        runs.computeIfAbsent(cell.orElse(id), any -> new ArrayList<>())
            .add(RunValues.of(DatabaseFigures.of(run)).inPair(pair));
      }
    }
  }
}
