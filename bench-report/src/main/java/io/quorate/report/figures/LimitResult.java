// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.capacity.ViolationCount;
import io.quorate.format.NumberFormats;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * A limit of a scenario and the value of a database, over all intended requests. A request that
 * failed, timed out or was dropped has no latency, and violates every limit of latencies. Single
 * requests are judged by {@link ServiceLevel}, as in the trials of a search. A limit that only the
 * load generator's delay broke is undecided, as are all but errors in a run that may not be used.
 *
 * @param found value in milliseconds, percent or requests per second, or a count; empty if there is
 *     no such value, as in an incomplete run
 * @param lostPercent part of the intended requests that failed, timed out or were dropped, if that
 *     is why there is no value
 * @param withoutDelay value without the load generator's delay, if that keeps the limit
 * @param disturbance why the value says nothing about the database, without a full stop
 */
public record LimitResult(
    SloLimit limit,
    OptionalDouble found,
    OptionalDouble lostPercent,
    boolean isKept,
    OptionalDouble withoutDelay,
    Optional<String> disturbance) {
  private static final double NANOS_PER_MS = 1e6;
  private static final int DECIMALS = 3;

  /** Returns the result of a limit in a run without values. */
  static LimitResult missing(SloLimit limit) {
    return result(limit, OptionalDouble.empty(), OptionalDouble.empty(), false);
  }

  /** Returns whether there is no value, as in an incomplete run. */
  boolean isMissing() {
    return found.isEmpty() && lostPercent.isEmpty();
  }

  private static LimitResult result(
      SloLimit limit, OptionalDouble found, OptionalDouble lostPercent, boolean kept) {
    return new LimitResult(
        limit, found, lostPercent, kept, OptionalDouble.empty(), Optional.empty());
  }

  /**
   * Judges a limit.
   *
   * @param requests requests of the limit
   * @param steps steps of the limit
   * @param own whether the store runs in the load generator, which has no delay then
   * @param disturbance why the run may not be used, see {@link DatabaseFigures#disturbance}
   */
  static LimitResult of(
      SloLimit limit,
      RequestFigures requests,
      List<StepFigures> steps,
      boolean own,
      Optional<String> disturbance) {
    LimitResult measured = of(requests, limit, Optional.empty());
    if (measured.isMissing() || measured.isKept) { // no delay makes a database better than it is
      return measured;
    }
    Optional<String> why =
        disturbance.filter(any -> limit.quantity().kind() != SloLimit.Kind.ERRORS);
    if (why.isEmpty() && own) {
      return measured;
    }
    LimitResult punctual = of(requests, limit, Optional.of(OwnDelay.of(steps, requests)));
    return new LimitResult(
        limit,
        measured.found,
        measured.lostPercent,
        false,
        punctual.isKept ? punctual.found : OptionalDouble.empty(),
        why);
  }

  /** Judges a limit as measured, or without a delay. */
  private static LimitResult of(RequestFigures requests, SloLimit limit, Optional<OwnDelay> delay) {
    double failed = count(requests, OperationCounts::failed);
    double dropped =
        Math.max(
            0, count(requests, OperationCounts::dropped) - delay.map(OwnDelay::dropped).orElse(0L));
    double intended = count(requests, OperationCounts::intended);
    return switch (limit.quantity().kind()) {
      case THROUGHPUT ->
          of(
              limit,
              requests.requestsPerSecond().orElse(Double.NaN)
                  * delay.map(OwnDelay::throughputFactor).orElse(1.0));
      case ERRORS -> ofCount(limit, failed + dropped, intended);
      case DROPPED -> ofCount(limit, dropped, intended);
      default ->
          ofLatency(
              delay.map(OwnDelay::latencies).orElse(requests.response()),
              limit,
              Double.isNaN(intended) ? 0 : (long) (failed + dropped),
              delay.map(known -> later(known, limit)).orElse(0L));
    };
  }

  private static LimitResult of(SloLimit limit, double found) {
    return Double.isFinite(found)
        ? result(limit, OptionalDouble.of(found), OptionalDouble.empty(), limit.isKeptBy(found))
        : missing(limit);
  }

  private static LimitResult ofCount(SloLimit limit, double violating, double intended) {
    return of(
        limit, limit.unit() == SloLimit.Unit.PERCENT ? 100 * violating / intended : violating);
  }

  /**
   * Judges latencies; lost requests count as slower than any other.
   *
   * @param later time by which a latency may be longer
   */
  private static LimitResult ofLatency(Histogram nanos, SloLimit limit, long lost, long later) {
    long intended = nanos.getTotalCount() + lost;
    if (intended == 0) {
      return missing(limit);
    }
    OptionalDouble found = latencyMs(nanos, lost, limit, later);
    Optional<ServiceLevel> judge = ServiceLevel.of(limit);
    boolean kept =
        judge.isPresent()
            ? violations(nanos, lost, judge.get(), later).isWithin(judge.get().allowedPart())
            : limit.isKeptBy(found.orElse(Double.POSITIVE_INFINITY));
    return result(
        limit,
        found,
        found.isPresent() ? OptionalDouble.empty() : OptionalDouble.of(100.0 * lost / intended),
        kept);
  }

  private static ViolationCount violations(
      Histogram nanos, long lost, ServiceLevel limit, long later) {
    long most = limit.latestNanos();
    long within = most < 0 ? 0 : nanos.getCountBetweenValues(0, most + later);
    long intended = nanos.getTotalCount() + lost;
    return new ViolationCount(intended, intended - within);
  }

  /** Returns whether only the load generator's delay broke the limit, or the run is disturbed. */
  public boolean isUndecided() {
    return withoutDelay.isPresent() || disturbance.isPresent();
  }

  /** Returns the value after {@code found}, or a text that there is none. */
  public String reason() {
    String reason =
        found.isPresent() || lostPercent.isPresent() ? "found " + foundText() : "was not measured";
    return withoutDelay.isPresent()
        ? reason
            + ", and %s without the load generator's delay"
                .formatted(text(withoutDelay.getAsDouble()))
        : reason + disturbance.map(why -> ", but " + why).orElse("");
  }

  /** Returns the value as readable text: {@code 12.345 ms}; {@code -} if nothing was measured. */
  public String foundText() {
    if (found.isEmpty()) {
      return lostPercent.isPresent()
          ? NumberFormats.fixed(lostPercent.getAsDouble(), DECIMALS) + "% failed or were dropped"
          : "-";
    }
    return text(found.getAsDouble());
  }

  private String text(double value) {
    return limit.withUnit(
        switch (limit.shownUnit()) {
          case COUNT -> NumberFormats.commas((long) value);
          case PER_SECOND -> NumberFormats.rate(value);
          default -> NumberFormats.fixed(value, DECIMALS);
        });
  }

  /** Returns a count; NaN if the files do not contain it. */
  private static double count(RequestFigures requests, ToLongFunction<OperationCounts> figure) {
    return requests.counts().map(counts -> (double) figure.applyAsLong(counts)).orElse(Double.NaN);
  }

  /** Returns a percentile of all intended requests; empty if it falls on a lost one. */
  private static OptionalDouble latencyMs(Histogram nanos, long lost, SloLimit limit, long later) {
    long succeeded = nanos.getTotalCount();
    double percent = percent(limit);
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
    return OptionalDouble.of(Math.max(0, value - later) / NANOS_PER_MS);
  }

  private static long later(OwnDelay delay, SloLimit limit) {
    return limit.quantity().kind() == SloLimit.Kind.MEAN
        ? (long) delay.meanLateNanos()
        : delay.lateNanos(percent(limit));
  }

  private static double percent(SloLimit limit) {
    return limit.quantity().percent().map(BigDecimal::doubleValue).orElse(100.0);
  }
}
