// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.nio.file.Path;
import java.util.List;

/**
 * The throttled time of processes since the first reading of their groups. It goes on growing when
 * somebody moves them to another group during the run. Not for several threads.
 */
final class ThrottledTime {
  private final Path processes;
  private final List<Long> pids;
  private List<String> groups = List.of();
  private Throttling throttling = new Throttling(List.of());
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
    if (!now.equals(groups) || throttling.files().isEmpty()) {
      groups = now;
      throttling = Throttling.of(processes, now);
      offset = begun ? latest - Math.max(0, throttling.millis(kernel)) : 0;
    }
    long millis = throttling.millis(kernel);
    if (millis < 0) {
      return -1;
    }
    begun = true;
    latest = millis + offset;
    return latest;
  }
}
