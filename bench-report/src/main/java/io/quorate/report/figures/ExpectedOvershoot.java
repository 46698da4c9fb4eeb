// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultAction;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.server.TimeRange;
import java.util.Optional;

/** How much later than its TTL an abandoned session is expected to end. */
public final class ExpectedOvershoot {
  private static final double KEEP_ALIVES_OF_TTL = 3;

  private ExpectedOvershoot() {}

  /** Returns what is expected of a fault; empty if it depends on more than the settings. */
  public static Optional<TimeRange> of(StoreInfo store, FaultPlan.Kind kind, double ttlMs) {
    FaultAction action = kind.fault().action();
    if (action != FaultAction.Task.TRANSFER_LEADERSHIP
        && !(action instanceof FaultAction.ProcessAction process && !process.impairs())) {
      return Optional.empty();
    }
    return switch (kind.fault().target()) {
      case LEADER -> ExpectedOutage.of(store, kind).flatMap(outage -> of(store, ttlMs, outage));
      case FOLLOWER -> of(store, ttlMs);
      case MAJORITY, ALL, NEW -> Optional.empty();
    };
  }

  /** Returns what is expected with a new leader, which starts all timeouts again. */
  private static Optional<TimeRange> of(StoreInfo store, double ttlMs, TimeRange outage) {
    double again = store.knowledge().renewalMs(store.serverSettings());
    return of(store, ttlMs)
        .map(
            usual ->
                new TimeRange(
                    usual.leastMs(),
                    usual.mostMs() + outage.mostMs() + ttlMs / KEEP_ALIVES_OF_TTL + again));
  }

  /** Returns what is expected while no member fails; empty for an unknown store. */
  public static Optional<TimeRange> of(StoreInfo store, double ttlMs) {
    return store.knowledge().overshoot(store.serverSettings(), ttlMs);
  }
}
