// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.percent;
import static io.quorate.store.server.MetricEvidence.count;
import static io.quorate.store.server.MetricEvidence.highest;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCourse.SERVER_COMMIT_MS;
import static io.quorate.store.server.ServerCourse.SERVER_LEADER_CHANGES;
import static io.quorate.store.server.ServerCourse.SERVER_LOG_SYNC_MS;
import static io.quorate.store.server.ServerCourse.SERVER_QUEUE;

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
import java.util.Set;

/**
 * What reports have to know about etcd. Times are from {@code server/embed/config.go}: a follower
 * waits one to two election timeouts, and the leader checks its majority once in one ({@code
 * CheckQuorum}). {@code lessor.go} looks for expired leases every 500 ms.
 */
final class EtcdKnowledge implements ServerKnowledge {
  private static final double MINUTES_WITHOUT_COMPACTION = 10;

  private static final MetricSource.Mean LOG_SYNC =
      MetricSource.Mean.of(EtcdInternals.LOG_SYNC, 1e3);
  private static final MetricSource.Mean COMMIT = MetricSource.Mean.of(EtcdInternals.COMMIT, 1e3);
  private static final MetricSource.Mean ROUND_TRIP =
      MetricSource.Mean.of("etcd_network_peer_round_trip_time_seconds", 1e3);
  private static final String LEADER_CHANGES = "etcd_server_leader_changes_seen_total";
  private static final String SLOW_APPLIES = "etcd_server_slow_apply_total";
  private static final String PENDING = "etcd_server_proposals_pending";
  private static final double LEASE_SCAN_MS = 500;
  private static final String SIZE = "etcd_mvcc_db_total_size_in_bytes";

  @Override
  public int color() {
    return 0x0072b2;
  }

  @Override
  public Optional<String> promise() {
    return Optional.of("has it in the synced write-ahead log of a majority");
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
  public List<ServerCheck> checks() {
    return ServerCheck.read(
        EtcdKnowledge.class,
        Map.of(
            "etcd-fragmentation",
            EtcdKnowledge::fragmentation,
            "etcd-compaction",
            EtcdKnowledge::compactions));
  }

  @Override
  public Optional<String> advice(Set<String> reported) {
    return reported.isEmpty()
        ? Optional.of("pass endpoints that answer GET /metrics over HTTP")
        : Optional.empty();
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
        work(StallCause.COMPACTION, EtcdInternals.COMPACTION + "_sum", 1),
        count(StallCause.LEADER_CHANGE, LEADER_CHANGES),
        count(StallCause.APPLY, SLOW_APPLIES));
  }

  @Override
  public Optional<String> dataSize() {
    return Optional.of(SIZE);
  }

  @Override
  public Optional<String> memberTraffic() {
    return Optional.of(EtcdInternals.PEER_SENT);
  }

  @Override
  public List<Setting> timeouts() {
    return List.of(EtcdServers.HEARTBEAT, EtcdServers.ELECTION);
  }

  @Override
  public Optional<TimeRange> election(ServerSettings settings, boolean crash) {
    double timeout = settings.inForce(EtcdServers.ELECTION);
    return Optional.of(TimeRange.settling(timeout, 2 * timeout));
  }

  @Override
  public Optional<TimeRange> stepDown(ServerSettings settings) {
    double timeout = settings.inForce(EtcdServers.ELECTION);
    return Optional.of(TimeRange.settling(2 * timeout, 4 * timeout));
  }

  @Override
  public Optional<TimeRange> overshoot(ServerSettings settings, double ttlMs) {
    return Optional.of(TimeRange.settling(0, LEASE_SCAN_MS));
  }

  /** A new leader grants all leases their TTL and one election timeout again. */
  @Override
  public double renewalMs(ServerSettings settings) {
    return settings.inForce(EtcdServers.ELECTION);
  }

  /** Counts the compactions; a run that is shorter than the limit needs none. */
  private static Optional<ServerCheck.Measured> compactions(ReportedMetrics member) {
    double minutes = member.millis() / 60e3;
    return member.growth(EtcdInternals.COMPACTION + "_count").stream()
        .mapToObj(
            done ->
                new ServerCheck.Measured(
                    done > 0 ? 0 : minutes,
                    MINUTES_WITHOUT_COMPACTION,
                    Double.POSITIVE_INFINITY,
                    "%s in %s minutes".formatted(commas((long) done), commas(Math.round(minutes)))))
        .findFirst();
  }

  /** Measures the part of the database that is in use; only a large one has to be defragmented. */
  private static Optional<ServerCheck.Measured> fragmentation(ReportedMetrics member) {
    double bytes = member.last(SIZE).orElse(0);
    double used = member.last("etcd_mvcc_db_total_size_in_use_in_bytes").orElse(Double.NaN);
    return Double.isNaN(used) || bytes <= 0
        ? Optional.empty()
        : Optional.of(
            new ServerCheck.Measured(
                bytes > 100e6 ? 1 - used / bytes : 0,
                Math.nextUp(0.5),
                Double.POSITIVE_INFINITY,
                "%s of %s MB".formatted(percent(used / bytes), commas(Math.round(bytes / 1e6)))));
  }
}
