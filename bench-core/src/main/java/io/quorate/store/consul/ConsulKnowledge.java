// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.store.server.MetricEvidence.excess;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
import static io.quorate.store.server.ServerCourse.SERVER_GC_PAUSE_MS;
import static io.quorate.store.server.ServerCourse.SERVER_LEADER_CHANGES;
import static io.quorate.store.server.ServerCourse.SERVER_LOG_SYNC_MS;

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
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What reports have to know about Consul. Times are from its guide about performance: an election
 * takes one to two times 1 s times {@code raft_multiplier}. The leader has a lease of half a
 * heartbeat timeout. {@code session_ttl.go} ends sessions after twice their TTL.
 */
final class ConsulKnowledge implements ServerKnowledge {
  private static final double MS_PER_SECOND = 1000;
  private static final String LOG_WRITE = "consul_raft_leader_dispatchLog";
  private static final String COMMIT = "consul_raft_commitTime";
  private static final String LEADER_CHANGES = "consul_raft_state_leader";
  private static final String GC_PAUSES = "consul_runtime_total_gc_pause_ns";
  private static final MetricSource.Mean LOG_WRITES = MetricSource.Mean.of(LOG_WRITE, 1);

  @Override
  public int color() {
    return 0x009e73;
  }

  @Override
  public Optional<String> promise() {
    return Optional.of("has it in the synced log of a majority");
  }

  @Override
  public Map<ServerCourse, MetricSource> courses() {
    return Map.of(
        SERVER_LOG_SYNC_MS,
        LOG_WRITES,
        SERVER_COMMIT_MS,
        MetricSource.Mean.of(COMMIT, 1),
        SERVER_LEADER_CHANGES,
        new MetricSource.Growth(LEADER_CHANGES, 1),
        SERVER_GC_PAUSE_MS,
        new MetricSource.Growth(GC_PAUSES, 1e-6));
  }

  @Override
  public List<LatencyPart> latencyParts() {
    return List.of(
        new LatencyPart(LatencyPart.Kind.LOG, "write of the log", LOG_WRITES),
        new LatencyPart(
            LatencyPart.Kind.ACKNOWLEDGMENT,
            "round trip between members",
            MetricSource.Mean.of("consul_raft_replication_appendEntries_rpc", 1)));
  }

  @Override
  public List<ServerCheck> checks() {
    return ServerCheck.read(
        ConsulKnowledge.class,
        Map.of(
            "consul-write-capacity",
            ConsulKnowledge::writeCapacity,
            "consul-oldest-log",
            ConsulKnowledge::oldestLog));
  }

  @Override
  public Optional<String> advice(Set<String> reported) {
    if (reported.isEmpty()) {
      return Optional.of("the token needs agent:read for /v1/agent/metrics");
    }
    return reported.contains("consul_raft_applied_index")
        ? Optional.empty()
        : Optional.of(
            "Consul keeps no values for Prometheus, or leaves them out: see"
                + " prometheus_retention_time and prefix_filter of telemetry");
  }

  @Override
  public List<MetricEvidence> evidence() {
    return List.of(
        excess(StallCause.LOG_SYNC, LOG_WRITE, 1),
        excess(StallCause.LOG_SYNC, "consul_raft_rpc_appendEntries_storeLogs", 1),
        work(StallCause.SNAPSHOT, "consul_raft_snapshot_takeSnapshot_sum", 1));
  }

  @Override
  public List<Setting> timeouts() {
    return List.of(ConsulServers.RAFT_MULTIPLIER);
  }

  @Override
  public Optional<TimeRange> election(ServerSettings settings, boolean crash) {
    double timeout = timeoutMs(settings);
    return Optional.of(TimeRange.settling(timeout, 2 * timeout));
  }

  @Override
  public Optional<TimeRange> stepDown(ServerSettings settings) {
    double timeout = timeoutMs(settings);
    return Optional.of(TimeRange.settling(1.5 * timeout, 2.5 * timeout));
  }

  private static double timeoutMs(ServerSettings settings) {
    return MS_PER_SECOND * settings.inForce(ConsulServers.RAFT_MULTIPLIER);
  }

  /** Returns true: the leader writes its log before it replicates. */
  @Override
  public boolean queuesSlowSyncs() {
    return true;
  }

  @Override
  public Optional<TimeRange> overshoot(ServerSettings settings, double ttlMs) {
    return Optional.of(TimeRange.settling(0, ttlMs));
  }

  /** Measures a capacity, of which less is worse. */
  private static Optional<ServerCheck.Measured> writeCapacity(ReportedMetrics member) {
    return ServerCheck.of(
        member.last("consul_raft_boltdb_writeCapacity_p50"),
        value -> -value,
        -100,
        -10,
        value -> commas(Math.round(-value)) + " per second");
  }

  /** Measures an age, of which less is worse, by the time of a restore. */
  private static Optional<ServerCheck.Measured> oldestLog(ReportedMetrics member) {
    double restore = member.last("consul_raft_fsm_lastRestoreDuration").orElse(0);
    OptionalDouble age = member.last("consul_raft_leader_oldestLogAge");
    return ServerCheck.of(
        restore > 0 && age.orElse(0) > 0 ? age : OptionalDouble.empty(),
        value -> -value / restore,
        -2,
        -1,
        value -> fixed(-value, 1) + " times");
  }
}
