// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.cluster.MemberControl.RestoredServer;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.install.DirectoryTree;
import io.quorate.store.Access;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import io.quorate.store.server.ServerProtocol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A restored server next to the members of a cluster on this machine, which are one process each.
 */
record LocalRestoredServer(
    GuardedProcesses processes,
    ServerLauncher launcher,
    Restoration restoration,
    ServerPlan plan,
    List<ServerPlan> running,
    ServerPlan leader,
    Access access)
    implements RestoredServer {
  /** Prepares the server; starts nothing. */
  static RestoredServer of(
      GuardedProcesses processes, ProgramLocator installed, Member leader, Access access) {
    List<ServerPlan> running = LocalFurtherMember.running(processes);
    ServerPlan saved = processes.current(leader.index()).plan();
    ServerLauncher launcher = saved.kind().launcher().apply(installed);
    Restoration restoration =
        saved
            .kind()
            .protocol()
            .restoration()
            .orElseThrow(() -> new QuorateException(leader.name() + " has no snapshot to restore"));
    ServerPlan plan = LocalFurtherMember.next(running, launcher);
    return new LocalRestoredServer(processes, launcher, restoration, plan, running, saved, access);
  }

  @Override
  public String name() {
    return plan.name();
  }

  private Path snapshot() {
    return plan.data().resolveSibling(name() + "-snapshot");
  }

  @Override
  public long save(Duration timeout) {
    return MemberProtocol.carryOut(
        leader.name(),
        () -> {
          Files.createDirectory(snapshot());
          restoration.save(leader, access, snapshot(), timeout);
          return new DirectoryTree(snapshot()).bytes();
        });
  }

  @Override
  public void start() {
    FileAction.require(
        name() + " cannot be started",
        () -> {
          Launch.makeDirectory(plan);
          List<String> command = launcher.restoreCommand(plan, running, snapshot());
          processes.join(plan, command, launcher::clean);
          processes.expectEnd(plan);
        });
  }

  @Override
  public boolean isServing() {
    return FileAction.attempt(
            () ->
                plan.kind().protocol().ask(plan.endpoint(), access, ServerProtocol.TIMEOUT).ready())
        .orElse(false);
  }

  @Override
  public Optional<String> end() {
    ServerProcess server = processes.current(plan.index());
    return server.isAlive()
        ? Optional.empty()
        : Optional.of(ProcessControl.lastLogLine(server).orElse("it logged nothing"));
  }

  @Override
  public void load(Duration timeout) {
    MemberProtocol.carryOut(
        name(),
        FileAction.of(() -> restoration.load(plan.endpoint(), access, snapshot(), timeout)));
  }

  @Override
  public long keys(boolean ofLeader, Duration timeout) {
    ServerPlan server = ofLeader ? leader : plan;
    return MemberProtocol.carryOut(
        server.name(), () -> restoration.keys(server.endpoint(), access, timeout));
  }

  @Override
  public void close() {
    try {
      processes.retire(plan);
    } finally {
      new DirectoryTree(snapshot()).remove();
    }
  }
}
