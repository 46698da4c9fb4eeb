package io.quorate.report.figures;

import io.quorate.capacity.ViolationCount;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.StepRow;
import io.quorate.scenario.Limit;
import io.quorate.scenario.RequestLimit;
import io.quorate.store.Operation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * A limit of a scenario and the value of a database, over all requests that were intended: a
 * request that failed, timed out or was dropped has no latency, and violates every limit of
 * latencies. Single requests are judged by {@link RequestLimit}, as in the trials of a search.
 *
 * @param found in milliseconds, percent or requests per second, or a count; empty if there is no
 *     such value, as in a run that did not come to its end
 * @param lostPercent the part of the intended requests that failed, timed out or were dropped, if
 *     that is why there is no value
 */
public record CheckedLimit(
    Limit limit, OptionalDouble found, OptionalDouble lostPercent, boolean isKept) {
  private static final double NANOS_PER_MS = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int DECIMALS = 3;

  /** Returns the limits of the scenario of a run, in its order, with their values. */
  public static List<CheckedLimit> of(DatabaseRun run) {
    boolean complete = run.manifest().status() == RunStatus.COMPLETE;
    Optional<ClientResults> results = run.clients().filter(any -> complete);
    return run.manifest().scenario().limits().stream()
        .map(limit -> results.map(known -> of(run, known, limit)).orElseGet(() -> missing(limit)))
        .toList();
  }

  private static CheckedLimit missing(Limit limit) {
    return new CheckedLimit(limit, OptionalDouble.empty(), OptionalDouble.empty(), false);
  }

  private static CheckedLimit of(DatabaseRun run, ClientResults results, Limit limit) {
    double failed = count(results, limit, OperationCounts::failed);
    double dropped = count(results, limit, OperationCounts::shed);
    double intended = count(results, limit, OperationCounts::succeeded) + failed + dropped;
    return switch (limit.quantity().kind()) {
      case THROUGHPUT -> of(limit, throughput(results, limit));
      case ERRORS -> ofCount(limit, failed + dropped, intended);
      case SHED -> ofCount(limit, dropped, intended);
      default -> ofLatency(run, limit, Double.isNaN(intended) ? 0 : (long) (failed + dropped));
    };
  }

  private static CheckedLimit of(Limit limit, double found) {
    return Double.isFinite(found)
        ? new CheckedLimit(
            limit, OptionalDouble.of(found), OptionalDouble.empty(), limit.isKeptBy(found))
        : missing(limit);
  }

  private static CheckedLimit ofCount(Limit limit, double violating, double intended) {
    return of(limit, limit.unit() == Limit.Unit.PERCENT ? 100 * violating / intended : violating);
  }

  /** Judges latencies; requests that were lost are slower than any other. */
  private static CheckedLimit ofLatency(DatabaseRun run, Limit limit, long lost) {
    Histogram nanos = responseTimes(run, limit);
    long intended = nanos.getTotalCount() + lost;
    if (intended == 0) {
      return missing(limit);
    }
    OptionalDouble found = latencyMs(nanos, lost, limit);
    Optional<RequestLimit> judge = RequestLimit.of(limit);
    boolean kept =
        judge.isPresent()
            ? violations(nanos, lost, judge.get()).isWithin(judge.get().allowedPart())
            : limit.isKeptBy(found.orElse(Double.POSITIVE_INFINITY));
    return new CheckedLimit(
        limit,
        found,
        found.isPresent() ? OptionalDouble.empty() : OptionalDouble.of(100.0 * lost / intended),
        kept);
  }

  private static ViolationCount violations(Histogram nanos, long lost, RequestLimit limit) {
    long most = limit.latestNanos();
    long within = most < 0 ? 0 : nanos.getCountBetweenValues(0, most);
    long intended = nanos.getTotalCount() + lost;
    return new ViolationCount(intended, intended - within);
  }

  /** Returns the value after {@code found}, or that there is none. */
  public String reason() {
    return found.isPresent() || lostPercent.isPresent()
        ? "found " + foundText()
        : "was not measured";
  }

  /** Returns the value for people: {@code 12.345 ms}; {@code -} if nothing was measured. */
  public String foundText() {
    if (found.isEmpty()) {
      return lostPercent.isPresent()
          ? NumberFormats.fixed(lostPercent.getAsDouble(), DECIMALS) + "% failed or were dropped"
          : "-";
    }
    double value = found.getAsDouble();
    boolean whole =
        limit.shownUnit() == Limit.Unit.COUNT || limit.shownUnit() == Limit.Unit.PER_SECOND;
    return limit.withUnit(
        whole ? NumberFormats.commas((long) value) : NumberFormats.fixed(value, DECIMALS));
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

  private static Histogram responseTimes(DatabaseRun run, Limit limit) {
    return run.latencies()
        .together(
            tag ->
                tag.time() == LatencyTag.Time.RESPONSE
                    && tag.step() == limit.step().orElse(tag.step())
                    && (limit.operation().isEmpty() || tag.operation().equals(operation(limit))));
  }

  /** Returns a figure of all intended requests, empty if it is one of those that were lost. */
  private static OptionalDouble latencyMs(Histogram nanos, long lost, Limit limit) {
    long succeeded = nanos.getTotalCount();
    double percent = limit.quantity().percent().map(BigDecimal::doubleValue).orElse(100.0);
    double ofSucceeded = lost == 0 ? percent : percent * (succeeded + lost) / succeeded;
    if (succeeded == 0 || ofSucceeded > 100) {
      return OptionalDouble.empty();
    }
    double value =
        switch (limit.quantity().kind()) {
          case MEAN -> nanos.getMean();
          case MAX -> nanos.getMaxValue();
          default -> nanos.getValueAtPercentile(ofSucceeded);
        };
    return OptionalDouble.of(value / NANOS_PER_MS);
  }
}
