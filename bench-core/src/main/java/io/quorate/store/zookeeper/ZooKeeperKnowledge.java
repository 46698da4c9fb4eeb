// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static io.quorate.format.NumberFormats.percent;
import static io.quorate.store.server.MetricEvidence.count;
import static io.quorate.store.server.MetricEvidence.highest;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
import static io.quorate.store.server.ServerCourse.SERVER_LOG_SYNC_MS;
import static io.quorate.store.server.ServerCourse.SERVER_QUEUE;

import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.MetricEvidence;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ReportedMetrics;
import io.quorate.store.server.ServerCheck;
import io.quorate.store.server.ServerCourse;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StallCause;
import io.quorate.store.server.TimeRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What reports have to know about ZooKeeper. Times are from {@code FastLeaderElection} (200 ms),
 * {@code Learner} (tickTime times syncLimit) and {@code ExpiryQueue}: the end of a session is
 * rounded up to a tick, and followers report keep-alives to the leader every half tick.
 */
final class ZooKeeperKnowledge implements ServerKnowledge {
  private static final MetricSource.Mean LOG_SYNC =
      new MetricSource.Mean("zk_sum_fsynctime", "zk_cnt_fsynctime", 1);
  private static final MetricSource.Mean QUORUM =
      new MetricSource.Mean("zk_sum_quorum_ack_latency", "zk_cnt_quorum_ack_latency", 1);
  private static final MetricSource.Mean SNAPSHOTS =
      new MetricSource.Mean("zk_sum_snapshottime", "zk_cnt_snapshottime", 1);
  private static final String JVM_PAUSES = "zk_sum_jvm_pause_time_ms";
  private static final String COLLECTIONS = "zk_jvm_gc_collection_seconds_sum";
  private static final String OUTSTANDING = "zk_outstanding_requests";
  private static final double ELECTION_MS = 200;

  /**
   * Longest time that a client waits before it connects again ({@code ClientCnxn}, {@code
   * StaticHostProvider}), as followers close all connections without a leader.
   */
  private static final double RECONNECTION_MS = 2000;

  private static final String NODES = "zk_znode_count";
  private static final String DATA_SIZE = "zk_approximate_data_size";

  @Override
  public int color() {
    return 0xd55e00;
  }

  @Override
  public Optional<String> promise() {
    return Optional.of("has it in the synced transaction log of a majority");
  }

  @Override
  public Map<ServerCourse, MetricSource> courses() {
    return Map.of(
        SERVER_LOG_SYNC_MS, LOG_SYNC,
        SERVER_COMMIT_MS, QUORUM,
        SERVER_QUEUE, new MetricSource.Most(OUTSTANDING));
  }

  @Override
  public List<LatencyPart> latencyParts() {
    return List.of(
        new LatencyPart(LatencyPart.Kind.LOG, "fsync of the log", LOG_SYNC),
        new LatencyPart(LatencyPart.Kind.ACKNOWLEDGMENT, "acknowledgment by the quorum", QUORUM));
  }

  @Override
  public List<ServerCheck> checks() {
    return ServerCheck.read(
        ZooKeeperKnowledge.class, Map.of("zookeeper-jvm-pauses", ZooKeeperKnowledge::pauses));
  }

  @Override
  public Optional<String> advice(Set<String> reported) {
    if (reported.isEmpty()) {
      return Optional.of("allow mntr in 4lw.commands.whitelist");
    }
    return reported.contains(NODES) && !reported.contains(DATA_SIZE)
        ? Optional.of("it answers to srvr only: allow mntr in 4lw.commands.whitelist")
        : Optional.empty();
  }

  @Override
  public List<MetricEvidence> evidence() {
    return List.of(
        highest(StallCause.LOG_SYNC, "zk_fsynctime", 1),
        work(StallCause.SNAPSHOT, SNAPSHOTS.sum(), 1),
        work(StallCause.JVM_PAUSE, JVM_PAUSES, 1),
        count(StallCause.LIMIT, "zk_throttled_ops"));
  }

  /** Returns fsyncs, as their least time in the log is 20 ms by default. */
  @Override
  public Set<StallCause> logged() {
    return Set.of(StallCause.LOG_SYNC);
  }

  @Override
  public Optional<String> collections() {
    return Optional.of(COLLECTIONS);
  }

  @Override
  public Optional<String> dataSize() {
    return Optional.of(DATA_SIZE);
  }

  @Override
  public List<Setting> timeouts() {
    return List.of(ZooKeeperServers.TICK, ZooKeeperServers.INIT, ZooKeeperServers.SYNC);
  }

  @Override
  public Optional<TimeRange> election(ServerSettings settings, boolean crash) {
    double silence =
        settings.inForce(ZooKeeperServers.TICK) * settings.inForce(ZooKeeperServers.SYNC);
    return Optional.of(
        crash
            ? TimeRange.settling(ELECTION_MS, RECONNECTION_MS)
            : TimeRange.settling(silence, silence + RECONNECTION_MS));
  }

  @Override
  public boolean electsAfterReset() {
    return true;
  }

  @Override
  public Optional<TimeRange> overshoot(ServerSettings settings, double ttlMs) {
    return Optional.of(TimeRange.settling(0, 1.5 * settings.inForce(ZooKeeperServers.TICK)));
  }

  /** Measures pauses of JVMs; shows how much of them is garbage collection if that is known. */
  private static Optional<ServerCheck.Measured> pauses(ReportedMetrics member) {
    String collections =
        member.growth(COLLECTIONS).stream()
            .mapToObj(each -> "; garbage collection " + percent(1_000 * each / member.millis()))
            .findFirst()
            .orElse("");
    return ServerCheck.of(
        member.growth(JVM_PAUSES),
        pause -> pause / member.millis(),
        0.01,
        0.05,
        part -> percent(part) + collections);
  }
}
