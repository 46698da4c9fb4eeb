// SPDX-License-Identifier: Apache-2.0
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
          "etcd_debugging_mvcc_watcher_total",
          "etcd_debugging_mvcc_slow_watcher_total",
          "etcd_disk_defrag_inflight",
          "etcd_server_quota_backend_bytes",
          "etcd_network_client_grpc_received_bytes_total",
          "etcd_network_client_grpc_sent_bytes_total",
          "process_open_fds",
          "process_max_fds",
          "process_resident_memory_bytes",
          "go_gc_duration_seconds_sum",
          "go_gc_duration_seconds_count");

  static final String LOG_SYNC = "etcd_disk_wal_fsync_duration_seconds";

  static final String COMMIT = "etcd_disk_backend_commit_duration_seconds";

  static final String COMPACTION = "etcd_debugging_mvcc_db_compaction_total_duration_milliseconds";

  /** Histograms; those with labels, of peers and kinds of requests, are added up. */
  private static final Set<String> HISTOGRAMS =
      Set.of(
          LOG_SYNC,
          COMMIT,
          "etcd_debugging_mvcc_db_compaction_pause_duration_milliseconds",
          COMPACTION,
          "etcd_debugging_snap_save_total_duration_seconds",
          "etcd_disk_backend_defrag_duration_seconds",
          "etcd_disk_backend_snapshot_duration_seconds",
          "etcd_network_peer_round_trip_time_seconds",
          "etcd_server_apply_duration_seconds",
          "etcd_snap_db_save_total_duration_seconds");

  /** Bytes that a member sent to the others, by peer. */
  static final String PEER_SENT = "etcd_network_peer_sent_bytes_total";

  private static final double MILLIS_PER_SECOND = 1e3;

  private static final Pattern BOUND = Pattern.compile("[{,]le=\"([^\"]*)\"");

  private static final Map<String, String> BUCKETS =
      HISTOGRAMS.stream()
          .collect(Collectors.toUnmodifiableMap(each -> each + "_bucket", each -> each));

  private static final Set<String> SUMS =
      Stream.concat(
              Stream.of(PEER_SENT),
              HISTOGRAMS.stream().flatMap(each -> Stream.of(each + "_sum", each + "_count")))
          .collect(Collectors.toUnmodifiableSet());

  private final ServerHistograms histograms = new ServerHistograms();

  @Override
  public Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    return parsed(HttpResponseText.content(endpoint, access, "/metrics", Map.of(), limit));
  }

  @Override
  public List<Wait> waits() {
    return List.of(
        new Wait(LOG_SYNC + "_p99", "the WAL's fsync", MILLIS_PER_SECOND),
        new Wait(COMMIT + "_p99", "the backend's commit", MILLIS_PER_SECOND));
  }

  public Map<String, Double> parsed(String metrics) {
    Map<String, Double> figures = new TreeMap<>();
    metrics.lines().flatMap(Figure.Line::of).forEach(line -> take(line, figures));
    histograms.end(figures);
    return figures;
  }

  private void take(Figure.Line line, Map<String, Double> figures) {
    String name = line.name();
    if (FIGURES.contains(name)) {
      figures.put(name, line.value());
    } else if (SUMS.contains(name)) {
      figures.merge(name, line.value(), Double::sum);
    } else if (BUCKETS.containsKey(name)) {
      Matcher bound = BOUND.matcher(line.labels());
      if (bound.find()) {
        histograms.take(BUCKETS.get(name), bound.group(1), line.value());
      }
    }
  }
}
