// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.QuorateException;
import io.quorate.format.CsvFile;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.StepUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Writes the measurements of the clients while they run, and reads them: {@code seconds.csv},
 * {@code errors.csv} and {@code tenths.csv} as seconds pass, {@code steps.csv}, {@code
 * attempts.csv} and {@code watch.csv} when a step has ended. Rows are only appended. For one thread
 * at a time.
 */
public final class ClientFiles {
  /** Consequence for the report if the files of the requests cannot be read. */
  public static final String WITHOUT_REQUESTS = "the results of its requests are left out";

  /** Consequence for the report if the tenths of seconds cannot be read. */
  public static final String WITHOUT_TENTHS = "stalls of less than a second are left out";

  private static final int MAX_DAYS = 31;
  private static final long SECONDS_PER_DAY = 86_400;

  private final Path directory;

  /** Names of files whose incomplete last row was left out. */
  private final List<String> truncated = new ArrayList<>();

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
   * Reads the files; the results name all that were truncated and have been read. If the load did
   * not complete, files may be missing; otherwise their counts have to agree with each other and
   * with the manifest, so that no cut file is believed.
   *
   * @param problems receives unreadable files, with line, what was found and what was expected
   * @return the results; empty if seconds or steps cannot be read
   */
  public Optional<ClientResults> read(Manifest manifest, Problems problems) {
    LoadInfo load = manifest.load();
    Reader reader = reader(manifest, problems);
    Optional<List<SecondRow>> seconds =
        reader
            .rows(
                SecondRow.FILE,
                SecondRow::step,
                WITHOUT_REQUESTS,
                rows -> requireRequests(rows, manifest.costs()))
            .flatMap(
                rows ->
                    problems.attempt(
                        SecondRow.FILE.in(directory), WITHOUT_REQUESTS, () -> inOneTime(rows)));
    Optional<List<StepTimes>> steps =
        reader.rows(
            StepTimes.FILE,
            StepTimes::step,
            WITHOUT_REQUESTS,
            rows -> requireSteps(StepTimes.FILE, rows.size(), load.steps().size()));
    Optional<List<ErrorRow>> errors =
        reader.rows(
            ErrorRow.FILE,
            ErrorRow::step,
            "errors by kind and second are left out",
            rows -> seconds.ifPresent(known -> requireErrors(rows, known)));
    boolean isTried =
        load.mix().operations().stream().anyMatch(each -> AttemptCounts.isOf(each.id()));
    Optional<List<AttemptCounts>> attempts =
        isTried
            ? reader.rows(
                AttemptCounts.FILE,
                AttemptCounts::step,
                "the conflicts of transactions are left out",
                any -> {})
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
            truncated));
  }

  /** Refuses a second far from the others, as a reader fills in all seconds between them. */
  private List<SecondRow> inOneTime(List<SecondRow> rows) {
    for (int i = 0; i < rows.size(); i++) {
      long first = rows.get(0).unixSecond();
      if (Math.abs(rows.get(i).unixSecond() - first) > MAX_DAYS * SECONDS_PER_DAY) {
        throw new QuorateException(
            "%s:%d: found second %d, expected one within %d days of the first, %d"
                .formatted(
                    SecondRow.FILE.in(directory),
                    i + 2,
                    rows.get(i).unixSecond(),
                    MAX_DAYS,
                    first));
      }
    }
    return rows;
  }

  private void requireRequests(List<SecondRow> rows, List<StepUsage> costs) {
    long found =
        rows.stream().mapToLong(row -> row.counts().succeeded() + row.counts().failed()).sum();
    long expected = costs.stream().mapToLong(StepUsage::requests).sum();
    if (expected > 0) {
      require(SecondRow.FILE, found, expected, "request", "manifest.json");
    }
  }

  private void requireErrors(List<ErrorRow> rows, List<SecondRow> seconds) {
    long found = rows.stream().mapToLong(ErrorRow::count).sum();
    long expected = seconds.stream().mapToLong(row -> row.counts().failed()).sum();
    require(ErrorRow.FILE, found, expected, "error", SecondRow.FILE.name());
  }

  private void requireSteps(CsvFile<?> file, long found, long expected) {
    require(file, found, expected, "step", "manifest.json");
  }

  private void require(CsvFile<?> file, long found, long expected, String what, String other) {
    if (found != expected) {
      throw new QuorateException(
          "%s: found %s, expected %s as in %s: the file was changed or cut"
              .formatted(
                  file.in(directory),
                  NumberFormats.count(found, what),
                  NumberFormats.commas(expected),
                  other));
    }
  }

  /** Reads the watchers' events as {@link #read} does; none if there were no watchers. */
  public List<WatchRow> readWatches(Manifest manifest, Problems problems) {
    long watched =
        manifest.load().steps().stream().filter(step -> step.watch().isPresent()).count();
    return watched == 0
        ? List.of()
        : reader(manifest, problems)
            .rows(
                WatchRow.FILE,
                WatchRow::step,
                "the events of the watchers are left out",
                rows -> requireSteps(WatchRow.FILE, rows.size(), watched))
            .orElse(List.of());
  }

  /**
   * Reads the tenths of seconds as {@link #read} does; none without a file, which begins with the
   * first successful request.
   */
  public List<TenthRow> readTenths(Manifest manifest, Problems problems) {
    return Files.exists(TenthRow.FILE.in(directory))
        ? reader(manifest, problems)
            .rows(TenthRow.FILE, TenthRow::step, WITHOUT_TENTHS, any -> {})
            .orElse(List.of())
        : List.of();
  }

  private Reader reader(Manifest manifest, Problems problems) {
    boolean isComplete = manifest.status() == RunStatus.COMPLETE;
    return new Reader(directory, manifest.load().steps().size(), isComplete, problems, truncated);
  }

  private record Reader(
      Path directory, int steps, boolean isComplete, Problems problems, List<String> truncated) {

    private static void requireEnd(Path path, CsvFile.Content<?> content) {
      if (content.isTruncated()) {
        throw new QuorateException(path + ": found no line break at its end: the file was cut");
      }
    }

    /**
     * @param whole refuses the rows of a complete run if some are missing
     */
    private <T extends Record> Optional<List<T>> rows(
        CsvFile<T> file, ToIntFunction<T> step, String consequence, Consumer<List<T>> whole) {
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
            if (isComplete) {
              requireEnd(path, content);
              whole.accept(content.rows());
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
