// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The threads of this process that compile its code. Linux counts the CPU time of each, unlike the
 * JVM, which counts how long compilations take: on a busy machine, they mostly wait for a CPU. The
 * load generator's JVM starts all of them at its start. For any thread.
 */
final class CompilerThreads {
  private static final String NAME = "C[12] CompilerThre\n"; // Linux keeps 15 bytes

  /** The threads, each with a file of its times and the last time that was read. */
  private static final Map<Path, Long> SEEN = find(new File("/proc/self/task"));

  private CompilerThreads() {}

  /** Returns the CPU time of all so far; empty if the system does not count it. */
  static synchronized OptionalLong cpuNanos() {
    SEEN.replaceAll(CompilerThreads::read);
    return SEEN.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(SEEN.values().stream().mapToLong(Long::longValue).sum());
  }

  private static long read(Path times, long last) {
    try {
      return Long.parseLong(Files.readString(times).split(" ")[0]);
    } catch (IOException | NumberFormatException ended) {
      return last;
    }
  }

  private static Map<Path, Long> find(File threads) {
    Map<Path, Long> found = new HashMap<>();
    String[] all = threads.list();
    for (String thread : all == null ? new String[0] : all) {
      Path directory = threads.toPath().resolve(thread);
      Path times = directory.resolve("schedstat");
      try {
        if (Files.readString(directory.resolve("comm")).matches(NAME) && Files.exists(times)) {
          found.put(times, 0L);
        }
      } catch (IOException ended) {
        // not one of the compiler, which do not end
      }
    }
    return found;
  }
}
