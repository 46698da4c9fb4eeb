// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.QuorateException;
import io.quorate.report.history.HistoryEntry.Identity;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The scenario or the matrix of a run. It comes from the files of the run, except its label, so
 * that it is the same in a copy of the directory.
 *
 * @param scenario name of the scenario or of the matrix
 * @param start when the first database of the run began, or the matrix
 * @param label scenario and directories, for display
 * @param cell cell of a matrix with several axes; otherwise empty
 */
record RunOrigin(String scenario, Instant start, String label, Optional<String> cell) {
  /**
   * Reads the origin of a run.
   *
   * @throws QuorateException if a manifest cannot be read, or there is none
   */
  static RunOrigin of(Path directory) {
    RunDirectory run = RunDirectory.open(directory);
    return matrix(run.path()).map(matrix -> ofCell(matrix, run)).orElseGet(() -> ofRun(run));
  }

  /** Returns the manifests of the databases of a run. */
  static List<Manifest> manifests(RunDirectory run) {
    return run.databases().stream().map(each -> Manifest.read(each.manifest())).toList();
  }

  private static RunOrigin ofRun(RunDirectory run) {
    List<Manifest> manifests = manifests(run);
    String scenario =
        manifests.stream()
            .map(each -> each.scenario().name())
            .findFirst()
            .orElseThrow(() -> new QuorateException(run + ": found no manifest of a database"));
    return new RunOrigin(
        scenario,
        manifests.stream().map(Manifest::start).min(Instant::compareTo).orElseThrow(),
        scenario + "/" + run.id(),
        Optional.empty());
  }

  private static RunOrigin ofCell(MatrixDirectory matrix, RunDirectory run) {
    MatrixManifest plan = matrix.readManifest();
    Path place = matrix.cells().relativize(run.path());
    return new RunOrigin(
        plan.name(),
        plan.start(),
        plan.name() + "/" + matrix.path().getFileName() + "/" + place,
        plan.cells().stream()
            .filter(any -> plan.axes().size() > 1)
            .filter(cell -> cell.id().equals(place.getName(0).toString()))
            .map(RunOrigin::name)
            .findFirst());
  }

  private static String name(Cell cell) {
    return cell.label().length() <= HistoryEntry.MAX_TEXT ? cell.label() : cell.id();
  }

  /** Returns the matrix of a run; empty if it belongs to none. */
  private static Optional<MatrixDirectory> matrix(Path run) {
    return Optional.ofNullable(run.getParent())
        .map(Path::getParent)
        .map(Path::getParent)
        .map(MatrixDirectory::new)
        .filter(matrix -> MatrixDirectory.isAt(matrix.path()))
        .filter(matrix -> run.startsWith(matrix.cells()));
  }

  /** Returns what identifies a database of the run in a history. */
  Identity identity(Manifest database) {
    return new Identity(scenario, database.start(), cell.orElse(database.store().id()));
  }
}
