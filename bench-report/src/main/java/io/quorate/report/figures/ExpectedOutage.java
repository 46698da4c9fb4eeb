// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.TimeRange;
import java.util.List;
import java.util.Optional;

/** How long writes are expected to stop at a fault, from the settings of the servers. */
public final class ExpectedOutage {
  private static final TimeRange SHORT = TimeRange.settling(0, 0);

  /** Additional time for members that start again. */
  private static final double CATCHING_UP_MS = 5000;

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
    return switch (kind.fault()) {
      case KILL_LEADER -> servers.election(settings, true);
      case PAUSE_LEADER -> servers.election(settings, false).map(each -> within(each, length));
      case ISOLATE_LEADER, ISOLATE_LEADER_OUT ->
          servers.election(settings, false).map(each -> within(each, length));
      case ISOLATE_LEADER_RESET ->
          servers.election(settings, true).map(each -> within(each, length));
      case ISOLATE_LEADER_IN -> servers.stepDown(settings).map(each -> within(each, length));
      case RESET_LEADER ->
          servers.electsAfterReset() ? servers.election(settings, true) : Optional.of(SHORT);
      case PARTITION_LEADER,
          PARTITION_LEADER_RESET,
          ISOLATE_FOLLOWER,
          ISOLATE_FOLLOWER_RESET,
          CLIENTS_OFF_LEADER,
          CLIENTS_OFF_LEADER_RESET,
          SLOW_LEADER,
          KILL_FOLLOWER,
          PAUSE_FOLLOWER,
          LAG_FOLLOWER,
          TRANSFER_LEADER,
          RELOAD_CERTIFICATES ->
          Optional.of(SHORT);
      case SLOW_FSYNC -> servers.queuesSlowSyncs() ? Optional.empty() : Optional.of(SHORT);
      case KILL_MAJORITY, KILL_ALL ->
          servers
              .election(settings, true)
              .map(each -> new TimeRange(length, length + each.mostMs() + CATCHING_UP_MS));
      case BLOCKED_LOG, STOP_LEADER, ROLLING_RESTART, ROLLING_UPGRADE, STALE_DIFF ->
          Optional.empty();
      // depends on the size of the data
      case DEFRAGMENT_LEADER, DEFRAGMENT, COMPACT, SNAPSHOT, ADD_MEMBER -> Optional.empty();
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
}
