// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultAction;
import io.quorate.scenario.FaultAction.ProcessAction;
import io.quorate.scenario.FaultAction.Restart;
import io.quorate.scenario.FaultAction.Task;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.PowerCut;
import io.quorate.scenario.PowerCut.Disk;
import io.quorate.scenario.PowerCut.Durability;
import io.quorate.scenario.PowerCut.Entries;
import io.quorate.store.Maintenance;
import io.quorate.store.Operation;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The faults of a scenario, as written in a file. */
record FaultsSpec(FaultPlan plan, Section top) {
  static final String KEY = "faults";
  static final String INJECT = "inject";

  /** Least number of members for which another one can take over. */
  private static final int MIN_MEMBERS = 3;

  /** Least number of members of which three can be away in turn. */
  private static final int MIN_MEMBERS_TO_STAGGER = 5;

  /** Least size of values that contain their numbers. */
  private static final int MIN_VALUE = 6;

  private static final List<String> POWER_KEYS =
      List.of("durability", "entries", "disk", "new-cluster");

  private static final Set<Operation> RECORDED =
      Set.of(Operation.PUT, Operation.GET, Operation.DELETE, Operation.TXN);

  static Optional<FaultsSpec> read(Section top) {
    if (!top.has(KEY)) {
      return Optional.empty();
    }
    Section section = top.section(KEY);
    Field<Integer> times = section.count("times");
    Field<Duration> quiet = section.duration("quiet");
    Field<Duration> jitter = section.duration("jitter");
    Field<Duration> recovery = section.duration("recovery");
    Field<Integer> sessions = section.count("sessions");
    Field<Integer> watches = section.count("watches");
    Field<Durability> durability = section.oneOf("durability", Durability.values(), Durability::id);
    Field<Entries> entries = section.oneOf("entries", Entries.values(), Entries::id);
    Field<Disk> disk = section.oneOf("disk", Disk.values(), Disk::id);
    Field<Boolean> isNew = section.truth("new-cluster");
    Optional<SequenceNode> items = section.items(INJECT);
    List<FaultPlan.Kind> kinds = new ArrayList<>();
    items.ifPresent(list -> list.getValue().forEach(node -> add(section, node, kinds)));
    boolean wrong =
        Stream.of(
                times, quiet, jitter, recovery, sessions, watches, durability, entries, disk, isNew)
            .anyMatch(Field::wrong);
    if (kinds.isEmpty() || wrong) {
      section.require(INJECT);
      return Optional.empty();
    }
    FaultPlan plan =
        new FaultPlan(
            kinds,
            times.effective(),
            quiet.effective(),
            jitter.effective(),
            recovery.effective(),
            sessions.effective(),
            watches.effective(),
            new PowerCut(
                durability.effective(), entries.effective(), disk.effective(), isNew.effective()));
    if (plan.first(ProcessAction.POWER_CUT).isEmpty()) {
      section.refuse(POWER_KEYS, "without a power cut", "a fault such as power-cut-all");
    }
    return Optional.of(new FaultsSpec(plan, top));
  }

  private static void add(Section section, Node node, List<FaultPlan.Kind> kinds) {
    Optional<FaultPlan.Kind> kind = FaultPlan.Kind.parse(Messages.text(node));
    if (kind.isEmpty()) {
      String name = Messages.text(node).strip().replaceFirst(" .*", "");
      section.report(node, Messages.of(node), Messages.oneOf(FaultPlan.ids(), name));
    } else if (kinds.contains(kind.get())) {
      section.report(node, "the fault '" + kind.get() + "' again", "each fault once");
    }
    kind.ifPresent(kinds::add);
  }

  /** Returns the length of the load; the file may not name another one. */
  RunLength length(double scale) {
    return new RunLength(0, Optional.of(plan.scaled(scale).length()), top.key(KEY));
  }

  void check() {
    top.refuse(
        List.of("requests", "duration", CapacitySpec.KEY, "watch"),
        "with faults",
        "a load without it: the faults determine its length");
  }

  void check(OperationMix mix) {
    if (!RECORDED.containsAll(mix.operations()) || !mix.has(Operation.PUT)) {
      top.report(
          KEY,
          "the operations " + mix + " with faults",
          "put, or a mix of put with get, delete or txn");
    }
  }

