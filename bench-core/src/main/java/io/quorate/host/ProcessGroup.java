package io.quorate.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import oshi.software.os.OSProcess;

/**
 * The processes of one target, measured together. When one of them has ended, there is nothing more
 * to say about the target: a part of it is something else. Not for several threads.
 */
final class ProcessGroup {
  private final List<Long> pids;
  private final List<WatchedProcess> processes = new ArrayList<>();
  private final CpuUse secondly = new CpuUse();

  ProcessGroup(Machine machine, List<Long> pids) {
    this.pids = List.copyOf(pids);
    for (long pid : pids) {
      WatchedProcess.of(machine, pid).ifPresent(processes::add);
    }
  }

  /** Reads all processes, among the readings of each second. */
  Optional<ProcessReading> read() {
    return read(secondly);
  }

  /**
   * Reads all processes; empty as soon as one has ended.
   *
   * @param cpu of the readings among which this one is
   */
  Optional<ProcessReading> read(CpuUse cpu) {
    for (WatchedProcess process : processes) {
      if (!process.refresh()) {
        return Optional.empty();
      }
    }
    return processes.size() < pids.size() ? Optional.empty() : Optional.of(reading(cpu));
  }

  private ProcessReading reading(CpuUse cpu) {
    long nanoTime = System.nanoTime();
    WatchedProcess first = processes.get(0);
    TaskSwitches.Switches switches =
        processes.stream()
            .map(WatchedProcess::switches)
            .reduce(new TaskSwitches.Switches(0, 0), TaskSwitches.Switches::plus);
    long millis = sum(WatchedProcess::cpuMillis);
    return new ProcessReading(
        first.name(),
        first.state(),
        pids,
        first.parent(),
        cpu.percent(millis, nanoTime),
        millis,
        sum(WatchedProcess::residentBytes),
        sum(WatchedProcess::virtualBytes),
        sum(WatchedProcess::openFiles),
        sum(WatchedProcess::threads),
        switches.voluntary(),
        switches.involuntary(),
        sum(WatchedProcess::readBytes),
        sum(WatchedProcess::writtenBytes));
  }

  /** Sums up a figure; negative as soon as one of them is unknown. */
  private long sum(ToLongFunction<WatchedProcess> figure) {
    long sum = 0;
    for (WatchedProcess process : processes) {
      long part = figure.applyAsLong(process);
      if (part < 0) {
        return -1;
      }
      sum += part;
    }
    return sum;
  }

  /** One process, read again and again until it ends. Not for several threads. */
  private static final class WatchedProcess {
    private final ProcessHandle handle;
    private final OSProcess process;
    private final TaskSwitches switches;
    private final boolean telling;

    private WatchedProcess(ProcessHandle handle, OSProcess process) {
      this.handle = handle;
      this.process = process;
      this.switches = new TaskSwitches(handle.pid());
      this.telling = tells(handle.pid());
    }

    /** Returns the process with this pid, if there is one. */
    static Optional<WatchedProcess> of(Machine machine, long pid) {
      return ProcessHandle.of(pid)
          .flatMap(handle -> machine.process(pid).map(found -> new WatchedProcess(handle, found)));
    }

    /**
     * Returns whether the system lets us read its I/O counters and its files: not for other users'
     * processes.
     */
    private static boolean tells(long pid) {
      if (!Machine.isLinux()) {
        return true;
      }
      try {
        return !Files.readString(Path.of("/proc", Long.toString(pid), "io")).isEmpty();
      } catch (IOException forbidden) {
        return false;
      }
    }

    /** Reads the process again; false when it has ended, also when another one has got its pid. */
    boolean refresh() {
      return handle.isAlive()
          && process.updateAttributes()
          && process.getState() != OSProcess.State.ZOMBIE
          && process.getState() != OSProcess.State.INVALID;
    }

    long pid() {
      return handle.pid();
    }

    String name() {
      return process.getName();
    }

    long parent() {
      return process.getParentProcessID();
    }

    /** Returns the state in the words of {@code /proc/PID/status}. */
    String state() {
      return switch (process.getState()) {
        case RUNNING -> "R (running)";
        case SLEEPING -> "S (sleeping)";
        case WAITING -> "D (disk sleep)";
        case STOPPED -> "T (stopped)";
        case NEW, ZOMBIE, SUSPENDED, INVALID, OTHER -> "I (idle)";
      };
    }

    long cpuMillis() {
      return process.getUserTime() + process.getKernelTime();
    }

    long residentBytes() {
      return process.getResidentMemory();
    }

    long virtualBytes() {
      return process.getVirtualSize();
    }

    long openFiles() {
      return telling ? process.getOpenFiles() : -1;
    }

    long threads() {
      return process.getThreadCount();
    }

    TaskSwitches.Switches switches() {
      return Machine.isLinux()
          ? switches.read()
          : new TaskSwitches.Switches(
              process.getVoluntaryContextSwitches(), process.getInvoluntaryContextSwitches());
    }

    long readBytes() {
      return telling ? process.getBytesRead() : -1;
    }

    long writtenBytes() {
      return telling ? process.getBytesWritten() : -1;
    }
  }
}
