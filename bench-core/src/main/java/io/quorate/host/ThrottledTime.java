// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time in which processes were not allowed to run because their control groups had used their
 * quota of CPU time, since the first reading of the groups. It goes on growing when somebody moves
 * them to another group during the run. Not for several threads.
 */
final class ThrottledTime {
  private final Path processes;
  private final List<Long> pids;
  private List<String> texts = List.of();
  private ControlGroups groups = new ControlGroups(List.of());
  private boolean begun;
  private long offset;
  private long latest;

  /**
   * Prepares to read.
   *
   * @param processes directory of the kernel, {@code /proc}
   */
  ThrottledTime(Path processes, List<Long> pids) {
    this.processes = processes;
    this.pids = List.copyOf(pids);
  }

  /** Returns the time in milliseconds; negative if it is not known. */
  long millis(KernelText kernel) {
    List<String> now =
        pids.stream().map(pid -> kernel.of(processes + "/" + pid + "/cgroup").orElse("")).toList();
    if (!now.equals(texts) || groups.files().isEmpty()) {
      texts = now;
      groups = ControlGroups.of(processes, now);
      offset = begun ? latest - Math.max(0, groups.millis(kernel)) : 0;
    }
    long millis = groups.millis(kernel);
    if (millis < 0) {
      return -1;
    }
    begun = true;
    latest = millis + offset;
    return latest;
  }

  /**
   * The control groups of processes.
   *
   * @param files {@code cpu.stat} of each group
   */
  record ControlGroups(List<Path> files) {
    private static final Pattern MICROS = Pattern.compile("(?m)^throttled_usec (\\d{1,18})$");
    private static final Pattern NANOS = Pattern.compile("(?m)^throttled_time (\\d{1,18})$");

    /** The line of a process's groups: number, controllers, path. */
    private static final Pattern GROUP = Pattern.compile("(\\d+):([^:]*):(/.*)");

    ControlGroups {
      files = List.copyOf(files);
    }

    /**
     * Finds the files of some groups, which may be the same; none on other systems.
     *
     * @param processes directory of the kernel, {@code /proc}
     * @param groups texts of {@code /proc/PID/cgroup}
     */
    static ControlGroups of(Path processes, List<String> groups) {
      String mounts = mounts(processes.resolve("self/mounts"));
      return new ControlGroups(
          groups.stream().flatMap(each -> file(each, mounts).stream()).distinct().toList());
    }

    /** Returns all mounts, which may be many. */
    private static String mounts(Path file) {
      return FileAction.attempt(() -> Files.readString(file)).orElse("");
    }

    /**
     * Returns the file of a process's group; empty if groups do not limit its CPU time. In a
     * container the path of a group may be that of the host, and its files are at the mount itself.
     *
     * @param groups text of {@code /proc/PID/cgroup}
     * @param mounts text of {@code /proc/mounts}
     */
    static Optional<Path> file(String groups, String mounts) {
      List<Path> candidates = new ArrayList<>();
      for (String line : groups.lines().toList()) {
        Matcher group = GROUP.matcher(line);
        if (!group.matches()) {
          continue;
        }
        boolean unified = group.group(1).equals("0") && group.group(2).isEmpty();
        if (unified || Arrays.asList(group.group(2).split(",")).contains("cpu")) {
          for (Path root : roots(mounts, unified)) {
            candidates.add(root.resolve(group.group(3).substring(1)).resolve("cpu.stat"));
            candidates.add(root.resolve("cpu.stat"));
          }
        }
      }
      return candidates.stream()
          .filter(Files::isReadable)
          .filter(file -> nanos(new KernelText().of(file).orElse("")) >= 0)
          .findFirst();
    }

    /** Returns where groups are mounted: all controllers together (version 2), or that of CPUs. */
    private static List<Path> roots(String mounts, boolean unified) {
      return mounts
          .lines()
          .map(line -> line.split(" "))
          .filter(fields -> fields.length > 3)
          .filter(
              fields ->
                  unified
                      ? fields[2].equals("cgroup2")
                      : fields[2].equals("cgroup")
                          && Arrays.asList(fields[3].split(",")).contains("cpu"))
          .map(fields -> Path.of(fields[1]))
          .toList();
    }

    /** Returns the sum over all groups; negative if one is unknown, or if there is none. */
    long millis(KernelText kernel) {
      long sum = 0;
      for (Path file : files) {
        long nanos = nanos(kernel.of(file).orElse(""));
        if (nanos < 0) {
          return -1;
        }
        sum += nanos;
      }
      return files.isEmpty() ? -1 : TimeUnit.NANOSECONDS.toMillis(sum);
    }

    /** Parses {@code cpu.stat} of version 2 or 1; negative if it has no such time. */
    static long nanos(String text) {
      Matcher micros = MICROS.matcher(text);
      if (micros.find()) {
        return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros.group(1)));
      }
      Matcher nanos = NANOS.matcher(text);
      return nanos.find() ? Long.parseLong(nanos.group(1)) : -1;
    }
  }
}
