// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.VisibleText;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The processes of this machine that do not belong to a run. It reads all of them, in some
 * microseconds each. Not for several threads.
 */
final class OtherProcesses {
  private final Path processes;
  private final Set<String> own;
  private final KernelText kernel = new KernelText();
  private final LongSupplier nanoTime;
  private Map<String, ProcessStat> before = Map.of();
  private long lastNanos;
  private boolean begun;

  /**
   * The program whose processes used most CPU time since the previous call.
   *
   * @param text program and its milliseconds: {@code stress-ng 1730}; empty in the first call, and
   *     if none used any
   * @param elapsedMillis time since the previous call; negative in the first one
   */
  record Busiest(String text, long elapsedMillis) {
    static final Busiest UNKNOWN = new Busiest("", -1);
  }

  /**
   * Prepares to read.
   *
   * @param processes directory with a directory for each process, {@code /proc}
   * @param own pids of the run
   */
  OtherProcesses(Path processes, Set<Long> own) {
    this(processes, own, System::nanoTime);
  }

  OtherProcesses(Path processes, Set<Long> own, LongSupplier nanoTime) {
    this.processes = processes;
    this.nanoTime = nanoTime;
    this.own = own.stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the program whose processes used most CPU time since the previous call. The kernel
   * counts in steps of 10 ms. Processes that ended since then do not count.
   */
  Busiest busiest() {
    long begin = nanoTime.getAsLong();
    Map<String, ProcessStat> now = read();
    long nanos = begin + (nanoTime.getAsLong() - begin) / 2;
    long elapsed = TimeUnit.NANOSECONDS.toMillis(nanos - lastNanos);
    lastNanos = nanos;
    Map<String, Long> used = new HashMap<>();
    now.forEach(
        (pid, stat) -> {
          ProcessStat then = before.get(pid);
          // a new process may have the pid of an ended one
          long earlier =
              then != null && then.cpuMillis() <= stat.cpuMillis() ? then.cpuMillis() : 0;
          used.merge(stat.name(), stat.cpuMillis() - earlier, Long::sum);
        });
    before = now;
    boolean hasInterval = begun;
    begun = true;
    if (!hasInterval) {
      return Busiest.UNKNOWN;
    }
    String text =
        used.entrySet().stream()
            .filter(each -> each.getValue() > 0)
            .max(
                Map.Entry.<String, Long>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(each -> VisibleText.of(each.getKey()) + " " + each.getValue())
            .orElse("");
    return new Busiest(text, elapsed);
  }

  private Map<String, ProcessStat> read() {
    Map<String, ProcessStat> all = new HashMap<>();
    String[] names = processes.toFile().list();
    for (String pid : names == null ? new String[0] : names) {
      if (Character.isDigit(pid.charAt(0)) && !own.contains(pid)) {
        kernel
            .of(processes + "/" + pid + "/stat")
            .flatMap(ProcessStat::parse)
            .ifPresent(stat -> all.put(pid, stat));
      }
    }
    return all;
  }
}
