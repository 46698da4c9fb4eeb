// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static io.quorate.store.server.MetricEvidence.count;
import static io.quorate.store.server.MetricEvidence.highest;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
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
import java.util.Optional;
import java.util.Set;

/** What reports have to know about ZooKeeper. */
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

  @Override
  public int color() {
    return 0xd55e00;
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
}
