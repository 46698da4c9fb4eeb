// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static io.quorate.store.server.MetricEvidence.count;
import static io.quorate.store.server.MetricEvidence.highest;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
import static io.quorate.store.server.ServerCourse.SERVER_LEADER_CHANGES;
import static io.quorate.store.server.ServerCourse.SERVER_LOG_SYNC_MS;
import static io.quorate.store.server.ServerCourse.SERVER_QUEUE;

import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.MetricEvidence;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ServerCourse;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StallCause;
import java.util.List;
import java.util.Map;

/** What reports have to know about etcd. */
final class EtcdKnowledge implements ServerKnowledge {
  private static final MetricSource.Mean LOG_SYNC =
      MetricSource.Mean.of(EtcdInternals.LOG_SYNC, 1e3);
  private static final MetricSource.Mean COMMIT = MetricSource.Mean.of(EtcdInternals.COMMIT, 1e3);
  private static final MetricSource.Mean ROUND_TRIP =
      MetricSource.Mean.of("etcd_network_peer_round_trip_time_seconds", 1e3);
  private static final String LEADER_CHANGES = "etcd_server_leader_changes_seen_total";
  private static final String SLOW_APPLIES = "etcd_server_slow_apply_total";
  private static final String PENDING = "etcd_server_proposals_pending";

  @Override
  public int color() {
    return 0x0072b2;
  }

  @Override
  public Map<ServerCourse, MetricSource> courses() {
    return Map.of(
        SERVER_LOG_SYNC_MS,
        LOG_SYNC,
        SERVER_COMMIT_MS,
        COMMIT,
        SERVER_QUEUE,
        new MetricSource.Most(PENDING),
        SERVER_LEADER_CHANGES,
        new MetricSource.Growth(LEADER_CHANGES, 1));
  }

  @Override
  public List<LatencyPart> latencyParts() {
    return List.of(
        new LatencyPart(LatencyPart.Kind.LOG, "fsync of the log", LOG_SYNC),
        new LatencyPart(LatencyPart.Kind.COMMIT, "commit to the database", COMMIT),
        new LatencyPart(LatencyPart.Kind.ROUND_TRIP, "round trip between members", ROUND_TRIP));
  }

  @Override
  public List<MetricEvidence> evidence() {
    return List.of(
        highest(StallCause.LOG_SYNC, EtcdInternals.LOG_SYNC, 1e3),
        highest(StallCause.COMMIT, EtcdInternals.COMMIT, 1e3),
        work(StallCause.DEFRAGMENTATION, "etcd_disk_backend_defrag_duration_seconds_sum", 1e3),
        work(StallCause.SNAPSHOT, "etcd_snap_db_save_total_duration_seconds_sum", 1e3),
        work(StallCause.SNAPSHOT, "etcd_debugging_snap_save_total_duration_seconds_sum", 1e3),
        work(StallCause.SNAPSHOT, "etcd_disk_backend_snapshot_duration_seconds_sum", 1e3),
        work(
            StallCause.COMPACTION,
            "etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_sum",
            1),
        count(StallCause.LEADER_CHANGE, LEADER_CHANGES),
        count(StallCause.APPLY, SLOW_APPLIES));
  }
}
