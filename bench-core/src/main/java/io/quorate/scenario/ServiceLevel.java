// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.scenario.SloLimit.Kind;
import io.quorate.scenario.SloLimit.Relation;
import io.quorate.scenario.SloLimit.Unit;
import io.quorate.store.Operation;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A limit for single requests: which of them violate it, and which part of all intended requests
 * may. A request that failed or timed out violates every limit of its operation except {@code
 * dropped}; a dropped request violates all limits. Runs, trials and recoveries are judged by it.
 *
 * @param latestNanos how long a request may take, from its scheduled send time; {@link
 *     Long#MAX_VALUE} if the limit only covers errors or dropped requests
 * @param allowedPart part of the requests that may violate it, 0 to below 1
 */
public record ServiceLevel(SloLimit limit, long latestNanos, double allowedPart) {
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal PERCENT = BigDecimal.valueOf(100);

  /** Returns a limit for single requests; empty if it does not apply to them, such as a mean. */
  public static Optional<ServiceLevel> of(SloLimit limit) {
    if (unfit(limit).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (limit.quantity().kind()) {
          case PERCENTILE -> {
            BigDecimal beyond = PERCENT.subtract(limit.quantity().percent().orElseThrow());
            yield new ServiceLevel(limit, latestNanos(limit), part(beyond));
          }
          case MAX -> new ServiceLevel(limit, latestNanos(limit), 0);
          default -> new ServiceLevel(limit, Long.MAX_VALUE, errors(limit));
        });
  }

  private static long latestNanos(SloLimit limit) {
    long nanos = limit.baseNumber().multiply(NANOS_PER_MILLI).longValue();
    return limit.relation() == Relation.BELOW ? nanos - 1 : nanos;
  }

  private static double errors(SloLimit limit) {
    return limit.unit() == Unit.PERCENT ? part(limit.number()) : 0;
  }

  private static double part(BigDecimal percent) {
    return percent.divide(PERCENT).doubleValue();
  }

  /**
   * Returns the reason why no load can be searched within a limit, with advice; empty if it can.
   */
  public static Optional<String> obstacle(SloLimit limit) {
    return limit.step().isPresent()
        ? Optional.of("a limit without a step, since a search has none")
        : unfit(limit);
  }

  private static Optional<String> unfit(SloLimit limit) {
    Kind kind = limit.quantity().kind();
    if (kind == Kind.THROUGHPUT || kind == Kind.MEAN) {
      return Optional.of(
          "a percentile such as p99 <= 20 ms, or max, errors or dropped, to search within");
    }
    if (limit.relation() == Relation.ABOVE || limit.relation() == Relation.AT_LEAST) {
      return Optional.of("< or <=: a search looks for the most load below its limits");
    }
    if (limit.quantity().isCount()) {
      boolean none = limit.number().signum() == 0 && limit.relation() != Relation.BELOW;
      boolean part =
          limit.unit() == Unit.PERCENT
              && limit.relation() != Relation.EQUAL
              && limit.number().signum() > 0
              && limit.number().compareTo(PERCENT) < 0;
      return none || part
          ? Optional.empty()
          : Optional.of(
              "%s = 0, or a part such as %s <= 0.1%%, since trials differ in length"
                  .formatted(limit.quantity(), limit.quantity()));
    }
    return Optional.empty();
  }

  /** Returns the operation whose requests it judges; empty for all. */
  public Optional<Operation> operation() {
    return limit.operation();
  }

  /**
   * Returns whether a request that failed or timed out violates it; a dropped request always does.
   */
  public boolean isViolatedByFailure() {
    return limit.quantity().kind() != Kind.DROPPED;
  }

  /** Returns whether a request that succeeded after this time violates it. */
  public boolean isViolatedBy(long nanos) {
    return nanos > latestNanos;
  }
}
