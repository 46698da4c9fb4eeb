// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.report.doctor.MachineEvaluation.cpus;
import static io.quorate.report.doctor.MachineEvaluation.machine;
import static io.quorate.report.doctor.MachineEvaluation.member;
import static io.quorate.report.doctor.MetricEvaluation.counter;
import static io.quorate.report.doctor.MetricEvaluation.limits;
import static io.quorate.report.doctor.MetricEvaluation.mean;
import static io.quorate.report.doctor.MetricEvaluation.meanOf;
import static io.quorate.report.doctor.MetricEvaluation.most;
import static io.quorate.report.doctor.MetricEvaluation.part;
import static io.quorate.report.doctor.MetricEvaluation.rate;
import static io.quorate.report.doctor.MetricEvaluation.share;

import io.quorate.report.doctor.CheckResult.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The checks of a cluster and its machines, each with its limit, the source of the limit, and what
 * to do. {@code checks.md} is generated from them.
 */
public enum Check {
  ETCD_WAL_FSYNC(
      "p99 of fsyncs of the write-ahead log",
      "p99 below 10 ms; above 500 ms is bad",
      "etcd FAQ; alert etcdHighFsyncDurations of contrib/mixin",
      Check.DISK_ADVICE,
      limits("etcd_disk_wal_fsync_duration_seconds_p99", 1e3, 10, 500)),
  ETCD_BACKEND_COMMIT(
      "p99 of commits to the database",
      "p99 below 25 ms; above 250 ms is bad",
      "etcd FAQ; alert etcdHighCommitDurations of contrib/mixin",
      Check.DISK_ADVICE,
      limits("etcd_disk_backend_commit_duration_seconds_p99", 1e3, 25, 250)),
  ETCD_PEER_ROUND_TRIP(
      "mean round trip between members",
      "below 66 ms; above 150 ms is bad",
      "OpenShift etcd documentation; alert etcdMemberCommunicationSlow of contrib/mixin",
      "Move the members closer, or set heartbeat-interval to the round trip and election-timeout to"
          + " ten times as much",
      mean("etcd_network_peer_round_trip_time_seconds", 1e3, 66, 150)),
  ETCD_LEADER_CHANGES(
      "changes of the leader",
      "none; 4 or more are bad",
      "alert etcdHighNumberOfLeaderChanges of contrib/mixin: 4 in 15 minutes",
      "Look for slow disks and networks, and raise the election timeout",
      counter("etcd_server_leader_changes_seen_total", 1, 4)),
  ETCD_SLOW_APPLIES(
      "requests that took more than 100 ms to apply",
      "none; more than 10 a minute are bad",
      "etcd FAQ: apply request took too long",
      "Look for slow disks, busy CPUs, and large ranges",
      rate("etcd_server_slow_apply_total", 0, 10)),
  ETCD_PROPOSALS_PENDING(
      "proposals that wait for their commit",
      "below 100; above 1,000 is bad",
      "etcd metrics documentation: a rising number means a high load or a member that cannot"
          + " commit",
      "Offer less load, or look for the slow disk",
      most("etcd_server_proposals_pending", 1, 100, 1_000, "")),
  ETCD_PROPOSALS_FAILED(
      "proposals that failed",
      "none; more than 5 per second are bad",
      "alert etcdHighNumberOfFailedProposals of contrib/mixin",
      "Look for elections and a lost quorum",
      rate("etcd_server_proposals_failed_total", 0, 300)),
  ETCD_DATABASE_QUOTA(
      "size of the database as part of its quota",
      "below 80%; above 95% is bad",
      "alert etcdDatabaseQuotaLowSpace of contrib/mixin",
      "Compact and defragment, or raise quota-backend-bytes",
      part("etcd_mvcc_db_total_size_in_bytes", "etcd_server_quota_backend_bytes", 0.8, 0.95)),
  ETCD_FRAGMENTATION(
      "part of the database that is in use",
      "above 50%, in databases above 100 MB",
      "alert etcdExcessiveDatabaseGrowth of contrib/mixin; OpenShift defragments at 45% free",
      "Defragment one member at a time",
      MetricEvaluation::fragmentation),
  ETCD_SLOW_WATCHERS(
      "watchers that cannot follow",
      "none; above 100 is bad",
      "etcd metrics documentation: etcd_debugging_mvcc_slow_watcher_total",
      "Look for slow clients, and spread watches over members",
      most("etcd_debugging_mvcc_slow_watcher_total", 1, 1, 100, "")),
  ETCD_FILE_DESCRIPTORS(
      "open file descriptors as part of the limit",
      "below 80%; above 95% is bad",
      "alert etcdHighNumberOfFileDescriptors (process_max_fds) of contrib/mixin",
      "Raise the limit (ulimit -n, LimitNOFILE)",
      part("process_open_fds", "process_max_fds", 0.8, 0.95)),
  ZOOKEEPER_FSYNC(
      "p99 of fsyncs of the transaction log",
      "p99 below 20 ms; above 100 ms is bad",
      "ZooKeeper's Prometheus alert on fsynctime; its own warning begins at 1,000 ms",
      Check.DISK_ADVICE,
      limits("zk_fsynctime_p99", 1, 20, 100)),
  ZOOKEEPER_OUTSTANDING(
      "requests that wait in a server",
      "below 100; 1,000 (globalOutstandingLimit) is bad: from there on, latency is queueing",
      "ZooKeeper administrator's guide",
      "Offer less load, or look for the slow disk",
      most("zk_outstanding_requests", 1, 100, 1_000, "")),
  ZOOKEEPER_LATENCY(
      "mean latency of requests in a server",
      "below 100 ms; above 1,000 ms is bad",
      "ZooKeeper's Prometheus alerts",
      "Look for slow fsyncs, garbage collection, and snapshots",
      most("zk_avg_latency", 1, 100, 1_000, " ms")),
  ZOOKEEPER_SNAPSHOT(
      "mean duration of a snapshot",
      "below 100 ms; above 1,000 ms is bad",
      "ZooKeeper's Prometheus alerts",
      "Store less data; if the disk is busy, give dataDir a separate one",
      meanOf("zk_sum_snapshottime", "zk_cnt_snapshottime", 1, 100, 1_000)),
  ZOOKEEPER_JVM_PAUSES(
      "part of the time in which the JVM paused",
      "below 1%; above 5% is bad",
      "ZooKeeper administrator's guide: jvm.pause.monitor",
      "Give the JVM a larger heap if most of it is garbage collection; otherwise look for busy CPUs",
      MetricEvaluation::pauses),
  ZOOKEEPER_DATA_SIZE(
      "size of the data",
      "below 500 MB; above 1 GB is bad",
      "ZooKeeper's Prometheus alerts",
      "Store less: all data is in memory, and in each snapshot",
      most("zk_approximate_data_size", 1e-6, 500, 1_000, " MB")),
  ZOOKEEPER_NODES(
      "number of nodes",
      "below 500,000; above 1,000,000 is bad",
      "ZooKeeper's Prometheus alerts",
      "Store fewer nodes",
      most("zk_znode_count", 1, 500_000, 1_000_000, "")),
  ZOOKEEPER_WATCHES(
      "number of watches",
      "below 10,000; above 100,000 is bad",
      "ZooKeeper's Prometheus alerts",
      "Watch fewer nodes, or use persistent recursive watches",
      most("zk_watch_count", 1, 10_000, 100_000, "")),
  ZOOKEEPER_FILE_DESCRIPTORS(
      "open file descriptors as part of the limit",
      "below 80%; above 95% is bad",
      "ZooKeeper's Prometheus alerts",
      "Raise the limit (ulimit -n, LimitNOFILE)",
      part("zk_open_file_descriptor_count", "zk_max_file_descriptor_count", 0.8, 0.95)),
  CONSUL_COMMIT(
      "p99 of Raft's commits",
      "p99 below 50 ms; above 500 ms is bad",
      "Consul telemetry: raft.commitTime",
      "Look for slow disks, and compare with the last hour",
      limits("consul_raft_commitTime_p99", 1, 50, 500)),
  CONSUL_LAST_CONTACT(
      "time since followers heard of the leader, p99",
      "below 200 ms; above 1,000 ms is bad",
      "Consul telemetry: raft.leader.lastContact below 200 ms",
      "Look for a slow network or a busy leader",
      limits("consul_raft_leader_lastContact_p99", 1, 200, 1_000)),
  CONSUL_LEADER_CHANGES(
      "changes of the leader",
      "none; 4 or more are bad",
      "Consul telemetry: raft.state.leader, raft.state.candidate",
      "Look for slow disks and networks, and raise raft_multiplier",
      counter("consul_raft_state_leader", 1, 4)),
  CONSUL_GC(
      "part of the time of garbage collection pauses",
      "below 3% (2 s a minute); above 8% (5 s) is bad",
      "Consul telemetry: runtime.total_gc_pause_ns",
      "Add memory",
      share("consul_runtime_total_gc_pause_ns", 1e-6, 0.033, 0.083)),
  CONSUL_LOG_WRITE(
      "p99 of the leader's writes of Raft's log",
      "p99 below 20 ms; above 200 ms is bad",
      "Consul telemetry: raft.leader.dispatchLog",
      Check.DISK_ADVICE,
      limits("consul_raft_leader_dispatchLog_p99", 1, 20, 200)),
  CONSUL_WRITE_CAPACITY(
      "writes per second that the log of BoltDB can take, as Consul estimates it",
      "above 100; below 10 is bad",
      "Consul telemetry: raft.boltdb.writeCapacity; not reported with the newer log (WAL)",
      "Use the newer log (WAL); if the disk is busy, use a faster one",
      MetricEvaluation::writeCapacity),
  CONSUL_OLDEST_LOG(
      "age of the oldest log entry of the leader, as multiple of the time to restore a snapshot",
      "above 2; below that, a follower that restarts may never catch up",
      "Consul telemetry: raft.leader.oldestLogAge",
      "Raise raft_trailing_logs",
      MetricEvaluation::oldestLog),
  CONSUL_RATE_LIMITED(
      "requests that a rate limit rejected",
      "none",
      "Consul telemetry: client.rpc.exceeded",
      "Raise limits, or send fewer requests",
      counter("consul_client_rpc_exceeded", 1, 1_000)),
  CPU_BUSY(
      "use of the CPUs",
      "below 80%; above 90% is bad",
      "USE method",
      "Use more CPUs, or move other programs away",
      cpus("MACHINE-CPU-MILLISECONDS", 0.8, 0.9)),
  CPU_STEAL(
      "CPU time that the hypervisor gave to others",
      "below 1%; above 10% is bad",
      "etcd tuning guide",
      "Use a machine whose CPUs are not shared",
      cpus("MACHINE-STEAL-MILLISECONDS", 0.01, 0.1)),
  CPU_THROTTLED(
      "part of the time in which a CPU limit stopped a member",
      "none; above 5% is bad",
      "cgroup cpu.stat: throttled_usec",
      "Raise the CPU limit of the container",
      member("THROTTLED-MILLISECONDS", 0.001, 0.05)),
  CPU_GOVERNOR(
      "frequency governor of the CPUs",
      "performance",
      "etcd tuning guide; Linux cpufreq documentation",
      "Run cpupower frequency-set -g performance",
      MachineEvaluation::governor),
  PROCESS_STOPPED(
      "part of the time in which a member was stopped",
      "none",
      "proc(5): state T",
      "Find out who sends SIGSTOP",
      member("STOPPED-MILLISECONDS", 0.001, 0.01)),
  SWAP(
      "swapped pages",
      "none; above 1,000 is bad",
      "etcd and ZooKeeper administrator's guides: turn swap off",
      "Turn swap off, or add memory",
      MachineEvaluation::swapped),
  DISK_BUSY(
      "part of the time in which the disk was busy",
      "below 70%; above 90% is bad",
      "USE method",
      "Use a faster disk, or a separate one for the log",
      machine("DISK-BUSY-MILLISECONDS", 0.7, 0.9)),
  DISK_SHARED(
      "members whose data is on one disk",
      "one member for each disk",
      "ZooKeeper administrator's guide: a dedicated device for the log; etcd tuning guide",
      "If the disk is busy, use one for each member",
      MachineEvaluation::sharedDisk),
  DISK_PROBE(
      "p99 of writes of 2,300 bytes with fdatasync",
      "p99 below 10 ms; above 20 ms is bad",
      "etcd FAQ (10 ms), OpenShift test suite (20 ms), fio recipe of etcd's users",
      "Use a faster disk",
      MachineEvaluation::disk),
  CONNECT_PROBE(
      "round trip from here to a member, by TCP connects",
      "p99 below 33 ms; above 66 ms is bad",
      "OpenShift etcd documentation: round trip and jitter together",
      "Look for a slow or busy network",
      (check, input) -> MachineEvaluation.ofConnects(check, input.probes().connects())),
  NETWORK_RETRANSMITS(
      "TCP segments that were sent again",
      "below 1 per second; above 10 is bad",
      "proc_net_snmp: RetransSegs",
      "Look for packet loss",
      MachineEvaluation::retransmits),
  LOAD_GENERATOR_LATE(
      "whether the load generator sent requests late",
      "p99 of the send lag below 10 ms",
      "method.md",
      "Use a faster machine, or several load generators",
      MachineEvaluation::late);

