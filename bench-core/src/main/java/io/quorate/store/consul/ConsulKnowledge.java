// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static io.quorate.store.server.MetricEvidence.excess;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
import static io.quorate.store.server.ServerCourse.SERVER_GC_PAUSE_MS;
import static io.quorate.store.server.ServerCourse.SERVER_LEADER_CHANGES;
import static io.quorate.store.server.ServerCourse.SERVER_LOG_SYNC_MS;

import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.MetricEvidence;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ServerCourse;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StallCause;
import java.util.List;
import java.util.Map;

/** What reports have to know about Consul. */
final class ConsulKnowledge implements ServerKnowledge {
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
  public List<MetricEvidence> evidence() {
    return List.of(
        excess(StallCause.LOG_SYNC, LOG_WRITE, 1),
        excess(StallCause.LOG_SYNC, "consul_raft_rpc_appendEntries_storeLogs", 1),
        work(StallCause.SNAPSHOT, "consul_raft_snapshot_takeSnapshot_sum", 1));
  }
}
