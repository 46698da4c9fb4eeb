// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.percent;
import static io.quorate.store.server.MetricEvidence.count;
import static io.quorate.store.server.MetricEvidence.highest;
import static io.quorate.store.server.MetricEvidence.work;
import static io.quorate.store.server.ServerCheck.growth;
import static io.quorate.store.server.ServerCheck.mean;
import static io.quorate.store.server.ServerCheck.most;
import static io.quorate.store.server.ServerCheck.p99;
import static io.quorate.store.server.ServerCheck.part;
import static io.quorate.store.server.ServerCheck.rate;
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
    return List.of(
        new ServerCheck(
            "etcd-wal-fsync",
            "p99 of fsyncs of the write-ahead log",
            "p99 below 10 ms; above 500 ms is bad",
            "etcd FAQ; alert etcdHighFsyncDurations of contrib/mixin",
            ServerCheck.DISK_ADVICE,
            p99(EtcdInternals.LOG_SYNC, 1e3, 10, 500)),
        new ServerCheck(
            "etcd-backend-commit",
            "p99 of commits to the database",
            "p99 below 25 ms; above 250 ms is bad",
            "etcd FAQ; alert etcdHighCommitDurations of contrib/mixin",
            ServerCheck.DISK_ADVICE,
            p99(EtcdInternals.COMMIT, 1e3, 25, 250)),
        new ServerCheck(
            "etcd-peer-round-trip",
            "mean round trip between members",
            "below 66 ms; above 150 ms is bad",
            "OpenShift etcd documentation; alert etcdMemberCommunicationSlow of contrib/mixin",
            "Move the members closer, or set heartbeat-interval to the round trip and election-timeout to"
                + " ten times as much",
            mean(ROUND_TRIP, 66, 150)),
        new ServerCheck(
            "etcd-leader-changes",
            "changes of the leader",
            "none; 4 or more are bad",
            "alert etcdHighNumberOfLeaderChanges of contrib/mixin: 4 in 15 minutes",
            "Look for slow disks and networks, and raise the election timeout",
            growth(LEADER_CHANGES, 1, 4)),
        new ServerCheck(
            "etcd-slow-applies",
            "requests that took more than 100 ms to apply",
            "none; more than 10 a minute are bad",
            "etcd FAQ: apply request took too long",
            "Look for slow disks, busy CPUs, and large ranges",
            rate(SLOW_APPLIES, 0, 10)),
        new ServerCheck(
            "etcd-proposals-pending",
            "proposals that wait for their commit",
            "below 100; above 1,000 is bad",
            "etcd metrics documentation: a rising number means a high load or a member that cannot"
                + " commit",
            "Offer less load, or look for the slow disk",
            most(PENDING, 1, 100, 1_000, "")),
        new ServerCheck(
            "etcd-proposals-failed",
            "proposals that failed",
            "none; more than 5 per second are bad",
            "alert etcdHighNumberOfFailedProposals of contrib/mixin",
            "Look for elections and a lost quorum",
            rate("etcd_server_proposals_failed_total", 0, 300)),
        new ServerCheck(
            "etcd-database-quota",
            "size of the database as part of its quota",
            "below 80%; above 95% is bad",
            "alert etcdDatabaseQuotaLowSpace of contrib/mixin",
            "Compact and defragment, or raise quota-backend-bytes",
            part(SIZE, "etcd_server_quota_backend_bytes", 0.8, 0.95)),
        new ServerCheck(
            "etcd-fragmentation",
            "part of the database that is in use",
            "above 50%, in databases above 100 MB",
            "alert etcdExcessiveDatabaseGrowth of contrib/mixin; OpenShift defragments at 45% free",
            "Defragment one member at a time",
            EtcdKnowledge::fragmentation),
        new ServerCheck(
            "etcd-compaction",
            "compactions of the history",
            "one or more in ten minutes",
            "Kubernetes: an API server compacts every 5 minutes",
            "Set auto-compaction-period; in an existing cluster an API server or a job has to compact",
            EtcdKnowledge::compactions),
        new ServerCheck(
            "etcd-slow-watchers",
            "watchers that cannot follow",
            "none; above 100 is bad",
            "etcd metrics documentation: etcd_debugging_mvcc_slow_watcher_total",
            "Look for slow clients, and spread watches over members",
            most("etcd_debugging_mvcc_slow_watcher_total", 1, 1, 100, "")),
        new ServerCheck(
            "etcd-file-descriptors",
            "open file descriptors as part of the limit",
            "below 80%; above 95% is bad",
            "alert etcdHighNumberOfFileDescriptors (process_max_fds) of contrib/mixin",
            "Raise the limit (ulimit -n, LimitNOFILE)",
            part("process_open_fds", "process_max_fds", 0.8, 0.95)));
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
