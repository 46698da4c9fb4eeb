package io.quorate.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /**
   * Counts the context switches of all threads of a process, from {@code /proc/PID/task/*}{@code
   * /status}: OSHI reads {@code /proc/PID/status} of another process, which is about its main
   * thread only. What an ended thread had when it was last seen still counts, so the sums never
   * fall. Not for several threads.
   */
  static final class TaskSwitches {
    private static final byte[] VOLUNTARY = bytes("\nvoluntary_ctxt_switches:");
    private static final byte[] INVOLUNTARY = bytes("\nnonvoluntary_ctxt_switches:");
    private static final int MAX_DIGITS = 16;

    private final Path tasks;
    private final byte[] buffer = new byte[16_384];
    private Map<String, Switches> seen = new HashMap<>();
    private Switches ended = new Switches(0, 0);

    /** The switches of one thread, or of several together. */
    record Switches(long voluntary, long involuntary) {
      Switches plus(Switches other) {
        return new Switches(voluntary + other.voluntary, involuntary + other.involuntary);
      }
    }

    TaskSwitches(long pid) {
      this(Path.of("/proc", Long.toString(pid), "task"));
    }

    TaskSwitches(Path tasks) {
      this.tasks = tasks;
    }

    /** Reads all threads; one that ends meanwhile counts as it was last seen. */
    Switches read() {
      Map<String, Switches> now = new HashMap<>();
      String[] names = tasks.toFile().list();
      for (String task : names == null ? new String[0] : names) {
        Switches switches = read(task);
        if (switches != null) {
          now.put(task, switches);
        }
      }
      seen.forEach(
          (task, before) -> {
            Switches after = now.get(task);
            // fewer than before: another thread with the number of one that has ended
            if (after == null || after.voluntary < before.voluntary) {
              ended = ended.plus(before);
            }
          });
      seen = now;
      return now.values().stream().reduce(ended, Switches::plus);
    }

    private Switches read(String task) {
      try (InputStream in = new FileInputStream(tasks + "/" + task + "/status")) {
        return parse(buffer, in.readNBytes(buffer, 0, buffer.length));
      } catch (IOException hasEnded) {
        return null;
      }
    }

    /** Parses the switches in the text of a status file; null when it does not have both. */
    static Switches parse(byte[] text, int length) {
      long voluntary = number(text, length, VOLUNTARY);
      long involuntary = number(text, length, INVOLUNTARY);
      return voluntary < 0 || involuntary < 0 ? null : new Switches(voluntary, involuntary);
    }

    /** Returns the number after a label, which is near the end; negative if there is none. */
    private static long number(byte[] text, int length, byte[] label) {
      for (int start = length - label.length; start >= 0; start--) {
        if (startsWith(text, start, label)) {
          return number(text, length, start + label.length);
        }
      }
      return -1;
    }

    private static boolean startsWith(byte[] text, int start, byte[] label) {
      for (int i = 0; i < label.length; i++) {
        if (text[start + i] != label[i]) {
          return false;
        }
      }
      return true;
    }

    private static long number(byte[] text, int length, int start) {
      int at = start;
      while (at < length && (text[at] == ' ' || text[at] == '\t')) {
        at++;
      }
      int first = at;
      long number = 0;
      for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
        number = number * 10 + (text[at] - '0');
        if (at - first >= MAX_DIGITS) {
          return -1;
        }
      }
      boolean ends = at == length || text[at] == '\n';
      return at > first && ends ? number : -1;
    }

    private static byte[] bytes(String label) {
      return label.getBytes(StandardCharsets.US_ASCII);
    }
  }
}
