// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
import static io.quorate.store.server.ServerCourse.SERVER_LOG_SYNC_MS;
import static io.quorate.store.server.ServerCourse.SERVER_QUEUE;

import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.ServerCourse;
import io.quorate.store.server.ServerKnowledge;
import java.util.List;
import java.util.Map;

/** What reports have to know about ZooKeeper. */
final class ZooKeeperKnowledge implements ServerKnowledge {
  private static final MetricSource.Mean LOG_SYNC =
      new MetricSource.Mean("zk_sum_fsynctime", "zk_cnt_fsynctime", 1);
  private static final MetricSource.Mean QUORUM =
      new MetricSource.Mean("zk_sum_quorum_ack_latency", "zk_cnt_quorum_ack_latency", 1);
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
}
