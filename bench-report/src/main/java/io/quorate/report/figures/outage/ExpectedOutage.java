// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultAction;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.TimeRange;
import java.util.List;
import java.util.Optional;

/**
 * How long writes are expected to stop at a fault, and how much later than its TTL an abandoned
 * session is expected to end, from the settings of the servers.
 */
public final class ExpectedOutage {
  private static final TimeRange SHORT = TimeRange.settling(0, 0);

  /** Additional time for members that start again. */
  private static final double CATCHING_UP_MS = 5000;

  private static final double KEEP_ALIVES_OF_TTL = 3;

  private ExpectedOutage() {}

  /** Returns the time if the fault ends after its length, which may prevent an election. */
  private static TimeRange within(TimeRange range, double length) {
    return length < range.leastMs() ? TimeRange.settling(length, length) : range;
  }

  /** Returns the expected time; empty if it depends on more than the settings. */
  public static Optional<TimeRange> of(StoreInfo store, FaultPlan.Kind kind) {
    ServerKnowledge servers = store.knowledge();
    ServerSettings settings = store.serverSettings();
    double length = kind.length().toMillis();
    return switch (kind.fault().expectation()) {
      case NONE -> Optional.of(SHORT);
      case ELECTION -> servers.election(settings, true);
      case ELECTION_UNLESS_BACK ->
          servers.election(settings, true).map(each -> within(each, length));
      case ELECTION_BY_TIMEOUT ->
          servers.election(settings, false).map(each -> within(each, length));
      case STEP_DOWN -> servers.stepDown(settings).map(each -> within(each, length));
      case LENGTH_AND_ELECTION ->
          servers
              .election(settings, true)
              .map(each -> new TimeRange(length, length + each.mostMs() + CATCHING_UP_MS));
      case RECONNECTION ->
          servers.electsAfterReset() ? servers.election(settings, true) : Optional.of(SHORT);
      case SLOW_SYNCS -> servers.queuesSlowSyncs() ? Optional.empty() : Optional.of(SHORT);
      case UNKNOWN -> Optional.empty();
    };
  }

  /** Returns a range in words: {@code 1.0 to 2.5 s}, or {@code up to 0.5 s}. */
  public static String text(TimeRange range) {
    return range.leastMs() == 0
        ? "up to %s s".formatted(NumberFormats.fixed(range.mostMs() / 1000, 1))
        : range.text();
  }

  /** Returns the settings of a store that determine the times, and which of them are defaults. */
  public static List<String> timeouts(StoreInfo store) {
    ServerSettings settings = store.serverSettings();
    return store.knowledge().timeouts().stream()
        .map(
            each ->
                "%s %s%s%s"
                    .formatted(
                        each,
                        settings.inForce(each),
                        each.kind() == Setting.Kind.MILLIS ? " ms" : "",
                        settings.has(each) ? "" : " (default)"))
        .toList();
  }

  /**
   * Returns how much later than its TTL a session ends at a fault; empty if it depends on more than
   * the settings.
   */
  public static Optional<TimeRange> overshoot(StoreInfo store, FaultPlan.Kind kind, double ttlMs) {
    FaultAction action = kind.fault().action();
    if (action != FaultAction.Task.TRANSFER_LEADERSHIP
        && !(action instanceof FaultAction.ProcessAction process && !process.impairs())) {
      return Optional.empty();
    }
    return switch (kind.fault().target()) {
      case LEADER -> of(store, kind).flatMap(outage -> overshoot(store, ttlMs, outage));
      case FOLLOWER -> overshoot(store, ttlMs);
      case MAJORITY, ALL, NEW -> Optional.empty();
    };
  }

  /** Returns what is expected with a new leader, which starts all timeouts again. */
  private static Optional<TimeRange> overshoot(StoreInfo store, double ttlMs, TimeRange outage) {
    double again = store.knowledge().renewalMs(store.serverSettings());
    return overshoot(store, ttlMs)
        .map(
            usual ->
                new TimeRange(
                    usual.leastMs(),
                    usual.mostMs() + outage.mostMs() + ttlMs / KEEP_ALIVES_OF_TTL + again));
  }

  /** Returns what is expected while no member fails; empty for an unknown store. */
  public static Optional<TimeRange> overshoot(StoreInfo store, double ttlMs) {
    return store.knowledge().overshoot(store.serverSettings(), ttlMs);
  }
}
