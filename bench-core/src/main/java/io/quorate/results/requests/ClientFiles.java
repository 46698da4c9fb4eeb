package io.quorate.results.requests;

import io.quorate.format.AtomicFile;
import io.quorate.format.CsvText;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.ClientFile;
import io.quorate.results.DatabaseDirectory;
import java.util.List;

/**
 * Writes the measurements of the clients: {@code requests.csv}, {@code errors.csv}, {@code
 * steps.csv} and {@code attempts.csv} by step and operation, {@code watch.csv} by step if there are
 * watchers, and the five files of the reference ({@link DbtesterExport}). {@code
 * src/site/markdown/results.md} defines every figure.
 */
public final class ClientFiles {
  private final DatabaseDirectory directory;

  public ClientFiles(DatabaseDirectory directory) {
    this.directory = directory;
  }

  /**
   * Replaces all files, each of them atomically; may be called at any time during a run with what
   * was measured so far, by one thread at a time. The summary comes last: if it is there, so are
   * the others.
   *
   * @param steps in their order, each with its operations in the order of the manifest
   */
  public void write(List<StepMeasurement> steps) {
    write(ClientFile.REQUESTS, RequestsCsv.text(steps));
    write(ClientFile.ERRORS, ErrorsCsv.text(steps));
    write(ClientFile.STEPS, StepsCsv.text(steps));
    if (steps.stream().anyMatch(step -> step.watch().isPresent())) {
      write(ClientFile.WATCH, WatchCsv.text(steps));
    }
    if (steps.stream().flatMap(step -> step.operations().stream()).anyMatch(ClientFiles::isTried)) {
      write(ClientFile.ATTEMPTS, AttemptsCsv.text(steps));
    }
    DbtesterExport.files(steps).forEach(this::write);
  }

  private static boolean isTried(OperationMeasurement operation) {
    return AttemptsCsv.isOf(operation.operation());
  }

  private void write(ClientFile file, CsvText text) {
    AtomicFile.write(directory.file(file), text.toString());
  }
}
