package io.quorate.run;

import io.quorate.QuorateException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The content of the files of one database of a run.
 *
 * @param clients empty only if the run broke off before anything was measured
 * @param latencies in nanoseconds
 */
public record DatabaseRun(
    DatabaseDirectory directory,
    Manifest manifest,
    Optional<ClientResults> clients,
    LatencyLog.Contents latencies) {
  /** Tolerance for two figures, each rounded to four decimals. */
  private static final double RATE_ROUNDING_SECONDS = 1e-4;

  private static final double RATE_ROUNDING = 1e-4;

  /**
   * Reads the directory of a database. The files of a complete run must all be there and agree with
   * each other; of another one, those that were not yet written may be missing.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static DatabaseRun read(Path path) {
    DatabaseDirectory directory = new DatabaseDirectory(path);
    Manifest manifest = Manifest.read(directory.manifest());
    if (!manifest.store().id().equals(directory.id())) {
      throw new QuorateException(
          "%s: database.id: found %s, expected %s as its directory is named"
              .formatted(
                  directory.manifest(),
                  GoText.shortened(GoText.quoted(manifest.store().id())),
                  GoText.quoted(directory.id())));
    }
    boolean complete = manifest.status() == RunStatus.COMPLETE;
    boolean measured = complete || Files.exists(directory.file(ClientFile.SUMMARY));
    boolean logged = complete || Files.exists(directory.latencyLog());
    Problems problems = new Problems();
    Optional<ClientResults> clients =
        measured
            ? problems.attempt(
                new ClientResultsReader(directory.clientFiles(), clients(manifest))::read)
            : Optional.empty();
    Optional<LatencyLog.Contents> latencies =
        logged
            ? problems.attempt(() -> LatencyLog.read(directory.latencyLog(), manifest.load()))
            : Optional.of(LatencyLog.Contents.NONE);
    problems.throwIfAny();
    if (!complete) {
      return new DatabaseRun(
          directory, manifest, clients.map(DatabaseRun::asFarAsWritten), latencies.get());
    }
    DatabaseRun run = new DatabaseRun(directory, manifest, clients, latencies.get());
    run.clients.ifPresent(run::checkAgreement);
    return run;
  }

  /**
   * Returns the results as far as they were written: a run may be killed after the time series was
   * written and before its steps were.
   */
  private static ClientResults asFarAsWritten(ClientResults results) {
    return rows(results) == results.seconds().size() && succeeded(results) == results.successCount()
        ? results
        : results.withoutSteps();
  }

  private static long rows(ClientResults results) {
    return results.steps().stream().mapToLong(StepRow::timeSeriesRows).sum();
  }

  private static long succeeded(ClientResults results) {
    return results.steps().stream().mapToLong(StepRow::succeeded).sum();
  }

  private static Optional<StepClients> clients(Manifest manifest) {
    return Optional.of(StepClients.of(manifest.load().steps()));
  }

  /** Compares the files with each other, up to the first contradiction. */
  private void checkAgreement(ClientResults results) {
    long successes = results.successCount();
    Path series = directory.file(ClientFile.TIME_SERIES);
    Path summary = directory.file(ClientFile.SUMMARY);
    check(
        directory.file(ClientFile.DISTRIBUTION),
        results.distribution().stream().mapToLong(ClientResults.Bucket::count).sum(),
        successes,
        series);
    check(directory.latencyLog(), latencies.all().getTotalCount(), successes, series);
    check(
        directory.file(ClientFile.ERRORS),
        results.errorRows().stream().mapToLong(ClientResults.ErrorRow::count).sum(),
        results.errorCount(),
        summary);
    if (!results.steps().isEmpty()) {
      checkSteps(results, series);
    }
    long asked = manifest.load().requests();
    if (successes + results.errorCount() > asked) {
      throw new QuorateException(
          "%s: found %d requests, expected at most %d as in %s"
              .formatted(series, successes + results.errorCount(), asked, directory.manifest()));
    }
    results.requestsPerSecond().ifPresent(rate -> checkRate(rate, results, summary));
  }

  private static void checkRate(double rate, ClientResults results, Path summary) {
    double successes = results.successCount();
    double rounding = rate * RATE_ROUNDING_SECONDS + successes * RATE_ROUNDING + 1;
    if (Math.abs(rate * results.totalSeconds() - successes) > rounding) {
      throw new QuorateException(
          "%s: found %s requests per second in %s s, expected %s requests in all as in %s"
              .formatted(
                  summary,
                  rate,
                  results.totalSeconds(),
                  results.successCount(),
                  ClientFile.TIME_SERIES.fileName()));
    }
  }

  private void checkSteps(ClientResults results, Path series) {
    Path steps = directory.file(ClientFile.STEPS);
    if (rows(results) != results.seconds().size()) {
      throw new QuorateException(
          "%s: found %d rows of the time series, expected %d as in %s"
              .formatted(steps, rows(results), results.seconds().size(), series));
    }
    check(steps, succeeded(results), results.successCount(), series);
    check(
        steps,
        results.steps().stream().mapToLong(StepRow::failed).sum(),
        results.errorCount(),
        directory.file(ClientFile.SUMMARY));
    int from = 0;
    for (int i = 0; i < results.steps().size(); i++) {
      StepRow step = results.steps().get(i);
      int to = from + (int) step.timeSeriesRows();
      for (ClientResults.Second second : results.seconds().subList(from, to)) {
        if (second.clients() != step.clients()) {
          throw new QuorateException(
              "%s:%d: found %d clients, expected %d as in %s"
                  .formatted(steps, i + 2, step.clients(), second.clients(), series));
        }
      }
      from = to;
    }
  }

  private static void check(Path file, long found, long expected, Path other) {
    if (found != expected) {
      throw new QuorateException(
          file + ": found " + found + " requests, expected " + expected + " as in " + other);
    }
  }
}
