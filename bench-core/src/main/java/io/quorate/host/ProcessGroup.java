package io.quorate.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

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
}
