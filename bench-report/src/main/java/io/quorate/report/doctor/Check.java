// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.report.doctor.MachineEvaluation.cpu;
import static io.quorate.report.doctor.MachineEvaluation.cpus;
import static io.quorate.report.doctor.MachineEvaluation.machine;
import static io.quorate.report.doctor.MachineEvaluation.member;

import io.quorate.store.server.CheckRule;
import io.quorate.store.server.ServerCheck;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.stores.Stores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checks of machines, processes, probes and the load generator. Those of servers are in the
 * {@link ServerKnowledge} of their store. {@code checks.md} is generated from both.
 */
public enum Check {
  CPU_BUSY(
      "use of the CPUs",
      "below 80%; above 90% is bad",
      "USE method",
      "Use more CPUs, or move other programs away",
      cpu(0.8, 0.9)),
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
      (check, input) -> MachineEvaluation.ofConnects(check, input.probes())),
  NETWORK_RETRANSMITS(
      "TCP segments that were sent again",
      "below 1 per second; above 10 is bad",
      "proc_net_snmp: RetransSegs",
      "Look for packet loss",
      MachineEvaluation::retransmits),
  LOAD_GENERATOR_LATE(
      "whether the load generator sent requests late",
      "p99 of the send lag below 10 ms",
      "guide: coordinated-omission.md",
      "Use a faster machine, or several load generators",
      MachineEvaluation::late);

  private final CheckRule rule;
  private final Evaluation evaluation;

  /** Evaluates a check of machines. */
  @FunctionalInterface
  interface Evaluation {
    /** Returns a result for each subject whose value is known. */
    Stream<CheckResult> results(CheckRule check, CheckInput input);
  }

  Check(String title, String limit, String source, String action, Evaluation evaluation) {
    String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.rule = new CheckRule(id, title, limit, source, action);
    this.evaluation = evaluation;
  }

  /** Returns the rules of all stores, and then those of this enum. */
  public static List<CheckRule> rules() {
    Stream<CheckRule> ofServers =
        Stores.all().stream()
            .flatMap(store -> Stores.servers(store).knowledge().checks().stream())
            .map(ServerCheck::rule);
    return Stream.concat(ofServers, Arrays.stream(values()).map(check -> check.rule)).toList();
  }

  /** Returns the results of all checks of a run; a check that was not possible is unknown. */
  static List<CheckResult> all(CheckInput input) {
    List<CheckResult> all = new ArrayList<>();
    for (ServerCheck check : input.knowledge().checks()) {
      List<CheckResult> results = ofMembers(check, input);
      all.addAll(results);
      all.addAll(missing(check.rule(), input, results));
    }
    for (Check check : values()) {
      List<CheckResult> results = check.evaluation.results(check.rule, input).toList();
      all.addAll(
          results.isEmpty()
              ? List.of(CheckResult.unknown(check.rule, input.store(), check.why(input)))
              : results);
    }
    return all;
  }

  private static List<CheckResult> ofMembers(ServerCheck check, CheckInput input) {
    return input.metrics().reported().members().stream()
        .flatMap(
            member ->
                check.measurement().of(input.values(member)).stream()
                    .map(
                        found ->
                            CheckResult.of(
                                check.rule(),
                                input.member(member),
                                found.value(),
                                found.warning(),
                                found.bad(),
                                found.text())))
        .toList();
  }

  /** Returns a result for each member that lacks its values; one for all if they lack the same. */
  private static List<CheckResult> missing(
      CheckRule check, CheckInput input, List<CheckResult> results) {
    Map<String, String> reasons = MissingMetrics.ofMembers(input);
    results.forEach(each -> reasons.remove(each.subject()));
    if (!results.isEmpty() || Set.copyOf(reasons.values()).size() > 1) {
      return reasons.entrySet().stream()
          .map(each -> CheckResult.unknown(check, each.getKey(), each.getValue()))
          .toList();
    }
    String others = "the members do not report it, or there were no new values";
    return List.of(
        CheckResult.unknown(
            check, input.store(), reasons.values().stream().findFirst().orElse(others)));
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

  /** Returns the results of probes alone. */
  public static List<CheckResult> of(Probes probes) {
    return Stream.concat(
            MachineEvaluation.ofDisk(DISK_PROBE.rule, probes.disk()),
            MachineEvaluation.ofConnects(CONNECT_PROBE.rule, probes))
        .toList();
  }
}
