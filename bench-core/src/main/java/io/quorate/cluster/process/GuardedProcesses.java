// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.DiskSpace;
import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.cluster.MemberControl;
import io.quorate.format.Problems;
import io.quorate.install.DirectoryTree;
import io.quorate.scenario.PowerCut;
import io.quorate.store.Login;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The server processes of one cluster and their data directory. Both end with {@link #stop}, with
 * this JVM's orderly end, or through the {@link Guard} with any other end of it.
 */
public final class GuardedProcesses {
  /**
   * Shell script that becomes the server, so that its pid is known before it runs. It waits until
   * the guard knows the pid as well, and ends if this JVM ends first. A server that will be left
   * running must not end with the terminal.
   */
  static final String LAUNCH = "read -r go || exit; exec </dev/null\n" + Guard.EXEC_IN_NEW_SESSION;

  private static final String LAUNCH_TO_STAY = "trap '' HUP INT QUIT; " + LAUNCH;

  private final OwnedDataDir marked;
  private final Path data;
  private final boolean staying;
  private final Duration stopLimit;
  private final Guard guard;
  private final Thread hook;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final Set<Process> companions = ConcurrentHashMap.newKeySet();
  private final Map<Integer, PowerCutDisk> disks = new ConcurrentHashMap<>();
  private final List<String> lost = new ArrayList<>();
  private List<String> failures = List.of();
  private boolean ended;

  private GuardedProcesses(Path data, boolean staying, Duration stopLimit, Guard guard) {
    this.marked = new OwnedDataDir(data);
    this.data = data;
    this.staying = staying;
    this.stopLimit = stopLimit;
    this.guard = guard;
    this.hook = new Thread(this::stop, "quorate-stop-servers");
  }

  /**
   * Returns an empty set of processes.
   *
   * @param data directory where each member gets a directory; created if necessary, must be empty
   * @param staying whether the processes may be left running with {@link #release}
   */
  public static GuardedProcesses in(Path data, boolean staying, Duration stopLimit) {
    requireEmpty(data);
    try {
      // the guard starts before the data exists, so that no kill leaves data
      GuardedProcesses processes = new GuardedProcesses(data, staying, stopLimit, Guard.over(data));
      Runtime.getRuntime().addShutdownHook(processes.hook);
      processes.begin();
      return processes;
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot start the guard of the servers (/bin/sh): " + failure, failure);
    }
  }

  private static void requireEmpty(Path data) {
    try {
      if (!new DirectoryTree(data).isEmpty()) {
        throw new QuorateException(data + " is not empty: data of other servers may be in it");
      }
    } catch (IOException failure) {
      throw unusable(data, failure);
    }
  }

  private static QuorateException unusable(Path data, IOException failure) {
    return new QuorateException(
        "cannot make the directory " + data + ": " + DiskSpace.reason(data, failure), failure);
  }

  private void begin() throws IOException {
    try {
      Files.createDirectories(data);
    } catch (IOException failure) {
      stop();
      throw unusable(data, failure);
    }
    try {
      marked.claim(guard.pid());
    } catch (IOException | QuorateException failure) {
      stop();
      throw failure;
    }
    guard.onLoss(this::guardLost);
  }

  private synchronized void guardLost() {
    if (!ended) {
      lost.add(
          "the guard of the servers has ended, so the servers are stopped: nothing would stop them"
              + " if this process were killed");
      stop();
    }
  }

  /** Makes the data directory of a member whose power can be cut. */
  public synchronized void mount(ServerPlan plan, Path program, PowerCut rules) {
    Path files = data.resolve("disks").resolve(plan.name());
    disks.put(plan.index(), PowerCutDisk.mount(program, files, plan.data(), rules));
  }

  /** Continues with disks whose power can be cut, after all members have formed their cluster. */
  public void formed() {
    disks.values().forEach(PowerCutDisk::formed);
  }

  /**
   * Cuts the power of servers together: nothing that they write from now on is durable, they end,
   * and what they have not synced is discarded. If a step fails, the others follow nevertheless.
   *
   * @param seed of what survives by chance, and of which server has unsynced data at that time
   * @return what was lost, in the order of the members
   */
  public List<PowerCutDisk.Loss> cutPower(List<Integer> members, long seed, Runnable begins) {
    List<PowerCutDisk> cut = members.stream().map(this::disk).toList();
    List<PowerCutDisk.Loss> lost = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(seed);
    List<PowerCutDisk> order = new ArrayList<>(cut);
    Collections.rotate(order, seeds.nextInt(order.size()));
    Problems problems = new Problems();
    // first, as a kill lets a sync end that is running
    problems.attempt(() -> PowerCutDisk.freeze(order, begins));
    members.forEach(each -> current(each).end(true));
    cut.forEach(each -> problems.attempt(() -> each.cut(seeds.nextLong())).ifPresent(lost::add));
    problems.throwIfAny();
    return lost;
  }

  /** Impairs the disk of a server, whose end is not a failure until shortly afterwards. */
  public MemberControl.Impairment impairDisk(int member, PowerCutDisk.Defect defect) {
    ServerProcess process = current(member);
    MemberControl.Impairment begun =
        disk(member)
            .impair(defect, () -> process.expectEnd(Instant.now().plus(MemberControl.AFTERMATH)));
    process.expectEnd(Instant.MAX);
    return begun;
  }

  private PowerCutDisk disk(int member) {
    return Optional.ofNullable(disks.get(member))
        .orElseThrow(() -> new QuorateException("found no disk whose power can be cut"));
  }

  /** Starts a server in the data directory of its member; its output goes to its log. */
  public synchronized void launch(
      ServerPlan plan, List<String> command, Consumer<Map<String, String>> environment)
      throws IOException {
    // the settings that Quorate wrote there are older than the cluster
    Optional.ofNullable(disks.get(plan.index())).ifPresent(PowerCutDisk::settle);
    servers.add(start(plan, command, environment, false));
  }

  /**
   * Starts a server of a further member, like {@link #launch}; its output follows what an earlier
   * one with this name has logged.
   */
  public synchronized void join(
      ServerPlan plan, List<String> command, Consumer<Map<String, String>> environment)
      throws IOException {
    servers.add(start(plan, command, environment, true));
  }

  /** Expects that a server ends by itself, which is not a failure then. */
  public void expectEnd(ServerPlan plan) {
    of(plan).ifPresent(each -> each.expectEnd(Instant.MAX));
  }

  private Optional<ServerProcess> of(ServerPlan plan) {
    return servers().stream().filter(each -> each.plan().equals(plan)).findFirst();
  }

  /** Ends a server, if it was started, forgets it, and removes its data. */
  public void retire(ServerPlan plan) {
    Optional<ServerProcess> process = of(plan);
    process.ifPresent(each -> each.end(false));
    process.ifPresent(each -> each.awaitEnd(stopLimit));
    synchronized (this) {
      if (!ended) {
        process.ifPresent(servers::remove);
        new DirectoryTree(plan.data()).remove();
      }
    }
  }

  private ServerProcess start(
      ServerPlan plan,
      List<String> command,
      Consumer<Map<String, String>> environment,
      boolean again)
      throws IOException {
    if (ended) {
      throw new QuorateException(plan.name() + " is not started: the cluster is being stopped");
    }
    File log = plan.log().toFile();
    Redirect output =
        plan.pipedLog() ? Redirect.PIPE : again ? Redirect.appendTo(log) : Redirect.to(log);
    Process process = guarded(plan, plan.name(), command, environment, output);
    return new ServerProcess(
        plan,
        process,
        plan.pipedLog() ? Optional.of(LogPipe.of(process, log, again)) : Optional.empty(),
        () -> start(plan, command, environment, true));
  }

  private Process guarded(
      ServerPlan plan,
      String name,
      List<String> command,
      Consumer<Map<String, String>> environment,
      Redirect output)
      throws IOException {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("/bin/sh", "-c", staying ? LAUNCH_TO_STAY : LAUNCH, "quorate-launch"));
    line.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(workingDirectory(plan.data()).toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().keySet().removeAll(Login.VARIABLES);
    environment.accept(builder.environment());
    Process process = builder.start();
    guard.add(process.pid());
    marked.add(ProcessHandleInfo.of(process.pid(), name));
    process.onExit().thenRun(() -> guard.forget(process.pid()));
    try (OutputStream go = process.getOutputStream()) {
      go.write("go\n".getBytes(StandardCharsets.US_ASCII));
    }
    return process;
  }

  /**
   * Returns the data directory, unless it is a link: what it leads to has no path for a process.
   */
  private static Path workingDirectory(Path data) {
    return Files.isSymbolicLink(data) ? Objects.requireNonNull(data.getParent()) : data;
  }

  /** Starts a program that acts on a server, and ends with the servers at the latest. */
  synchronized Process accompany(ServerProcess server, List<String> command, Path output)
      throws IOException {
    if (ended) {
      throw new QuorateException("the cluster is being stopped");
    }
    Process companion =
        guarded(server.plan(), command.get(0), command, any -> {}, Redirect.to(output.toFile()));
    companions.add(companion);
    companion.onExit().thenRun(() -> companions.remove(companion));
    return companion;
  }

  /** Returns the process of a member that is one server. */
  public synchronized ServerProcess current(int member) {
    return servers.get(place(member));
  }

  private int place(int member) {
    return IntStream.range(0, servers.size())
        .filter(i -> servers.get(i).plan().index() == member)
        .findFirst()
        .orElseThrow();
  }

  /** Sends a signal to the process of a member; its end is not a failure then. */
  public void signal(int member, MemberControl.Signal signal) {
    ServerProcess process = current(member);
    switch (signal) {
      case KILL -> process.end(true);
      case TERMINATE -> process.end(false);
      case PAUSE -> PauseSignal.pause(process.pid());
      case RESUME -> PauseSignal.resume(process.pid());
    }
  }

  /** Starts a member that has ended again, on its data; does not wait until it serves. */
  public synchronized void restart(int member) {
    int place = place(member);
    replace(place, servers.get(place)::again);
  }

  /** Starts a member that has ended again, on its data, by another launcher. */
  public synchronized void upgrade(int member, ServerLauncher launcher) {
    int place = place(member);
    ServerPlan plan = servers.get(place).plan();
    List<ServerPlan> peers =
        servers.stream()
            .map(ServerProcess::plan)
            .filter(each -> each.kind().equals(plan.kind()))
            .sorted(Comparator.comparingInt(ServerPlan::index))
            .toList();
    replace(place, () -> start(plan, launcher.command(plan, peers), launcher::clean, true));
  }

  private void replace(int place, ServerProcess.Starter starter) {
    int member = servers.get(place).plan().index();
    FileAction.require(
        "member %d cannot be started again".formatted(member),
        () -> servers.set(place, starter.start()));
  }

  /** Returns the servers in the order in which they were started. */
  public synchronized List<ServerProcess> servers() {
    return List.copyOf(servers);
  }

  /** Returns one line about each server that ended otherwise than by {@link #stop}. */
  public synchronized List<String> failures() {
    return ended ? failures : endedServers();
  }

  private List<String> endedServers() {
    return Stream.concat(
            lost.stream(), servers.stream().map(ServerProcess::failure).flatMap(Optional::stream))
        .toList();
  }

  /** Ends all servers and removes their data. Idempotent; a second caller waits for the first. */
  public synchronized void stop() {
    if (ended) {
      return;
    }
    failures = endedServers();
    ended = true;
    companions.forEach(Process::destroy);
    servers.forEach(ServerProcess::terminate);
    long deadline = System.nanoTime() + stopLimit.toNanos();
    try {
      for (ServerProcess server : servers) {
        server.awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
      }
    } finally {
      disks.values().forEach(PowerCutDisk::close);
    }
    try {
      new DirectoryTree(data).remove();
      marked.unmark();
    } finally {
      guard.dismiss();
      removeHook();
    }
  }

  /**
   * Leaves it to the caller to stop the servers when this JVM is ending. The guard stops them if
   * that is not done.
   */
  public synchronized void leaveStoppingToCaller() {
    if (!ended) {
      removeHook();
    }
  }

  /** Leaves the servers running after the end of this JVM. */
  public synchronized void release() {
    if (!staying) {
      throw new IllegalStateException("these servers were not started to stay");
    }
    if (ended) {
      throw new QuorateException("the cluster was stopped while it was starting");
    }
    marked.leaveRunning();
    ended = true;
    failures = endedServers();
    guard.dismiss();
    removeHook();
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException nothing) {
      // the JVM is ending: perhaps this is the hook
    }
  }
}
