// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.measure.GeneratorDelay;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.StepTimes;
import io.quorate.scenario.OperationMix;
import io.quorate.store.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an operation, or of all operations, in a step, in steps with the same load, or in
 * the whole run.
 *
 * @param operation id of the operation; empty for all
 * @param counts counts; empty if the files do not contain them
 * @param seconds measured time; empty if unknown or 0
 * @param response response times in nanoseconds; empty if nothing succeeded
 * @param service service times in nanoseconds; empty in a closed loop, where they equal the
 *     response times
 * @param queue times that requests waited for a connection, in nanoseconds; empty if none did
 * @param delay delay that the load generator added to the requests of these steps
 * @param latency exact response times and their percentiles; empty if nothing succeeded, or if the
 *     files do not contain them
 */
public record RequestFigures(
    Optional<String> operation,
    Optional<OperationCounts> counts,
    OptionalDouble seconds,
    Histogram response,
    Histogram service,
    Histogram queue,
    GeneratorDelay delay,
    Optional<LatencySummary> latency,
    Basis basis) {
  /** Greatest part of the median latency that the load generator's delay may be. */
  private static final double MOST_DELAY = 0.5;

  /**
   * Computes the values of some steps.
   *
   * @param steps numbers of the steps, from 1
   * @param operation id of the operation; empty for all
   * @param seconds measured time of these steps
   * @param others CPU that other processes used
   */
  static RequestFigures of(
      DatabaseRun run,
      IntPredicate steps,
      Optional<String> operation,
      OptionalDouble seconds,
      ForeignCpu others) {
    List<OperationCounts> rows =
        run.clients().stream()
            .flatMap(
                results ->
                    results.steps().stream()
                        .map(StepTimes::step)
                        .filter(steps::test)
                        .flatMap(step -> results.operations(step).stream()))
            .filter(row -> operation.map(row.operation()::equals).orElse(true))
            .toList();
    Optional<OperationCounts> counts =
        rows.isEmpty()
            ? Optional.empty()
            : Optional.of(OperationCounts.sum(operation.orElse(""), rows));
    Histogram response = times(run, LatencyTag.Time.RESPONSE, steps, operation);
    GeneratorDelay delay = run.latencies().delay(steps);
    Optional<LatencySummary> latency =
        run.clients()
            .map(results -> results.latencies(steps, operation))
            .filter(exact -> exact.count() > 0)
            .map(exact -> LatencySummary.of(exact, response));
    Map<Percentile, Double> percentiles = percentiles(latency, response);
    boolean reads =
        operation
            .map(id -> Operation.named(id).filter(Operation::isRead).isPresent())
            .orElse(run.manifest().load().mix().reads());
    Basis basis =
        Basis.of(run, counts, reads, Basis.Generator.of(run, response, percentiles, delay));
    if (others.disturbs(steps) || mostlyDelay(run, response, delay).isPresent()) {
      basis = basis.with(Reservation.DISTURBED);
    }
    if (run.manifest().status() == RunStatus.ENDED_EARLY) {
      basis = basis.with(Reservation.ENDED_EARLY);
    }
    if (isCold(run, steps)) {
      basis = basis.with(Reservation.COLD);
    }
    return new RequestFigures(
        operation,
        counts,
        seconds.orElse(0) > 0 ? seconds : OptionalDouble.empty(),
        response,
        times(run, LatencyTag.Time.SERVICE, steps, operation),
        run.latencies().queue(steps),
        delay,
        latency,
        basis);
  }

  /** Returns whether the JVM compiled much code in a step, or was not warmed up. */
  private static boolean isCold(DatabaseRun run, IntPredicate steps) {
    Manifest manifest = run.manifest();
    return manifest.load().coldStart().orElse(false)
        || Stream.concat(
                manifest.costs().stream(),
                manifest.shards().stream().flatMap(shard -> shard.costs().stream()))
            .anyMatch(cost -> steps.test(cost.step()) && cost.isCold());
  }

  /**
   * Returns the part of the median latency that is the load generator's delay, if it is more than
   * {@value #MOST_DELAY}. A store within the load generator has no other time.
   */
  private static OptionalDouble mostlyDelay(
      DatabaseRun run, Histogram response, GeneratorDelay delay) {
    if (response.getTotalCount() == 0 || run.manifest().store().runsInLoadGenerator()) {
      return OptionalDouble.empty();
    }
    double part = delay.partOfMedian(response.getValueAtPercentile(50));
    return part > MOST_DELAY ? OptionalDouble.of(part) : OptionalDouble.empty();
  }

  /** Returns the part of the median latency that is the load generator's delay, if it is most. */
  static OptionalDouble mostlyDelay(DatabaseRun run) {
    return mostlyDelay(
        run,
        times(run, LatencyTag.Time.RESPONSE, any -> true, Optional.empty()),
        run.latencies().delay(any -> true));
  }

  static List<RequestFigures> operations(
      DatabaseRun run, IntPredicate steps, RequestFigures all, ForeignCpu others) {
    OperationMix mix = run.manifest().load().mix();
    return mix.operations().stream()
        .map(each -> Optional.of(each.id()))
        .map(id -> mix.isSingle() ? all.named(id) : of(run, steps, id, all.seconds, others))
        .toList();
  }

  /** Returns the requests of one of the operations. */
  static RequestFigures of(Operation operation, List<RequestFigures> operations) {
    return operations.stream()
        .filter(each -> each.operation().equals(Optional.of(operation.id())))
        .findFirst()
        .orElseThrow();
  }

  private RequestFigures named(Optional<String> id) {
    return new RequestFigures(
        id,
        counts.map(known -> OperationCounts.sum(id.orElseThrow(), List.of(known))),
        seconds,
        response,
        service,
        queue,
        delay,
        latency,
        basis);
  }

  private static Histogram times(
      DatabaseRun run, LatencyTag.Time time, IntPredicate steps, Optional<String> operation) {
    return run.latencies()
        .together(
            tag ->
                tag.time() == time
                    && steps.test(tag.step())
                    && (operation.isEmpty() || tag.operation().equals(operation)));
  }

  /** Returns the number of successes, if necessary from their latencies. */
  public long succeeded() {
    return counts.map(OperationCounts::succeeded).orElseGet(response::getTotalCount);
  }

  public OptionalLong failed() {
    return counts.stream().mapToLong(OperationCounts::failed).findFirst();
  }

  public OptionalLong dropped() {
    return counts.stream().mapToLong(OperationCounts::dropped).findFirst();
  }

  public OptionalDouble requestsPerSecond() {
    return seconds.stream().map(known -> succeeded() / known).findFirst();
  }

  /** Returns percentiles of the response times; empty if nothing succeeded. */
  public Map<Percentile, Double> percentilesMs() {
    return percentiles(latency, response);
  }

  private static Map<Percentile, Double> percentiles(
      Optional<LatencySummary> latency, Histogram response) {
    return latency.map(LatencySummary::percentilesMs).orElseGet(() -> percentiles(response));
  }

  public OptionalDouble percentileMs(Percentile percentile) {
    return known(percentilesMs(), percentile);
  }

  /** Returns the value of a key; empty if there is none. */
  public static <K> OptionalDouble known(Map<K, Double> values, K key) {
    return values.containsKey(key) ? OptionalDouble.of(values.get(key)) : OptionalDouble.empty();
  }

  public static OptionalDouble number(OptionalLong count) {
    return count.isPresent() ? OptionalDouble.of(count.getAsLong()) : OptionalDouble.empty();
  }

  /** Returns percentiles of the service times; empty in a closed loop. */
  public Map<Percentile, Double> serviceMs() {
    return percentiles(service);
  }

  /** Returns percentiles in milliseconds; empty if there is no histogram, or if it is empty. */
  static Map<Percentile, Double> percentiles(@Nullable Histogram nanos) {
    return nanos == null ? Map.of() : Percentile.ms(nanos, 0, Long.MAX_VALUE);
  }
}
