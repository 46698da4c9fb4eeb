package io.quorate.store.etcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerHistograms;
import io.quorate.store.server.ServerInternals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads {@code /metrics} of etcd. Quantiles of histograms cover the time since the previous answer.
 * So the first answer has none, and neither has an answer without new values.
 */
public final class EtcdInternals implements ServerInternals {
  private static final Set<String> FIGURES =
      Set.of(
          "etcd_server_has_leader",
          "etcd_server_is_leader",
          "etcd_server_leader_changes_seen_total",
          "etcd_server_proposals_pending",
          "etcd_server_proposals_committed_total",
          "etcd_server_proposals_applied_total",
          "etcd_server_proposals_failed_total",
          "etcd_server_slow_apply_total",
          "etcd_server_heartbeat_send_failures_total",
          "etcd_mvcc_db_total_size_in_bytes",
          "etcd_mvcc_db_total_size_in_use_in_bytes",
          "etcd_debugging_mvcc_keys_total",
          "etcd_network_client_grpc_received_bytes_total",
          "etcd_network_client_grpc_sent_bytes_total");

  static final String LOG_SYNC = "etcd_disk_wal_fsync_duration_seconds";

  private static final List<String> HISTOGRAMS =
      List.of(LOG_SYNC, "etcd_disk_backend_commit_duration_seconds");
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final String BUCKET = "_bucket{le=\"";

  private final ServerHistograms histograms = new ServerHistograms();

  @Override
  public Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    return parsed(HttpResponseText.content(endpoint, access, "/metrics", Map.of(), limit));
  }

  @Override
  public List<Wait> waits() {
    return List.of(
        new Wait(HISTOGRAMS.get(0) + "_p99", "the WAL's fsync", MILLIS_PER_SECOND),
        new Wait(HISTOGRAMS.get(1) + "_p99", "the backend's commit", MILLIS_PER_SECOND));
  }

  public Map<String, Double> parsed(String metrics) {
    Map<String, Double> figures = new TreeMap<>();
    metrics.lines().filter(line -> line.startsWith("etcd_")).forEach(line -> take(line, figures));
    histograms.end(figures);
    return figures;
  }

  private void take(String line, Map<String, Double> figures) {
    int blank = line.lastIndexOf(' ');
    if (blank < 0) {
      return;
    }
    String name = line.substring(0, blank);
    if (FIGURES.contains(name)) {
      Figure.put(figures, name, line.substring(blank + 1));
    }
    for (String histogram : HISTOGRAMS) {
      if (name.equals(histogram + "_count") || name.equals(histogram + "_sum")) {
        Figure.put(figures, name, line.substring(blank + 1));
      } else if (name.startsWith(histogram + BUCKET) && name.endsWith("\"}")) {
        String bound = name.substring(histogram.length() + BUCKET.length(), name.length() - 2);
        histograms.take(histogram, bound, line.substring(blank + 1));
      }
    }
  }
}