  void check(Store store) {
    StoreServers servers = Stores.servers(store);
    if (servers.kinds().size() != 1 || servers.obstacleToStart(MIN_MEMBERS).isPresent()) {
      top.report(
          KEY,
          "faults of " + store,
          "etcd, zookeeper or consul, whose members are one process each");
      return;
    }
    ServerProtocol protocol = servers.kinds().get(0).protocol();
    if (!protocol.transfersLeadership()) {
      refuse(
          Task.TRANSFER_LEADERSHIP,
          " of " + store,
          "etcd or consul: it has no request to hand leadership over");
    }
    if (protocol.restoration().isEmpty()) {
      refuse(Task.RESTORE_SNAPSHOT, " of " + store, "a store whose snapshots can be restored");
    }
    Set<Maintenance> able = protocol.maintenance();
    plan.maintenance().stream()
        .filter(each -> !able.contains(each))
        .forEach(
            each ->
                top.report(
                    KEY,
                    "the maintenance '" + each.id() + "' of " + store,
                    able.isEmpty()
                        ? "etcd or consul: " + protocol.whyNot(each)
                        : "one of " + ids(able)));
    List<Store> versions = Stores.versions(store.base());
    if (store.version().isEmpty() || versions.get(0).equals(store)) {
      refuse(
          Restart.UPGRADE,
          " of " + store,
          "an older version, such as " + versions.get(versions.size() - 1));
    }
  }

  /** Reports the fault that has an action, if there is one. */
  private void refuse(FaultAction action, String where, String expected) {
    Optional<Fault> found = plan.first(action);
    if (found.isPresent()) {
      String kind = found.get().isMaintenance() ? "maintenance" : "fault";
      top.report(KEY, "the %s '%s'%s".formatted(kind, found.get().id(), where), expected);
    }
  }

  private static String ids(Set<Maintenance> all) {
    return all.stream().map(Maintenance::id).collect(Collectors.joining(", "));
  }

  void check(Field<Security> security) {
    if (security.effective() != Security.TLS) {
      refuse(Task.RENEW_CERTIFICATES, " without TLS", "security: tls");
    }
  }

  void check(Field<Integer> members, ValuesSpec values, boolean agents, LoadSpec load) {
    Optional<Fault> staggered = plan.first(Restart.STAGGERED);
    boolean alone = plan.kinds().stream().allMatch(each -> each.fault().needsNoOthers());
    int least = alone ? 1 : staggered.isPresent() ? MIN_MEMBERS_TO_STAGGER : MIN_MEMBERS;
    if (members.value().isEmpty() && !members.wrong() && members.effective() < least) {
      refuse(Restart.STAGGERED, " of 3 members", "members: 5");
    } else if (members.effective() < least) {
      members.report(
          "at least %d with %s".formatted(least, staggered.map(Fault::id).orElse("faults")));
    }
    values.checkAtLeast(MIN_VALUE, " with faults, so that each value is different");
    if (agents) {
      plan.first(Fault::isLocal)
          .ifPresent(
              fault ->
                  top.report(
                      KEY,
                      "the fault '" + fault.id() + "' with agents",
                      "members on this machine"));
    }
    checkAlone();
    checkDisk();
    if (plan.times() > 1) {
      refuse(Restart.UPGRADE, " " + plan.times() + " times", "times: 1");
    }
    if (load.stepCount() > 1) {
      top.report(KEY, "faults with " + load.stepCount() + " steps", "one step");
    }
  }

  /** Refuses what does not work with a disk whose power can be cut: page cache and relay. */
  private void checkDisk() {
    Optional<Fault> disk = plan.first(Fault::needsPowerCutDisk);
    if (disk.isEmpty()) {
      return;
    }
    String where = " with '" + disk.get().id() + "'";
    refuse(
        ProcessAction.KILL_COLD,
        where,
        "one of them: the files of a disk that can lose power stay in memory");
    if (plan.disturbsNetwork() || top.has("topology")) {
      top.report(
          KEY,
          (plan.disturbsNetwork() ? "faults of the network" : "a topology") + where,
          "one of them: the relay does not know the members whose disks can lose power");
    }
  }

  /** Refuses what a further member would not take part in: the relay and the upgrade. */
  private void checkAlone() {
    Optional<String> beside =
        plan.disturbsNetwork()
            ? Optional.of("faults of the network")
            : top.has("topology")
                ? Optional.of("a topology")
                : plan.first(Restart.UPGRADE).map(fault -> "'" + fault.id() + "'");
    for (Task task : List.of(Task.ADD_MEMBER, Task.RESTORE_SNAPSHOT)) {
      beside.ifPresent(
          other ->
              refuse(
                  task,
                  " with " + other,
                  "one of them: a further server has neither relay nor upgrade"));
    }
  }
}
