// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import java.util.Optional;

/**
 * How long writes are expected to stop, from the settings of the servers. The sources are etcd's
 * {@code server/embed/config.go} (a follower waits one to two election timeouts, 1 s), ZooKeeper's
 * {@code FastLeaderElection} (200 ms) and {@code Learner} (tickTime times syncLimit), and Consul's
 * guide about its performance (one to two times 1 s times {@code raft_multiplier}). ZooKeeper's
 * followers close all connections without a leader, and its client waits before it connects again
 * ({@code ClientCnxn}, {@code StaticHostProvider}: up to 2 s).
 *
 * @param leastMs shortest time
 * @param mostMs longest time
 */
public record ExpectedOutage(double leastMs, double mostMs) {
  private static final double MS_PER_SECOND = 1000;

  /** Time for an election and the first request, once members know that they need a leader. */
  private static final double SETTLING_MS = 500;

  /** Longest time that a client of ZooKeeper waits before it connects again. */
  private static final double RECONNECTION_MS = 2000;

  /** Returns the expected time; empty if it depends on more than the settings. */
  static Optional<ExpectedOutage> ofElection(StoreInfo store, boolean crash) {
    return switch (store.baseId()) {
      case "etcd" -> {
        double timeout = TimeoutSetting.ELECTION_TIMEOUT.of(store);
        yield Optional.of(new ExpectedOutage(timeout, 2 * timeout + SETTLING_MS));
      }
      case "zookeeper" ->
          Optional.of(
              crash
                  ? new ExpectedOutage(200, RECONNECTION_MS + SETTLING_MS)
                  : new ExpectedOutage(
                      silenceMs(store), silenceMs(store) + RECONNECTION_MS + SETTLING_MS));
      case "consul" -> {
        double timeout = MS_PER_SECOND * TimeoutSetting.RAFT_MULTIPLIER.of(store);
        yield Optional.of(new ExpectedOutage(timeout, 2 * timeout + SETTLING_MS));
      }
      default -> Optional.empty();
    };
  }

  /**
   * Returns the time until a leader that receives nothing steps down, and another one is elected.
   * Until then its heartbeats prevent an election. etcd's leader checks its majority once in an
   * election timeout ({@code CheckQuorum}); Consul's has a lease of half a heartbeat timeout. The
   * other members of ZooKeeper may elect the same leader again.
   */
  private static Optional<ExpectedOutage> ofStepDown(StoreInfo store) {
    return switch (store.baseId()) {
      case "etcd" -> {
        double timeout = TimeoutSetting.ELECTION_TIMEOUT.of(store);
        yield Optional.of(new ExpectedOutage(2 * timeout, 4 * timeout + SETTLING_MS));
      }
      case "consul" -> {
        double timeout = MS_PER_SECOND * TimeoutSetting.RAFT_MULTIPLIER.of(store);
        yield Optional.of(new ExpectedOutage(1.5 * timeout, 2.5 * timeout + SETTLING_MS));
      }
      default -> Optional.empty();
    };
  }

  /** Returns the time if the fault ends after its length, which may prevent an election. */
  private ExpectedOutage within(double length) {
    return length < leastMs ? new ExpectedOutage(length, length + SETTLING_MS) : this;
  }

  /** Returns how long a ZooKeeper follower waits for a silent leader. */
  private static double silenceMs(StoreInfo store) {
    return TimeoutSetting.TICK_TIME.of(store) * TimeoutSetting.SYNC_LIMIT.of(store);
  }

  /** Returns how long writes are expected to stop at a fault. */
  public static Optional<ExpectedOutage> of(StoreInfo store, FaultPlan.Kind kind) {
    double length = kind.length().toMillis();
    return switch (kind.fault()) {
      case KILL_LEADER -> ofElection(store, true);
      case PAUSE_LEADER -> ofElection(store, false).map(each -> each.within(length));
      case ISOLATE_LEADER, ISOLATE_LEADER_OUT ->
          ofElection(store, false).map(each -> each.within(length));
      case ISOLATE_LEADER_RESET -> ofElection(store, true).map(each -> each.within(length));
      case ISOLATE_LEADER_IN -> ofStepDown(store).map(each -> each.within(length));
      case RESET_LEADER ->
          store.baseId().equals("zookeeper")
              ? ofElection(store, true)
              : Optional.of(new ExpectedOutage(0, SETTLING_MS));
      case PARTITION_LEADER,
          PARTITION_LEADER_RESET,
          ISOLATE_FOLLOWER,
          ISOLATE_FOLLOWER_RESET,
          CLIENTS_OFF_LEADER,
          CLIENTS_OFF_LEADER_RESET,
          SLOW_LEADER ->
          Optional.of(new ExpectedOutage(0, SETTLING_MS));
      case KILL_FOLLOWER, PAUSE_FOLLOWER, LAG_FOLLOWER, TRANSFER_LEADER ->
          Optional.of(new ExpectedOutage(0, SETTLING_MS));
      // Consul's leader writes its log before it replicates, so its queue may grow
      case SLOW_FSYNC ->
          store.baseId().equals("consul")
              ? Optional.empty()
              : Optional.of(new ExpectedOutage(0, SETTLING_MS));
      case KILL_MAJORITY, KILL_ALL ->
          ofElection(store, true)
              .map(each -> new ExpectedOutage(length, length + each.mostMs + 5 * MS_PER_SECOND));
      case BLOCKED_LOG, STOP_LEADER, ROLLING_RESTART, ROLLING_UPGRADE, STALE_DIFF ->
          Optional.empty();
      // depends on the size of the data
      case DEFRAGMENT_LEADER, DEFRAGMENT, COMPACT, SNAPSHOT, ADD_MEMBER -> Optional.empty();
      case RELOAD_CERTIFICATES -> Optional.of(new ExpectedOutage(0, SETTLING_MS));
    };
  }

  /** Returns the range in words: {@code 1.0 to 2.5 s}, or {@code up to 0.5 s}. */
  public String text() {
    if (leastMs == 0) {
      return "up to %s s".formatted(NumberFormats.fixed(mostMs / MS_PER_SECOND, 1));
    }
    return "%s to %s s"
        .formatted(
            NumberFormats.fixed(leastMs / MS_PER_SECOND, 1),
            NumberFormats.fixed(mostMs / MS_PER_SECOND, 1));
  }
}
