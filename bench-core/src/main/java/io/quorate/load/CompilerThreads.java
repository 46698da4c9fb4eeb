// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The threads of this process that compile its code. Linux counts the CPU time of each, unlike the
 * JVM, which counts how long compilations take: on a busy machine, they mostly wait for a CPU. The
 * load generator's JVM starts all of them at its start. For any thread.
 */
final class CompilerThreads {
  private static final String NAME = "C[12] CompilerThre\n"; // Linux keeps 15 bytes

  private static final List<Path> TIMES = find(new File("/proc/self/task"));

  private CompilerThreads() {}

  /** Returns the CPU time of all so far; empty if the system does not count it. */
  static OptionalLong cpuNanos() {
    long all = 0;
    for (Path times : TIMES) {
      try {
        all += Long.parseLong(Files.readString(times).split(" ")[0]);
      } catch (IOException | NumberFormatException unknown) {
        return OptionalLong.empty();
      }
    }
    return TIMES.isEmpty() ? OptionalLong.empty() : OptionalLong.of(all);
  }

  /** Returns the files with the times of the threads. */
  private static List<Path> find(File threads) {
    List<Path> found = new ArrayList<>();
    String[] all = threads.list();
    for (String thread : all == null ? new String[0] : all) {
      Path directory = threads.toPath().resolve(thread);
      try {
        if (Files.readString(directory.resolve("comm")).matches(NAME)) {
          found.add(directory.resolve("schedstat"));
        }
      } catch (IOException ended) {
        // not one of the compiler, which do not end
      }
    }
    return List.copyOf(found);
  }
}
