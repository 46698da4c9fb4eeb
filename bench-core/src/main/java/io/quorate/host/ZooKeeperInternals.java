package io.quorate.host;

import io.quorate.driver.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Asks ZooKeeper with the four-letter word {@code mntr}, which it must be allowed to answer. */
final class ZooKeeperInternals implements ServerInternals {
  private static final Set<String> FIGURES =
      Set.of(
          "zk_avg_latency",
          "zk_min_latency",
          "zk_max_latency",
          "zk_packets_received",
          "zk_packets_sent",
          "zk_num_alive_connections",
          "zk_outstanding_requests",
          "zk_znode_count",
          "zk_watch_count",
          "zk_ephemerals_count",
          "zk_approximate_data_size",
          "zk_open_file_descriptor_count",
          "zk_followers",
          "zk_synced_followers",
          "zk_pending_syncs",
          "zk_cnt_fsynctime",
          "zk_sum_fsynctime",
          "zk_max_fsynctime",
          "zk_cnt_snapshottime",
          "zk_sum_snapshottime",
          "zk_commit_count",
          "zk_diff_count",
          "zk_snap_count",
          "zk_looking_count",
          "zk_connection_drop_count",
          "zk_request_throttle_wait_count",
          "zk_jvm_pause_time_ms_cnt",
          "zk_jvm_pause_time_ms_sum");

  @Override
  public Map<String, Double> ask(Endpoint endpoint, Duration limit) throws IOException {
    Map<String, Double> figures = parsed(BoundedAnswer.to(endpoint, "mntr", limit));
    if (figures.isEmpty()) {
      throw new IOException("does not answer to mntr");
    }
    return figures;
  }

  static Map<String, Double> parsed(String answer) {
    Map<String, Double> figures = new TreeMap<>();
    answer
        .lines()
        .map(line -> line.split("\t", -1))
        .filter(parts -> parts.length == 2 && FIGURES.contains(parts[0]))
        .forEach(parts -> Figure.parse(parts[1]).ifPresent(value -> figures.put(parts[0], value)));
    return figures;
  }
}
