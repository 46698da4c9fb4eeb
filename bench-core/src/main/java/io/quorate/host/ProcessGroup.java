// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import oshi.software.os.OSProcess;

/**
 * The processes of one target, measured together. After one of them has ended, the target is not
 * measured any more, since the rest is not comparable. Not for several threads.
 */
final class ProcessGroup {
  /** A reading that takes longer was interrupted, so that nobody knows its time. */
  private static final long LONG_NANOS = 5_000_000;

  private static final int ATTEMPTS = 5;

  private final List<Long> pids;
  private final List<WatchedProcess> processes = new ArrayList<>();
  private final CpuUse secondly = new CpuUse();
  private final KernelText kernel = new KernelText();
  private final ThrottledTime throttling;
  private final Optional<StoppedTime> stopped;

  ProcessGroup(Machine machine, List<Long> pids) {
    this.pids = List.copyOf(pids);
    this.throttling = new ThrottledTime(Path.of("/proc"), pids);
    this.stopped =
        Machine.isLinux() && !pids.contains(ProcessHandle.current().pid())
            ? Optional.of(StoppedTime.of(pids))
            : Optional.empty();
    for (long pid : pids) {
      WatchedProcess.of(machine, pid).ifPresent(processes::add);
    }
  }

  /** Returns how long processes were stopped; empty if this process is one of them. */
  Optional<StoppedTime> stopped() {
    return stopped;
  }

  Optional<ProcessReading> read() {
    return read(secondly);
  }

  /** Reads all processes, and updates the CPU use; empty as soon as one has ended. */
  Optional<ProcessReading> read(CpuUse cpu) {
    if (processes.size() < pids.size()) {
      return Optional.empty();
    }
    for (int attempt = 1; true; attempt++) {
      long begin = System.nanoTime();
      for (WatchedProcess process : processes) {
        if (!process.refresh()) {
          return Optional.empty();
        }
      }
      long took = System.nanoTime() - begin;
      if (took < LONG_NANOS || attempt == ATTEMPTS) {
        return Optional.of(reading(cpu, begin + took / 2));
      }
    }
  }

  private ProcessReading reading(CpuUse cpu, long nanoTime) {
    WatchedProcess first = processes.get(0);
    ThreadCounts.Counts threads =
        processes.stream()
            .map(WatchedProcess::threads)
            .reduce(ThreadCounts.Counts.NONE, ThreadCounts.Counts::plus);
    long millis = sum(each -> each.process.getUserTime() + each.process.getKernelTime());
    return new ProcessReading(
        nanoTime,
        first.process.getName(),
        first.state(),
        pids,
        first.process.getParentProcessID(),
        cpu.percent(millis, nanoTime),
        millis,
        sum(each -> each.process.getResidentMemory()),
        sum(each -> each.process.getVirtualSize()),
        sum(each -> each.telling ? each.process.getOpenFiles() : -1),
        sum(each -> each.process.getThreadCount()),
        threads.voluntary(),
        threads.involuntary(),
        threads.waitMillis(),
        stopped.map(StoppedTime::millis).orElse(-1L),
        throttling.millis(kernel),
        sum(each -> each.telling ? each.process.getBytesRead() : -1),
        sum(each -> each.telling ? each.process.getBytesWritten() : -1));
  }

  /** Returns the sum of a value of all processes; negative if one value is unknown. */
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
    private final ThreadCounts threads;
    private final boolean telling;

    private WatchedProcess(ProcessHandle handle, OSProcess process) {
      this.handle = handle;
      this.process = process;
      this.threads = new ThreadCounts(handle.pid());
      this.telling = tells(handle.pid());
    }

    static Optional<WatchedProcess> of(Machine machine, long pid) {
      return ProcessHandle.of(pid)
          .flatMap(handle -> machine.process(pid).map(found -> new WatchedProcess(handle, found)));
    }

    /**
     * Returns whether its I/O counters and files can be read, which other users' processes do not
     * permit.
     */
    private static boolean tells(long pid) {
      if (!Machine.isLinux()) {
        return true;
      }
      return FileAction.attempt(
              () -> !Files.readString(Path.of("/proc", Long.toString(pid), "io")).isEmpty())
          .orElse(false);
    }

    /**
     * Reads the process again; returns false if it has ended, even if another process has its pid.
     */
    boolean refresh() {
      return handle.isAlive()
          && process.updateAttributes()
          && process.getState() != OSProcess.State.ZOMBIE
          && process.getState() != OSProcess.State.INVALID;
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

    ThreadCounts.Counts threads() {
      return Machine.isLinux()
          ? threads.read()
          : new ThreadCounts.Counts(
              process.getVoluntaryContextSwitches(), process.getInvoluntaryContextSwitches(), -1);
    }
  }

  /** Computes the CPU use of processes from one reading to the next one; 100 is one core. */
  static final class CpuUse {
    /** Shortest interval that has a percentage, as CPU times come in steps of 10 ms. */
    private static final long MIN_INTERVAL_NANOS = 100_000_000;

    private long cpuMillis;
    private long nanoTime;
    private boolean begun;

    /**
     * Returns the mean since the previous reading. Negative if there was none, or if it was less
     * than a tenth of a second ago; the next interval begins with this reading in any case.
     *
     * @param millis user and system time since the start of the processes
     * @param now time of the nano clock
     */
    double percent(long millis, long now) {
      double percent = -1;
      if (begun) {
        if (now - nanoTime < MIN_INTERVAL_NANOS) {
          return -1;
        }
        percent = (millis - cpuMillis) * 1e6 / (now - nanoTime) * 100;
      }
      begun = true;
      cpuMillis = millis;
      nanoTime = now;
      return percent;
    }
  }
}
