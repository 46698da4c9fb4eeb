// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.MemberControl.FurtherMember;
import io.quorate.cluster.ZoneRelay.RelayServer;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.store.Access;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.server.Membership;
import io.quorate.store.server.Membership.Role;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A further member of a cluster on this machine, whose members are one process each. It has the
 * settings and the certificate of the first member, and the next index.
 */
final class LocalFurtherMember implements FurtherMember {
  /** Time limit of each request; Consul answers after up to 10 s that a server has left. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final GuardedProcesses processes;
  private final ServerLauncher launcher;
  private final Membership membership;
  private final ServerPlan plan;
  private final List<ServerPlan> peers;
  private final Member leader;
  private final Access access;
  private boolean admitted;

  private LocalFurtherMember(
      GuardedProcesses processes,
      ServerLauncher launcher,
      Membership membership,
      ServerPlan plan,
      List<ServerPlan> running,
      Member leader,
      Access access) {
    this.processes = processes;
    this.launcher = launcher;
    this.membership = membership;
    this.plan = plan;
    this.peers = new ArrayList<>(running);
    this.peers.add(plan);
    this.leader = leader;
    this.access = access;
  }

  /** Prepares the member; starts nothing. */
  static FurtherMember of(
      GuardedProcesses processes, ProgramLocator installed, Member leader, Access access) {
    List<ServerPlan> running = running(processes);
    ServerKind kind = running.get(0).kind();
    ServerLauncher launcher = kind.launcher().apply(installed);
    ServerPlan plan = next(running, launcher);
    Membership membership =
        kind.protocol()
            .membership()
            .orElseThrow(
                () -> new QuorateException(plan.name() + " cannot be added to a running cluster"));
    return new LocalFurtherMember(processes, launcher, membership, plan, running, leader, access);
  }

  /** Returns the servers of the members, in the order of their index. */
  static List<ServerPlan> running(GuardedProcesses processes) {
    return processes.servers().stream()
        .map(ServerProcess::plan)
        .filter(each -> each.index() != RelayServer.INDEX)
        .sorted(Comparator.comparingInt(ServerPlan::index))
        .toList();
  }

  /** Plans a server like the first of those that run, with the next index and new ports. */
  static ServerPlan next(List<ServerPlan> running, ServerLauncher launcher) {
    ServerPlan first = running.get(0);
    int index = running.get(running.size() - 1).index() + 1;
    String name = first.kind().id() + "-" + index;
    List<Integer> ports =
        Ports.free(first.host(), ThreadLocalRandom.current())
            .choose(1, launcher.portsPerServer())
            .get(0);
    return new ServerPlan(
        first.kind(),
        index,
        new MemberAddress(first.host(), ports),
        first.data().resolveSibling(name),
        first.log().resolveSibling(name + ".log"),
        Optional.empty(),
        first.settings(),
        first.keys(),
        first.host(),
        first.host(),
        first.pipedLog());
  }

  @Override
  public String name() {
    return plan.name();
  }

  @Override
  public void join() {
    FileAction.require(
        leader.name() + " does not admit " + name(),
        () -> membership.admit(leader.endpoint(), plan, access, TIMEOUT));
    admitted = true;
    FileAction.require(
        name() + " cannot be started",
        () -> {
          Launch.makeDirectory(plan);
          processes.join(plan, launcher.joinCommand(plan, peers), launcher::clean);
        });
  }

  @Override
  public Member member() {
    return LocalCluster.member(List.of(processes.current(plan.index())));
  }

  @Override
  public boolean hasEnded() {
    return processes.servers().stream()
        .noneMatch(each -> each.plan().equals(plan) && each.isAlive());
  }

  @Override
  public String lastRole() {
    return membership.lastRole() == Role.VOTER ? "voter" : "observer";
  }

  @Override
  public Optional<String> takeRole() {
    try {
      if (role() == membership.lastRole()) {
        return Optional.empty();
      }
      membership.promote(leader.endpoint(), plan, access, TIMEOUT);
      return Optional.of(leader.name() + " does not list such a " + lastRole());
    } catch (IOException refusal) {
      return Optional.of(
          leader.name() + " " + VisibleText.line(String.valueOf(refusal.getMessage())));
    }
  }

  private Role role() throws IOException {
    return membership.role(leader.endpoint(), plan, access, TIMEOUT);
  }

  @Override
  public Optional<String> size() {
    return FileAction.attempt(() -> membership.size(plan, access, TIMEOUT))
        .orElse(Optional.empty());
  }

  @Override
  public void leave() {
    processes.expectEnd(plan);
    FileAction.require(
        leader.name() + " does not remove " + name(),
        () -> membership.remove(leader.endpoint(), plan, access, TIMEOUT));
    admitted = false;
    processes.retire(plan);
  }

  @Override
  public boolean hasLeft() {
    return FileAction.attempt(() -> role() == Role.ABSENT).orElse(false);
  }

  @Override
  public void close() {
    try {
      if (admitted) {
        leave();
      }
    } finally {
      processes.retire(plan);
    }
  }
}
