package io.quorate.results.requests;

import io.quorate.QuorateException;
import io.quorate.format.Problems;
import io.quorate.results.ClientFile;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.LoadFacts;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Compares the files of a complete run with each other. The first contradiction is reported; files
 * of further ones are marked as doubtful, as one wrong value contradicts several files.
 */
public final class FileAgreement {
  /** Tolerance for two figures, each rounded to four decimals. */
  private static final double RATE_ROUNDING_SECONDS = 1e-4;

  private static final double RATE_ROUNDING = 1e-4;

  private final DatabaseDirectory directory;
  private final LoadFacts load;
  private final Map<LatencyTag, Long> latencies;
  private final Path series;
  private final Path summary;
  private final Path steps;
  private Problems problems = new Problems();
  private Set<Path> damaged = Set.of();

  /**
   * @param latencies how many there are in the log
   */
  public FileAgreement(
      DatabaseDirectory directory, LoadFacts load, Map<LatencyTag, Long> latencies) {
    this.directory = directory;
    this.load = load;
    this.latencies = Map.copyOf(latencies);
    this.series = directory.file(ClientFile.TIME_SERIES);
    this.summary = directory.file(ClientFile.SUMMARY);
    this.steps = directory.file(ClientFile.STEPS);
  }

  /**
   * @throws QuorateException with file, what was found and what was expected
   */
  public void check(ClientResults results) {
    check(results, new Problems());
    problems.throwIfAny();
  }

  /**
   * Adds a contradiction to the problems. Files that have one already are not compared, since lines
   * of them are missing.
   */
  public void check(ClientResults results, Problems found) {
    problems = found;
    damaged = found.files();
    long successes = results.successCount();
    check(
        directory.file(ClientFile.DISTRIBUTION),
        results.distribution().stream().mapToLong(ClientResults.Bucket::count).sum(),
        successes,
        series);
    check(directory.latencyLog(), responses(), successes, series);
    check(
        directory.file(ClientFile.ERRORS),
        results.errorRows().stream().mapToLong(ClientResults.ErrorRow::count).sum(),
        results.errorCount(),
        summary);
    if (!damaged.contains(steps)) {
      checkSteps(results);
    }
    long asked = load.requests();
    long intended = successes + results.errorCount() + results.shedCount();
    if (intended > asked) {
      contradiction(
          series,
          directory.manifest(),
          "%s: found %d requests, expected at most %d as in %s"
              .formatted(series, intended, asked, directory.manifest()));
    }
    results.requestsPerSecond().ifPresent(rate -> checkRate(rate, results));
  }

  /** Adds a contradiction between two files, unless a line of one of them is missing. */
  private void contradiction(Path file, Path other, String message) {
    if (damaged.contains(file) || damaged.contains(other)) {
      return;
    }
    if (problems.files().equals(damaged)) {
      problems.add(file, message, "values that come from one of these files are wrong");
    }
    problems.doubt(file);
    problems.doubt(other);
  }

  /**
   * Returns whether time series, steps and requests were written together, as far as that can be
   * seen.
   */
  public static boolean isOfOneTime(ClientResults results) {
    return rows(results) == results.seconds().size()
        && sum(results.steps(), StepRow::succeeded) == results.successCount()
        && (results.requests().isEmpty() || contradiction(results).isEmpty());
  }

  private static long rows(ClientResults results) {
    return sum(results.steps(), StepRow::timeSeriesRows);
  }

  private static long sum(List<StepRow> steps, ToLongFunction<StepRow> figure) {
    return steps.stream().mapToLong(figure).sum();
  }

  private void checkRate(double rate, ClientResults results) {
    double successes = results.successCount();
    double rounding = rate * RATE_ROUNDING_SECONDS + successes * RATE_ROUNDING + 1;
    if (Math.abs(rate * results.totalSeconds() - successes) > rounding) {
      contradiction(
          summary,
          series,
          "%s: found %s requests per second in %s s, expected %s requests in all as in %s"
              .formatted(
                  summary,
                  rate,
                  results.totalSeconds(),
                  results.successCount(),
                  ClientFile.TIME_SERIES.fileName()));
    }
  }

  private void checkSteps(ClientResults results) {
    if (rows(results) != results.seconds().size()) {
      contradiction(
          steps,
          series,
          "%s: found %d rows of the time series, expected %d as in %s"
              .formatted(steps, rows(results), results.seconds().size(), series));
      return;
    }
    check(steps, sum(results.steps(), StepRow::succeeded), results.successCount(), series);
    check(steps, sum(results.steps(), StepRow::failed), results.errorCount(), summary);
    int from = 0;
    for (StepRow step : results.steps()) {
      int to = from + (int) step.timeSeriesRows();
      for (ClientResults.Second second : results.seconds().subList(from, to)) {
        if (second.clients() != step.clients()) {
          contradiction(
              steps,
              series,
              "%s: found %d clients in step %d, expected %d as in %s"
                  .formatted(steps, step.clients(), step.number(), second.clients(), series));
        }
      }
      from = to;
    }
    checkOperations(results);
  }

