package io.quorate.report.analysis;

import io.quorate.run.ClientResults;
import io.quorate.run.DatabaseRun;
import io.quorate.run.LatencyTag;
import io.quorate.run.NumberFormats;
import io.quorate.run.OperationCounts;
import io.quorate.run.RunStatus;
import io.quorate.run.StepRow;
import io.quorate.scenario.Limit;
import io.quorate.store.Operation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * A limit of a scenario and the value of a database.
 *
 * @param found in milliseconds, percent or requests per second, or a count; empty if there is no
 *     such value, as in a run that did not come to its end
 */
public record CheckedLimit(Limit limit, OptionalDouble found) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int DECIMALS = 3;

  /** Returns the limits of the scenario of a run, in its order, with their values. */
  public static List<CheckedLimit> of(DatabaseRun run) {
    boolean complete = run.manifest().status() == RunStatus.COMPLETE;
    Optional<ClientResults> results = run.clients().filter(any -> complete);
    return run.manifest().scenario().limits().stream()
        .map(
            limit ->
                new CheckedLimit(
                    limit,
                    results
                        .map(known -> value(run, known, limit))
                        .filter(value -> Double.isFinite(value))
                        .map(OptionalDouble::of)
                        .orElseGet(OptionalDouble::empty)))
        .toList();
  }

  /** Returns whether there is a value, and it keeps the limit. */
  public boolean isKept() {
    return found.isPresent() && limit.isKeptBy(found.getAsDouble());
  }

  /** Returns the value for people: {@code 12.345 ms}; {@code -} if there is none. */
  public String foundText() {
    if (found.isEmpty()) {
      return "-";
    }
    double value = found.getAsDouble();
    boolean whole =
        limit.shownUnit() == Limit.Unit.COUNT || limit.shownUnit() == Limit.Unit.PER_SECOND;
    return limit.withUnit(
        whole ? NumberFormats.commas((long) value) : NumberFormats.fixed(value, DECIMALS));
  }

  /** Returns the value, NaN if there is none. */
  private static double value(DatabaseRun run, ClientResults results, Limit limit) {
    return switch (limit.quantity().kind()) {
      case ERRORS -> errors(results, limit);
      case THROUGHPUT -> throughput(results, limit);
      default -> latencyMs(run, limit);
    };
  }

  private static double errors(ClientResults results, Limit limit) {
    double failed = count(results, limit, OperationCounts::failed);
    double all = failed + count(results, limit, OperationCounts::succeeded);
    return limit.unit() == Limit.Unit.PERCENT ? 100 * failed / all : failed;
  }

  /** Returns successes by the time of the step or of the run, as the table does. */
  private static double throughput(ClientResults results, Limit limit) {
    if (limit.step().isEmpty() && limit.operation().isEmpty()) {
      return results.requestsPerSecond().orElse(Double.NaN);
    }
    double seconds =
        limit.step().isPresent()
            ? rows(results, limit).stream().mapToLong(StepRow::durationNanos).sum()
                / NANOS_PER_SECOND
            : results.totalSeconds();
    return count(results, limit, OperationCounts::succeeded) / seconds;
  }

  /** Returns the sum over the steps and operations of a limit; NaN if there is none of them. */
  private static double count(
      ClientResults results, Limit limit, ToLongFunction<OperationCounts> figure) {
    List<OperationCounts> counts =
        rows(results, limit).stream()
            .flatMap(row -> row.operations().stream())
            .filter(each -> operation(limit).map(each.operation()::equals).orElse(true))
            .toList();
    return counts.isEmpty() ? Double.NaN : counts.stream().mapToLong(figure).sum();
  }

  private static List<StepRow> rows(ClientResults results, Limit limit) {
    return results.steps().stream()
        .filter(row -> row.number() == limit.step().orElse(row.number()))
        .toList();
  }

  private static Optional<String> operation(Limit limit) {
    return limit.operation().map(Operation::id);
  }

  /** Returns a figure of the response times, as exact as the histogram. */
  private static double latencyMs(DatabaseRun run, Limit limit) {
    Histogram nanos =
        run.latencies()
            .together(
                tag ->
                    tag.time() == LatencyTag.Time.RESPONSE
                        && tag.step() == limit.step().orElse(tag.step())
                        && (limit.operation().isEmpty()
                            || tag.operation().equals(operation(limit))));
    if (nanos.getTotalCount() == 0) {
      return Double.NaN;
    }
    double value =
        switch (limit.quantity().kind()) {
          case MEAN -> nanos.getMean();
          case MAX -> nanos.getMaxValue();
          default ->
              nanos.getValueAtPercentile(limit.quantity().percent().orElseThrow().doubleValue());
        };
    return value / NANOS_PER_MS;
  }
}
