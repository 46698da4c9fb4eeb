// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.QuorateException;
import io.quorate.format.CsvFile;
import io.quorate.format.Problems;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.LoadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Writes the measurements of the clients while they run, and reads them: {@code seconds.csv},
 * {@code errors.csv} and {@code tenths.csv} as seconds pass, {@code steps.csv}, {@code
 * attempts.csv} and {@code watch.csv} when a step has ended. Rows are only appended. For one thread
 * at a time.
 */
public final class ClientFiles {
  private final Path directory;

  public ClientFiles(DatabaseDirectory directory) {
    this.directory = directory.path();
  }

  public List<Path> paths() {
    return Stream.of(
            SecondRow.FILE,
            ErrorRow.FILE,
            TenthRow.FILE,
            StepTimes.FILE,
            AttemptCounts.FILE,
            WatchRow.FILE)
        .map(file -> file.in(directory))
        .toList();
  }

  public boolean exist() {
    return Files.exists(SecondRow.FILE.in(directory));
  }

  /**
   * Reads the files. If the load did not complete, files may be missing.
   *
   * @param histogram histogram of all response times in nanoseconds
   * @param problems receives unreadable files, with line, what was found and what was expected
   * @return the results; empty if seconds or steps cannot be read
   */
  public Optional<ClientResults> read(
      LoadInfo load, boolean isComplete, Histogram histogram, Problems problems) {
    List<String> truncated = new ArrayList<>();
    Reader reader = new Reader(directory, load.steps().size(), isComplete, problems, truncated);
    Optional<List<SecondRow>> seconds =
        reader.rows(SecondRow.FILE, SecondRow::step, "the results of its requests are left out");
    Optional<List<StepTimes>> steps =
        reader.rows(StepTimes.FILE, StepTimes::step, "the results of its requests are left out");
    Optional<List<ErrorRow>> errors =
        reader.rows(ErrorRow.FILE, ErrorRow::step, "errors by kind and second are left out");
    boolean isTried =
        load.mix().operations().stream().anyMatch(each -> AttemptCounts.isOf(each.id()));
    Optional<List<AttemptCounts>> attempts =
        isTried
            ? reader.rows(
                AttemptCounts.FILE,
                AttemptCounts::step,
                "the conflicts of transactions are left out")
            : Optional.of(List.of());
    if (seconds.isEmpty() || steps.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        ClientResults.of(
            load,
            seconds.get(),
            errors.orElse(List.of()),
            steps.get(),
            attempts.orElse(List.of()),
            histogram,
            truncated));
  }

  /** Reads the watchers' events as {@link #read} does; none if there were no watchers. */
  public List<WatchRow> readWatches(LoadInfo load, boolean isComplete, Problems problems) {
    return load.steps().stream().noneMatch(step -> step.watch().isPresent())
        ? List.of()
        : new Reader(directory, load.steps().size(), isComplete, problems, new ArrayList<>())
            .rows(WatchRow.FILE, WatchRow::step, "the events of the watchers are left out")
            .orElse(List.of());
  }

  /**
   * Reads the tenths of seconds as {@link #read} does; none without a file, which begins with the
   * first successful request.
   */
  public List<TenthRow> readTenths(LoadInfo load, Problems problems) {
    return new Reader(directory, load.steps().size(), false, problems, new ArrayList<>())
        .rows(TenthRow.FILE, TenthRow::step, "stalls of less than a second are left out")
        .orElse(List.of());
  }

  private record Reader(
      Path directory, int steps, boolean isComplete, Problems problems, List<String> truncated) {

    private <T extends Record> Optional<List<T>> rows(
        CsvFile<T> file, ToIntFunction<T> step, String consequence) {
      Path path = file.in(directory);
      if (!isComplete && !Files.exists(path)) {
        return Optional.of(List.of());
      }
      return problems.attempt(
          path,
          consequence,
          () -> {
            CsvFile.Content<T> content = file.read(directory);
            if (content.isTruncated()) {
              truncated.add(path.getFileName().toString());
            }
            for (T row : content.rows()) {
              if (step.applyAsInt(row) < 1 || step.applyAsInt(row) > steps) {
                throw new QuorateException(
                    "%s: found step %d, expected 1 to %d as in manifest.json"
                        .formatted(path, step.applyAsInt(row), steps));
              }
            }
            return content.rows();
          });
    }
  }

  /**
   * Appends requests of an operation of a step.
   *
   * @param step number of the step, from 1
   * @throws io.quorate.QuorateException if the files cannot be written
   */
  public void append(int step, String operation, List<SecondMeasurement> seconds) {
    SecondRow.FILE.append(
        directory, seconds.stream().map(each -> SecondRow.of(step, operation, each)).toList());
    ErrorRow.FILE.append(
        directory, seconds.stream().flatMap(each -> errors(step, operation, each)).toList());
  }

  /**
   * Appends tenths of seconds.
   *
   * @throws io.quorate.QuorateException if the file cannot be written
   */
  public void append(List<TenthRow> tenths) {
    TenthRow.FILE.append(directory, tenths);
  }

  private static Stream<ErrorRow> errors(int step, String operation, SecondMeasurement second) {
    return ErrorTally.merged(second.errors()).stream()
        .map(tally -> ErrorRow.of(step, operation, second.unixSecond(), tally));
  }

  /**
   * Appends the results of a step at its end, once.
   *
   * @param step number of the step, from 1
   * @throws io.quorate.QuorateException if the files cannot be written
   */
  public void end(int step, StepMeasurement measured) {
    StepTimes.FILE.append(directory, List.of(StepTimes.of(step, measured)));
    for (OperationMeasurement each : measured.operations()) {
      if (AttemptCounts.isOf(each.operation())) {
        AttemptCounts.FILE.append(directory, List.of(AttemptCounts.of(step, each)));
      }
    }
    measured
        .watch()
        .ifPresent(watch -> WatchRow.FILE.append(directory, List.of(WatchRow.of(step, watch))));
  }
}
