package io.quorate.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The processes of one target, taken together. When one of them has ended, there is nothing more to
 * say about the target: a part of it is something else. Not for several threads.
 */
final class ProcessGroup {
  /** CPU times come in steps of 10 ms, so less than this makes no percentage. */
  private static final long SHORTEST_INTERVAL_NANOS = 100_000_000;

  private final List<Long> pids;
  private final List<WatchedProcess> processes = new ArrayList<>();
  private double cpuPercent = -1;
  private long cpuMillis;
  private long cpuNanoTime;

  ProcessGroup(Machine machine, List<Long> pids) {
    this.pids = List.copyOf(pids);
    for (long pid : pids) {
      WatchedProcess.of(machine, pid).ifPresent(processes::add);
    }
  }

  /** Empty as soon as a process has ended. */
  Optional<ProcessReading> read() {
    for (WatchedProcess process : processes) {
      if (!process.refresh()) {
        return Optional.empty();
      }
    }
    return processes.size() < pids.size() ? Optional.empty() : Optional.of(reading());
  }

  private ProcessReading reading() {
    long nanoTime = System.nanoTime();
    WatchedProcess first = processes.get(0);
    TaskSwitches.Switches switches =
        processes.stream()
            .map(WatchedProcess::switches)
            .reduce(new TaskSwitches.Switches(0, 0), TaskSwitches.Switches::plus);
    long millis = sum(WatchedProcess::cpuMillis);
    measureCpu(millis, nanoTime);
    return new ProcessReading(
        first.name(),
        first.state(),
        pids,
        first.parent(),
        cpuPercent,
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

  private void measureCpu(long millis, long nanoTime) {
    if (cpuPercent < 0) {
      cpuPercent = sumOfLives();
    } else if (nanoTime - cpuNanoTime < SHORTEST_INTERVAL_NANOS) {
      return;
    } else {
      cpuPercent = (millis - cpuMillis) * 1e6 / (nanoTime - cpuNanoTime) * 100;
    }
    cpuMillis = millis;
    cpuNanoTime = nanoTime;
  }

  private double sumOfLives() {
    return processes.stream().mapToDouble(WatchedProcess::cpuPercentOfLife).sum();
  }

  /** Negative as soon as one of them is unknown. */
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