  private static final String DISK_ADVICE =
      "If the disk is busy, use a faster or a separate one; otherwise look for busy CPUs and limits"
          + " of I/O";

  private final String title;
  private final String limit;
  private final String source;
  private final String action;
  private final Function<CheckInput, Stream<CheckResult>> evaluation;

  Check(String title, String limit, String source, String action, Evaluation evaluation) {
    this.title = title;
    this.limit = limit;
    this.source = source;
    this.action = action;
    this.evaluation = input -> evaluation.results(this, input);
  }

  /** Returns the name in lower case with hyphens. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what is measured. */
  public String title() {
    return title;
  }

  public String limit() {
    return limit;
  }

  /** Returns the source of the limit. */
  public String source() {
    return source;
  }

  /** Returns what to do, as an imperative without a full stop. */
  public String action() {
    return action;
  }

  /** Returns whether the check is about a store; checks of machines are about all. */
  boolean isOf(String store) {
    return Stream.of("etcd", "zookeeper", "consul")
        .noneMatch(each -> id().startsWith(each + "-") && !each.equals(store));
  }

  /** Returns the results of all checks of a run; a check that was not possible is unknown. */
  static List<CheckResult> all(CheckInput input) {
    List<CheckResult> all = new ArrayList<>();
    for (Check check : values()) {
      if (check.isOf(input.store())) {
        List<CheckResult> results = check.evaluation.apply(input).toList();
        all.addAll(results);
        all.addAll(
            check.id().startsWith(input.store() + "-")
                ? check.missing(input, results)
                : results.isEmpty()
                    ? List.of(check.unknown(input.store(), check.why(input)))
                    : List.of());
      }
    }
    return all;
  }