  /** Compares the requests of each step and operation. */
  private void checkOperations(ClientResults results) {
    Map<Group, Sums> seconds = new HashMap<>();
    for (ClientResults.OperationSecond second : results.requests()) {
      Sums sums = seconds.computeIfAbsent(new Group(second), absent -> new Sums());
      sums.shed += second.shed();
      sums.succeeded += second.succeeded();
      sums.failed += second.failed();
    }
    Map<Group, Sums> errors = new HashMap<>();
    for (ClientResults.ErrorRow row : results.errorRows()) {
      Group group = new Group(row.step(), row.operation());
      errors.computeIfAbsent(group, absent -> new Sums()).failed += row.count();
    }
    for (StepRow step : results.steps()) {
      for (OperationCounts counts : step.operations()) {
        Group group = new Group(step.number(), counts.operation());
        Sums found = seconds.getOrDefault(group, new Sums());
        Path requests = directory.file(ClientFile.REQUESTS);
        check(requests, group, "succeeded", found.succeeded, counts.succeeded());
        check(requests, group, "failed", found.failed, counts.failed());
        check(requests, group, "shed", found.shed, counts.shed());
        long failed = errors.getOrDefault(group, new Sums()).failed;
        check(directory.file(ClientFile.ERRORS), group, "failed", failed, counts.failed());
        checkLatencies(group, counts);
      }
      checkLag(step);
      checkConnects(step);
    }
    checkAttempts(results);
    contradiction(results)
        .ifPresent(
            second ->
                contradiction(
                    directory.file(ClientFile.REQUESTS),
                    series,
                    "%s: found other requests in second %d of step %d than %s"
                        .formatted(
                            directory.file(ClientFile.REQUESTS),
                            second.unixSecond(),
                            second.step(),
                            series)));
  }

  private void checkAttempts(ClientResults results) {
    Map<Group, Long> requests = new HashMap<>();
    for (AttemptCounts counts : results.attempts()) {
      requests.put(new Group(counts.step(), counts.operation()), counts.requests());
    }
    for (StepRow step : results.steps()) {
      for (OperationCounts counts : step.operations()) {
        Group group = new Group(step.number(), counts.operation());
        if (AttemptsCsv.isOf(counts.operation())) {
          long expected = counts.succeeded() + counts.failed();
          Path file = directory.file(ClientFile.ATTEMPTS);
          check(file, group, "ended", requests.getOrDefault(group, 0L), expected);
        }
      }
    }
  }

  private void checkLatencies(Group group, OperationCounts counts) {
    check(
        directory.latencyLog(),
        group,
        "succeeded",
        count(LatencyTag.response(group.step, group.operation)),
        counts.succeeded());
    Step asked = load.steps().get(group.step - 1);
    check(
        directory.latencyLog(),
        group,
        "have service times",
        count(LatencyTag.service(group.step, group.operation)),
        asked.isOpen() ? counts.succeeded() : 0);
  }

  private void checkLag(StepRow step) {
    long found = count(LatencyTag.lag(step.number()));
    long sent = step.succeeded() + step.failed();
    // optional in closed loops, where a request is due when the one before it has ended
    boolean without = found == 0 && !load.steps().get(step.number() - 1).isOpen();
    if (found != sent && !without) {
      contradiction(
          directory.latencyLog(),
          steps,
          "%s: found the lag of %d requests of step %d, expected %d as in %s"
              .formatted(directory.latencyLog(), found, step.number(), sent, steps));
    }
  }

  /** Checks that each request that was answered had been connected for. */
  private void checkConnects(StepRow step) {
    boolean oneShot = load.steps().get(step.number() - 1).isOneShot();
    long found = count(LatencyTag.connect(step.number()));
    if (oneShot && (found < step.succeeded() || found > step.succeeded() + step.failed())) {
      contradiction(
          directory.latencyLog(),
          steps,
          "%s: found %d connections of step %d, expected one for each of the %d requests that succeeded and at most %d, as in %s"
              .formatted(
                  directory.latencyLog(),
                  found,
                  step.number(),
                  step.succeeded(),
                  step.succeeded() + step.failed(),
                  steps));
    }
  }

  private long count(LatencyTag tag) {
    return latencies.getOrDefault(tag, 0L);
  }

  private long responses() {
    return latencies.entrySet().stream()
        .filter(entry -> entry.getKey().time() == LatencyTag.Time.RESPONSE)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * Returns a second of an operation that the time series does not have so; empty if both agree.
   */
  private static Optional<ClientResults.OperationSecond> contradiction(ClientResults results) {
    Map<SecondOfStep, Long> left = new HashMap<>();
    int from = 0;
    for (StepRow step : results.steps()) {
      int to = from + (int) step.timeSeriesRows();
      for (ClientResults.Second second : results.seconds().subList(from, to)) {
        left.put(new SecondOfStep(step.number(), second.unixSecond()), second.throughput());
      }
      from = to;
    }
    for (ClientResults.OperationSecond second : results.requests()) {
      SecondOfStep key = new SecondOfStep(second.step(), second.unixSecond());
      long others = left.getOrDefault(key, -1L) - second.succeeded();
      if (others < 0) {
        return Optional.of(second);
      }
      left.put(key, others);
    }
    return Optional.empty();
  }

  private record SecondOfStep(int step, long unixSecond) {}

  private void check(Path file, Group group, String what, long found, long expected) {
    if (found != expected) {
      contradiction(
          file,
          steps,
          "%s: found %d requests of step %d, %s, that %s, expected %d as in %s"
              .formatted(file, found, group.step, group.operation, what, expected, steps));
    }
  }

  private void check(Path file, long found, long expected, Path other) {
    if (found != expected) {
      contradiction(
          file,
          other,
          file + ": found " + found + " requests, expected " + expected + " as in " + other);
    }
  }

  /** A step and an operation. */
  private record Group(int step, String operation) {
    private Group(ClientResults.OperationSecond second) {
      this(second.step(), second.operation());
    }
  }

  private static final class Sums {
    private long shed;
    private long succeeded;
    private long failed;
  }
}
