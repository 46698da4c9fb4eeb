// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the context switches of all threads of a process, and the time that they waited for a CPU,
 * from {@code /proc/PID/task/*}{@code /status} and {@code schedstat}: for other processes OSHI
 * reads {@code /proc/PID/status}, which covers only the main thread. The last known counts of ended
 * threads are included, so the sums never fall. Not for several threads.
 */
final class ThreadCounts {
  private static final Pattern SWITCHES =
      Pattern.compile(
          "\nvoluntary_ctxt_switches:[ \t]*(\\d{1,16})"
              + "\nnonvoluntary_ctxt_switches:[ \t]*(\\d{1,16})(?:\n|$)");

  /** Nanoseconds on a CPU, nanoseconds of waiting for one, number of times on a CPU. */
  private static final Pattern SCHEDULING = Pattern.compile("\\d+ (\\d{1,18}) \\d+\\s*");

  private final Path tasks;
  private final KernelText kernel = new KernelText();
  private Map<String, Counts> seen = new HashMap<>();
  private Counts ended = Counts.NONE;

  /**
   * The counts of one thread, or of several together.
   *
   * @param waitNanos time in which it could have run but waited for a CPU; negative if unknown
   */
  record Counts(long voluntary, long involuntary, long waitNanos) {
    static final Counts NONE = new Counts(0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          voluntary + other.voluntary,
          involuntary + other.involuntary,
          waitNanos < 0 || other.waitNanos < 0 ? -1 : waitNanos + other.waitNanos);
    }

    long waitMillis() {
      return waitNanos < 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(waitNanos);
    }
  }

  ThreadCounts(long pid) {
    this(Path.of("/proc", Long.toString(pid), "task"));
  }

  ThreadCounts(Path tasks) {
    this.tasks = tasks;
  }

  /** Reads all threads; one that ends meanwhile counts as it was last seen. */
  Counts read() {
    Map<String, Counts> now = new HashMap<>();
    String[] names = tasks.toFile().list();
    for (String task : names == null ? new String[0] : names) {
      read(task).ifPresent(counts -> now.put(task, counts));
    }
    seen.forEach(
        (task, before) -> {
          Counts after = now.get(task);
          // fewer than before: a new thread with the id of an ended one
          if (after == null || after.voluntary < before.voluntary) {
            ended = ended.plus(before);
          }
        });
    seen = now;
    return now.values().stream().reduce(ended, Counts::plus);
  }

  private Optional<Counts> read(String task) {
    String thread = tasks + "/" + task;
    // in this order: a thread that ends in between has no status, and so no counts
    String schedstat = kernel.of(thread + "/schedstat").orElse("");
    return kernel.of(thread + "/status").flatMap(status -> parse(status, schedstat));
  }

  /**
   * Parses the counts of a thread; empty if one of the two numbers of switches is missing.
   *
   * @param status text of its status file
   * @param schedstat text of its file about scheduling; empty where Linux has none
   */
  static Optional<Counts> parse(String status, String schedstat) {
    Matcher switches = SWITCHES.matcher(status);
    if (!switches.find()) {
      return Optional.empty();
    }
    Matcher scheduling = SCHEDULING.matcher(schedstat);
    return Optional.of(
        new Counts(
            Long.parseLong(switches.group(1)),
            Long.parseLong(switches.group(2)),
            scheduling.matches() ? Long.parseLong(scheduling.group(1)) : -1));
  }
}
