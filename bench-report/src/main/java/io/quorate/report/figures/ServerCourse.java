// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.HostFiles.InternalRow;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What servers reported of themselves, by seconds of a run. Each constant has the metrics of the
 * stores that report it: etcd, ZooKeeper and Consul have other names and units for the same.
 */
public enum ServerCourse {
  SERVER_LOG_SYNC_MS(
      new Mean(
          "etcd_disk_wal_fsync_duration_seconds_sum",
          "etcd_disk_wal_fsync_duration_seconds_count",
          1e3),
      new Mean("zk_sum_fsynctime", "zk_cnt_fsynctime", 1),
      new Mean("consul_raft_leader_dispatchLog_sum", "consul_raft_leader_dispatchLog_count", 1)),
  SERVER_COMMIT_MS(
      new Mean(
          "etcd_disk_backend_commit_duration_seconds_sum",
          "etcd_disk_backend_commit_duration_seconds_count",
          1e3),
      new Mean("zk_sum_quorum_ack_latency", "zk_cnt_quorum_ack_latency", 1),
      new Mean("consul_raft_commitTime_sum", "consul_raft_commitTime_count", 1)),
  SERVER_QUEUE(new Most("etcd_server_proposals_pending"), new Most("zk_outstanding_requests")),
  SERVER_LEADER_CHANGES(
      new Growth("etcd_server_leader_changes_seen_total", 1),
      new Growth("consul_raft_state_leader", 1)),
  SERVER_GC_PAUSE_MS(new Growth("consul_runtime_total_gc_pause_ns", 1e-6));

  private final List<Source> sources;

  ServerCourse(Source... sources) {
    this.sources = List.of(sources);
  }

  /** Where the values of a store come from. */
  private sealed interface Source permits Mean, Most, Growth {
    /** Returns a value for each second; NaN where nothing is known. */
    double[] values(List<InternalRow> rows, long first, int seconds);
  }

  /** Returns the name of the column and the plot. */
  public String title() {
    return name().replace('_', '-').toUpperCase(Locale.ROOT);
  }

  /**
   * Returns a value for each second of the courses that the servers reported. Changes of the leader
   * are there only if the leader changed.
   */
  static Map<ServerCourse, double[]> of(List<InternalRow> rows, long first, int seconds) {
    Map<ServerCourse, double[]> known = new EnumMap<>(ServerCourse.class);
    for (ServerCourse course : values()) {
      for (Source source : course.sources) {
        double[] values = source.values(rows, first, seconds);
        if (Arrays.stream(values).anyMatch(course::isKnown)) {
          known.put(course, values);
        }
      }
    }
    return known;
  }

  private boolean isKnown(double value) {
    return this == SERVER_LEADER_CHANGES ? value > 0 : !Double.isNaN(value);
  }

  /** The growth of a sum by the growth of a count, over all members. */
  private record Mean(String sum, String count, double factor) implements Source {
    @Override
    public double[] values(List<InternalRow> rows, long first, int seconds) {
      double[] sums = added(growth(rows, sum, first, seconds), seconds);
      double[] counts = added(growth(rows, count, first, seconds), seconds);
      for (int i = 0; i < seconds; i++) {
        sums[i] = counts[i] > 0 ? factor * sums[i] / counts[i] : Double.NaN;
      }
      return sums;
    }
  }

  /** The value of the member with the greatest. */
  private record Most(String metric) implements Source {
    @Override
    public double[] values(List<InternalRow> rows, long first, int seconds) {
      double[] most = unknown(seconds);
      for (InternalRow row : rows) {
        long second = row.unixSecond() - first;
        if (row.metric().equals(metric) && second >= 0 && second < seconds) {
          most[(int) second] = most(most[(int) second], row.value());
        }
      }
      return most;
    }
  }

  /** The growth of the member in which it is greatest. */
  private record Growth(String metric, double factor) implements Source {
    @Override
    public double[] values(List<InternalRow> rows, long first, int seconds) {
      double[] most = unknown(seconds);
      for (double[] growth : growth(rows, metric, first, seconds).values()) {
        for (int i = 0; i < seconds; i++) {
          if (!Double.isNaN(growth[i])) {
            most[i] = most(most[i], factor * growth[i]);
          }
        }
      }
      return most;
    }
  }

  /** Returns by how much a counter of each member grew since the second before. */
  private static Map<Integer, double[]> growth(
      List<InternalRow> rows, String metric, long first, int seconds) {
    Map<Integer, double[]> growth = new HashMap<>();
    Map<Integer, InternalRow> before = new HashMap<>();
    for (InternalRow row : rows) {
      if (row.metric().equals(metric)) {
        InternalRow last = before.put(row.member(), row);
        long second = row.unixSecond() - first;
        if (last != null
            && second >= 0
            && second < seconds
            && row.unixSecond() - last.unixSecond() == 1
            && row.value() >= last.value()) {
          growth.computeIfAbsent(row.member(), any -> unknown(seconds))[(int) second] =
              row.value() - last.value();
        }
      }
    }
    return growth;
  }

  private static double[] added(Map<Integer, double[]> members, int seconds) {
    double[] sums = new double[seconds];
    members
        .values()
        .forEach(each -> Arrays.setAll(sums, i -> sums[i] + (Double.isNaN(each[i]) ? 0 : each[i])));
    return sums;
  }

  private static double most(double one, double other) {
    return Double.isNaN(one) ? other : Math.max(one, other);
  }

  private static double[] unknown(int seconds) {
    double[] none = new double[seconds];
    Arrays.fill(none, Double.NaN);
    return none;
  }
}