  /** Returns a result for each member that lacks its values; one for all if they lack the same. */
  private List<CheckResult> missing(CheckInput input, List<CheckResult> results) {
    Map<String, String> reasons = MissingMetrics.ofMembers(input);
    results.forEach(each -> reasons.remove(each.subject()));
    if (!results.isEmpty() || Set.copyOf(reasons.values()).size() > 1) {
      return reasons.entrySet().stream()
          .map(each -> unknown(each.getKey(), each.getValue()))
          .toList();
    }
    String others = "the members do not report it, or there were no new values";
    return List.of(unknown(input.store(), reasons.values().stream().findFirst().orElse(others)));
  }

  private CheckResult unknown(String subject, String why) {
    return new CheckResult(this, subject, Status.UNKNOWN, why);
  }

  /** Returns why there is no result of a machine or a probe. */
  private String why(CheckInput input) {
    return switch (this) {
      case DISK_PROBE -> "pass --disk with a directory on the disk of a member";
      case CONNECT_PROBE -> "pass --endpoints of the cluster";
      case LOAD_GENERATOR_LATE -> "requests of a closed loop, or none, are not scheduled";
      case NETWORK_RETRANSMITS ->
          input.isLocal()
              ? "all members are on the load generator's machine"
              : MissingMetrics.ofMachine(input);
      case CPU_THROTTLED, PROCESS_STOPPED, DISK_SHARED ->
          input.servers().isEmpty()
              ? "neither this machine nor an agent runs the members"
              : this == DISK_SHARED
                  ? "members are on several machines, or on no block device"
                  : "the system does not report it for these processes";
      default -> MissingMetrics.ofMachine(input);
    };
  }

  /** Returns the result of a value: bad from the one limit on, a warning from the other. */
  CheckResult of(String subject, double value, double warning, double bad, String measured) {
    Status status = value >= bad ? Status.BAD : value >= warning ? Status.WARNING : Status.OK;
    return new CheckResult(this, subject, status, measured);
  }

  /** Returns the results of probes alone. */
  public static List<CheckResult> of(Probes probes) {
    return Stream.concat(
            MachineEvaluation.ofDisk(DISK_PROBE, probes.disk()),
            MachineEvaluation.ofConnects(CONNECT_PROBE, probes.connects()))
        .toList();
  }

  /** Returns the check with an id; empty if there is none. */
  public static Optional<Check> named(String id) {
    return Arrays.stream(values()).filter(check -> check.id().equals(id)).findFirst();
  }
}
