// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.cluster.ZoneRelay.RelayServer;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.PageCache;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.cluster.process.SlowSyncs;
import io.quorate.network.Hop;
import io.quorate.network.NetworkEffect;
import io.quorate.network.RelayControl;
import io.quorate.network.RelayReport;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerPlan;
import io.quorate.stores.Stores;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Control of members on this machine, each of which is one process. */
record ProcessControl(
    GuardedProcesses processes,
    ProgramLocator installed,
    Access access,
    Optional<ClusterSecrets> secrets)
    implements MemberControl {
  @Override
  public void send(Member member, Signal signal) {
    processes.signal(member.index(), signal);
  }

  @Override
  public List<PowerCutDisk.Loss> cutPower(List<Member> members, long seed, Runnable begins) {
    return processes.cutPower(members.stream().map(Member::index).toList(), seed, begins);
  }

  @Override
  public PageCache.Share dropFiles(Member member) {
    return PageCache.drop(processes.current(member.index()).plan().data());
  }

  @Override
  public Optional<String> lastLogLine(Member member) {
    return lastLogLine(processes.current(member.index()));
  }

  static Optional<String> lastLogLine(ServerProcess server) {
    ServerProcess.LogTail log = server.log();
    return log.reasonOfEnd(Instant.now(), server.plan().kind().log())
        .or(() -> log.lines(1).stream().findFirst());
  }

  @Override
  public Impairment slowSyncs(Member member) {
    return SlowSyncs.begin(processes, processes.current(member.index()));
  }

  @Override
  public Impairment impairDisk(Member member, PowerCutDisk.Defect defect) {
    return processes.impairDisk(member.index(), defect);
  }

  @Override
  public Impairment blockLog(Member member) {
    return processes.current(member.index()).blockLog();
  }

  @Override
  public boolean hasEnded(Member member) {
    return !processes.current(member.index()).isAlive();
  }

  @Override
  public boolean isPaused(Member member) {
    return ProcessHandleInfo.isStopped(processes.current(member.index()).pid());
  }

  @Override
  public void restart(Member member) {
    processes.restart(member.index());
  }

  @Override
  public void upgrade(Member member, Store version) {
    ServerKind kind = Stores.servers(version).kinds().get(0);
    processes.upgrade(member.index(), kind.launcher().apply(installed));
  }

  @Override
  public String renewCertificate(Member member) {
    ServerPlan plan = processes.current(member.index()).plan();
    if (secrets.isEmpty() || plan.keys().isEmpty()) {
      throw new QuorateException(member.name() + " has no certificate");
    }
    String[] hosts =
        Stream.of(plan.host(), plan.clientHost(), plan.peerHost(), Ports.LOOPBACK)
            .distinct()
            .toArray(String[]::new);
    MemberSecrets issued = secrets.get().member(plan.name(), hosts);
    FileAction.require(
        "the certificate of " + member.name() + " cannot be replaced",
        () -> {
          issued.replace(Objects.requireNonNull(plan.keys().get().certificate().getParent()));
          plan.kind().launcher().apply(installed).renewed(plan);
        });
    return issued.key().certificate();
  }

  @Override
  public FurtherMember further(Member leader) {
    return LocalFurtherMember.of(processes, installed, leader, access);
  }

  @Override
  public RestoredServer restored(Member leader) {
    return LocalRestoredServer.of(processes, installed, leader, access);
  }

  @Override
  public RelayReport disturb(Collection<Hop> hops, NetworkEffect effect) {
    return relay().begin(effect, hops);
  }

  @Override
  public RelayReport restore(Collection<Hop> hops) {
    return relay().restore(hops);
  }

  private RelayControl relay() {
    return new RelayControl(
        processes.servers().stream()
            .map(ServerProcess::plan)
            .filter(each -> each.index() == RelayServer.INDEX)
            .findFirst()
            .orElseThrow(() -> new QuorateException("found no relay between the members"))
            .data());
  }
}
