// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.StrictJson;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.scenario.Matrix;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The directory of a matrix of runs, {@code results/<scenario>/<run>/}. Its cells are in {@code
 * cells/}: the scenario file of each, and a directory with its runs, {@code <cell>/<repeat>/}.
 * Repeated runs are {@code <repeat>-2}, and so on.
 *
 * @param path absolute path
 */
public record MatrixDirectory(Path path) {
  /**
   * Name of the directory of the cells, which has the structure of the directory of all results.
   */
  public static final String CELLS = "cells";

  private static final String MANIFEST = "matrix.json";
  private static final int MAX_ATTEMPTS = 1_000;
  private static final Pattern ATTEMPT = Pattern.compile("\\d{1,4}(-\\d+)?");

  public MatrixDirectory {
    path = path.toAbsolutePath().normalize();
  }

  public static boolean isAt(Path path) {
    return Files.isRegularFile(path.resolve(MANIFEST), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Creates the directory of a new matrix, with its plan and the scenario files of its cells.
   *
   * @param options options of its runs, by name
   */
  public static MatrixDirectory create(
      Path results, Matrix matrix, Instant start, Map<String, String> options) {
    RunDirectory run = RunDirectory.create(results, matrix.name(), matrix.scale(), start);
    MatrixDirectory directory = new MatrixDirectory(run.path());
    DatabaseDirectory.make(directory.cells());
    matrix
        .cells()
        .forEach(
            cell ->
                AtomicFile.write(
                    directory.scenario(cell.id()), cell.scenario().heading().source()));
    AtomicFile.write(
        directory.manifest(), StrictJson.text(MatrixManifest.of(matrix, start, options)));
    return directory;
  }

  /**
   * Returns the directory of an existing matrix.
   *
   * @throws QuorateException if there is none, or it is published, so that nothing is added to it
   */
  public static MatrixDirectory open(Path path) {
    if (!isAt(path)) {
      throw new QuorateException(
          path
              + (OpenRuns.isPublished(path)
                  ? ": is published, and nothing can be added to it"
                  : ": found no matrix.json, expected the directory of a matrix of runs"));
    }
    return new MatrixDirectory(path);
  }

  /**
   * Reads the plan. That of a sequential comparison has the repeats that were begun.
   *
   * @throws QuorateException with every problem of the file, by line and column
   */
  public MatrixManifest readManifest() {
    MatrixManifest plan = readPlan();
    return plan.isSequential() ? plan.withRepeats(Math.max(1, begun(plan))) : plan;
  }

  /** Reads the plan as it was written, with the greatest number of repeats. */
  public MatrixManifest readPlan() {
    return StrictJson.read(manifest(), MatrixManifest.class);
  }

  private int begun(MatrixManifest plan) {
    return (int)
        IntStream.rangeClosed(1, plan.repeats())
            .takeWhile(
                repeat ->
                    plan.cells().stream()
                        .anyMatch(cell -> lastAttempt(cell.id(), repeat).isPresent()))
            .count();
  }

  public Path manifest() {
    return path.resolve(MANIFEST);
  }

  public Path cells() {
    return path.resolve(CELLS);
  }

  public Path scenario(String cell) {
    return cells().resolve(cell + ".yaml");
  }

  /** Returns the runs of one repeat of a cell, in the order of their start. */
  public List<RunDirectory> attempts(String cell, int repeat) {
    return IntStream.rangeClosed(1, MAX_ATTEMPTS)
        .mapToObj(attempt -> attempt(cell, repeat, attempt))
        .takeWhile(run -> Files.isDirectory(run, LinkOption.NOFOLLOW_LINKS))
        .map(RunDirectory::new)
        .toList();
  }

  public RunDirectory nextAttempt(String cell, int repeat) {
    DatabaseDirectory.make(cells().resolve(cell));
    Path next = attempt(cell, repeat, attempts(cell, repeat).size() + 1);
    return new RunDirectory(DatabaseDirectory.make(next));
  }

  /** Returns {@code cell} and {@code repeat} of a run in a matrix; empty for another run. */
  public static Map<String, Object> placeOf(RunDirectory run) {
    if (!ATTEMPT.matcher(run.id()).matches() || !isAt(run.path().resolve("../../.."))) {
      return Map.of();
    }
    Map<String, Object> place = new LinkedHashMap<>();
    place.put("cell", run.path().getName(run.path().getNameCount() - 2).toString());
    place.put("repeat", Integer.valueOf(run.id().replaceFirst("-.*", "")));
    return place;
  }

  private Path attempt(String cell, int repeat, int attempt) {
    return cells().resolve(cell).resolve(attempt == 1 ? "" + repeat : repeat + "-" + attempt);
  }

  /**
   * Returns the directory of the database of the last run of a cell; empty if there is none, or
   * nothing was recorded.
   */
  public Optional<DatabaseDirectory> lastRun(String cell, int repeat) {
    return lastAttempt(cell, repeat).flatMap(run -> run.databases().stream().findFirst());
  }

  /** Returns the last run of one repeat of a cell; empty if it was not begun. */
  public Optional<RunDirectory> lastAttempt(String cell, int repeat) {
    return attempts(cell, repeat).stream().reduce((first, next) -> next);
  }

  /**
   * One of the runs of the plan.
   *
   * @param last its last attempt; empty if it was not begun
   */
  public record CellRun(MatrixManifest.Cell cell, int repeat, Optional<RunDirectory> last) {
    /** Returns its name in messages, such as {@code cell 001-etcd-put, run 2}. */
    public String name() {
      return "cell %s, run %d".formatted(cell.id(), repeat);
    }

    /** Returns the path below the cells that its first attempt has. */
    public String path() {
      return cell.id() + "/" + repeat;
    }
  }

  /** Returns the runs of the plan, by cell. */
  public List<CellRun> lastRuns() {
    MatrixManifest manifest = readManifest();
    return manifest.cells().stream()
        .flatMap(
            cell ->
                IntStream.rangeClosed(1, manifest.repeats())
                    .mapToObj(repeat -> new CellRun(cell, repeat, lastAttempt(cell.id(), repeat))))
        .toList();
  }

  /**
   * Returns how the last run of a cell ended; empty if it was not begun, or nothing was recorded.
   */
  public Optional<RunStatus> status(String cell, int repeat) {
    return lastRun(cell, repeat).map(run -> Manifest.read(run.manifest()).status());
  }

  /** Returns the file of a scenario that options described instead of a file. */
  public Path describedScenario() {
    return path.resolve("scenario.yaml");
  }

  public Path page() {
    return path.resolve("index.html");
  }

  public Path resultJson() {
    return path.resolve("matrix-result.json");
  }

  /** Returns the file of the limits of all runs, as JUnit's XML. */
  public Path junitXml() {
    return path.resolve("junit.xml");
  }

  public Path tableCsv() {
    return path.resolve("matrix.csv");
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
