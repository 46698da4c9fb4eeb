// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerHistograms;
import io.quorate.store.server.ServerInternals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads ZooKeeper's metrics with the four-letter word {@code mntr}. Without {@link ServerMetrics},
 * its answer has some lines for each node under the root that was ever written. If the answer
 * becomes too long, or {@code mntr} is not allowed, {@code srvr} is used from then on, which has
 * fewer values.
 */
public final class ZooKeeperInternals implements ServerInternals {
  /** Names of the values in {@code srvr}, with their names in {@code mntr}. */
  private static final Map<String, String> FIGURES_OF_SRVR =
      Map.of(
          "received", "zk_packets_received",
          "sent", "zk_packets_sent",
          "connections", "zk_num_alive_connections",
          "outstanding", "zk_outstanding_requests",
          "node count", "zk_znode_count");

  private static final String LATENCY = "latency min/avg/max";
  private static final List<String> LATENCIES =
      List.of("zk_min_latency", "zk_avg_latency", "zk_max_latency");

  private static final String FSYNC = "zk_fsynctime";
  private static final String QUORUM = "zk_quorum_ack_latency";

  private static final Set<String> FIGURES_OF_MNTR =
      Stream.of(
              FIGURES_OF_SRVR.values().stream(),
              LATENCIES.stream(),
              Stream.of(
                  "zk_cnt_fsynctime",
                  "zk_sum_fsynctime",
                  "zk_cnt_quorum_ack_latency",
                  "zk_sum_quorum_ack_latency",
                  "zk_cnt_snapshottime",
                  "zk_sum_snapshottime",
                  "zk_approximate_data_size",
                  "zk_cnt_election_time",
                  "zk_sum_election_time",
                  "zk_cnt_jvm_pause_time_ms",
                  "zk_sum_jvm_pause_time_ms",
                  "zk_cnt_leader_unavailable_time",
                  "zk_sum_leader_unavailable_time",
                  "zk_diff_count",
                  "zk_fsync_threshold_exceed_count",
                  "zk_jvm_gc_collection_seconds_count",
                  "zk_jvm_gc_collection_seconds_sum",
                  "zk_jvm_memory_bytes_max",
                  "zk_jvm_memory_bytes_used",
                  "zk_looking_count",
                  "zk_max_file_descriptor_count",
                  "zk_open_file_descriptor_count",
                  "zk_pending_syncs",
                  "zk_request_throttle_wait_count",
                  "zk_snap_count",
                  "zk_synced_followers",
                  "zk_throttled_ops",
                  "zk_uptime",
                  "zk_watch_count"))
          .flatMap(names -> names)
          .collect(Collectors.toUnmodifiableSet());

  private final ServerHistograms histograms = new ServerHistograms();
  private boolean tellsAll = true;

  @Override
  public Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    Map<String, Double> figures = tellsAll ? all(endpoint, access, limit) : Map.of();
    if (figures.isEmpty()) {
      figures = parsed(FourLetterWord.SRVR.ask(endpoint, access, limit));
      tellsAll = false;
    }
    if (figures.isEmpty()) {
      throw new IOException(
          "answers neither to mntr nor to srvr: add mntr to 4lw.commands.whitelist");
    }
    return figures;
  }

  private Map<String, Double> all(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    try {
      return parsedAll(FourLetterWord.MNTR.ask(endpoint, access, limit));
    } catch (FourLetterWord.TooLongException growing) {
      return Map.of();
    }
  }

  @Override
  public List<Wait> waits() {
    return List.of(
        new Wait(FSYNC + "_p99", "the transaction log's fsync", 1),
        new Wait(QUORUM + "_p99", "the quorum's acknowledgment", 1));
  }

  public Map<String, Double> parsedAll(String answer) {
    Map<String, Double> figures = new TreeMap<>();
    answer
        .lines()
        .map(line -> line.split("\t", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> takeLine(parts[0], parts[1].strip(), figures));
    histograms.end(figures);
    return figures;
  }

  private void takeLine(String name, String text, Map<String, Double> figures) {
    if (FIGURES_OF_MNTR.contains(name)) {
      Figure.put(figures, name, text);
    }
    for (String time : List.of(FSYNC, QUORUM)) {
      if (name.startsWith(time + ServerMetrics.BUCKET)) {
        String bound = name.substring(time.length() + ServerMetrics.BUCKET.length());
        Figure.parse(text).ifPresent(count -> histograms.take(time, bound, count));
      }
    }
  }

  public static Map<String, Double> parsed(String answer) {
    Map<String, Double> figures = new TreeMap<>();
    answer
        .lines()
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> take(parts[0].toLowerCase(Locale.ROOT), parts[1].strip(), figures));
    return figures;
  }

  private static void take(String name, String text, Map<String, Double> figures) {
    if (name.equals(LATENCY)) {
      String[] values = text.split("/", -1);
      for (int i = 0; i < values.length && values.length == LATENCIES.size(); i++) {
        Figure.put(figures, LATENCIES.get(i), values[i]);
      }
    } else if (FIGURES_OF_SRVR.containsKey(name)) {
      Figure.put(figures, FIGURES_OF_SRVR.get(name), text);
    }
  }
}
