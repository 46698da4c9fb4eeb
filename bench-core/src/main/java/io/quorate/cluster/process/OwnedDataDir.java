// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.StateFile;
import io.quorate.install.DirectoryTree;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The data directory of servers, with a mark next to it: a file that shows a later process its
 * owner. Only data and processes that a mark of this user names are removed or ended.
 */
public record OwnedDataDir(Path data) {
  private static final String PURPOSE = "data of servers that Quorate started";
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  /**
   * The content of the mark.
   *
   * @param purpose constant text that identifies such a file
   * @param data the directory, without links
   * @param pids scope in which the pids are valid
   * @param owner the process that started the servers
   * @param guard process that ends them, and removes the data, when the owner ends
   * @param stays whether the servers were left running when the owner ended
   * @param servers all servers that were started, including ended ones
   */
  record Mark(
      String purpose,
      String data,
      PidSpace pids,
      ProcessHandleInfo owner,
      ProcessHandleInfo guard,
      boolean stays,
      List<ProcessHandleInfo> servers) {
    Mark {
      if (!purpose.equals(PURPOSE)) {
        throw new IllegalArgumentException("purpose: expected '" + PURPOSE + "'");
      }
      servers = List.copyOf(servers);
    }
  }

  /** The state of the processes that own the data. */
  public enum State {
    /** No mark. */
    UNMARKED,
    /** The process that started the servers runs. */
    OWNED,
    /** The owner has ended, and the guard is about to end the servers. */
    STOPPING,
    /** The servers were left running. */
    LEFT_RUNNING,
    /** Neither an owner nor a guard looks after it any more. */
    ABANDONED,
    /** Its processes cannot be seen from here. */
    ELSEWHERE;

    /** Returns whether no running program owns the data. */
    public boolean isForgotten() {
      return this == ABANDONED || this == LEFT_RUNNING;
    }
  }

  private StateFile file() {
    return new StateFile(markOf(data));
  }

  static Path markOf(Path data) {
    return data.resolveSibling(data.getFileName() + ".owner");
  }

  void claim(long guard) throws IOException {
    file()
        .write(
            new Mark(
                PURPOSE,
                data.toRealPath().toString(),
                PidSpace.here(),
                ProcessHandleInfo.of(ProcessHandle.current().pid(), "this process"),
                ProcessHandleInfo.of(guard, "the guard of the servers"),
                false,
                List.of()));
  }

  void add(ProcessHandleInfo server) {
    List<ProcessHandleInfo> servers = new ArrayList<>(ownMark().servers());
    servers.add(server);
    write(ownMark(), false, servers);
  }

  void leaveRunning() {
    write(ownMark(), true, ownMark().servers());
  }

  private void write(Mark mark, boolean stays, List<ProcessHandleInfo> servers) {
    file()
        .write(
            new Mark(
                PURPOSE, mark.data(), mark.pids(), mark.owner(), mark.guard(), stays, servers));
  }

  private Mark ownMark() {
    return mark().orElseThrow(() -> new QuorateException(data + ": its mark is gone"));
  }

  private Optional<Mark> mark() {
    return file().read(Mark.class);
  }

  /** Returns the state of its owner; fails if the mark cannot be trusted. */
  public State state() {
    Optional<Mark> mark = mark();
    if (mark.isEmpty()) {
      return State.UNMARKED;
    }
    PidSpace here = PidSpace.here();
    if (mark.get().pids().hasEnded(here)) {
      return State.ABANDONED;
    }
    if (!mark.get().pids().equals(here)) {
      return State.ELSEWHERE;
    }
    if (mark.get().stays()) {
      return State.LEFT_RUNNING;
    }
    if (mark.get().owner().handle().isPresent()) {
      return State.OWNED;
    }
    if (mark.get().guard().handle().isPresent()) {
      return State.STOPPING;
    }
    // the guard may have removed data and mark, and ended, after the mark was read
    return mark().isPresent() ? State.ABANDONED : State.UNMARKED;
  }

  /** Returns the running servers that the mark names. */
  public List<ProcessHandle> servers() {
    return mark().filter(mark -> mark.pids().equals(PidSpace.here())).stream()
        .flatMap(mark -> mark.servers().stream())
        .flatMap(server -> server.serverIn(data).stream())
        .toList();
  }

  /** Waits for as long as a guard is at work, within limits. */
  public State awaitGuard() {
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    State state = state();
    while (state == State.STOPPING && System.nanoTime() < deadline && pause()) {
      state = state();
    }
    return state;
  }

  /**
   * Stops the servers that its mark names, removes the data and then the mark.
   *
   * @throws QuorateException if that is not possible, or the mark is not for this directory
   */
  public void remove(Duration limit) {
    Mark mark = mark().orElseThrow(() -> new QuorateException(data + " has no mark of Quorate"));
    FileAction.require(
        "cannot look at " + data,
        () -> {
          if (Files.exists(data, LinkOption.NOFOLLOW_LINKS)
              && !(Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS)
                  && data.toRealPath().equals(Path.of(mark.data())))) {
            throw new QuorateException(
                "%s is left alone: its mark is for %s"
                    .formatted(VisibleText.of(data.toString()), VisibleText.of(mark.data())));
          }
        });
    end(servers(), limit);
    new DirectoryTree(data).remove();
    file().delete();
  }

  /** Removes the mark after the data. */
  void unmark() {
    file().delete();
  }

  /** Ends processes with TERM, and with KILL after a limit. */
  public static void end(List<ProcessHandle> processes, Duration limit) {
    processes.forEach(ProcessHandle::destroy);
    awaitEnd(processes, limit);
    processes.forEach(ProcessHandle::destroyForcibly);
    if (!awaitEnd(processes, STOP_LIMIT)) {
      throw new QuorateException("servers do not end when killed: " + processes);
    }
  }

  private static boolean awaitEnd(List<ProcessHandle> processes, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (processes.stream().anyMatch(ProcessHandleInfo::isAlive)) {
      if (System.nanoTime() > deadline || !pause()) {
        return false;
      }
    }
    return true;
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * The scope in which a pid is unique: a machine since its last boot, and one container of it.
   *
   * @param machine the name of the machine
   * @param boot id of the last boot; empty if the system does not report it
   * @param container id of the pid namespace of Linux; empty on other systems
   */
  record PidSpace(String machine, String boot, String container) {
    static PidSpace here() {
      return new PidSpace(
          machineName(), content(Path.of("/proc/sys/kernel/random/boot_id")), pidNamespace());
    }

    /** Returns whether all processes of this scope have ended because the machine was restarted. */
    boolean hasEnded(PidSpace now) {
      return machine.equals(now.machine) && !boot.isEmpty() && !boot.equals(now.boot);
    }

    private static String machineName() {
      String name = content(Path.of("/proc/sys/kernel/hostname"));
      return FileAction.attempt(
              () -> name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name)
          .orElse("localhost");
    }

    private static String pidNamespace() {
      try {
        return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      } catch (IOException | UnsupportedOperationException notLinux) {
        return "";
      }
    }

    private static String content(Path file) {
      return FileAction.attempt(() -> Files.readString(file).strip()).orElse("");
    }
  }
}
