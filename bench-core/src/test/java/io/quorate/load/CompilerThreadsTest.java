// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CompilerThreadsTest {
  private static final Path OWN = Path.of("/proc/self/task");

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_cpu_time_is_that_of_the_compilers_threads() throws IOException {
    long before = bySystem();
    long counted = CompilerThreads.cpuNanos().orElseThrow();
    assertThat(counted).isPositive().isBetween(before, bySystem());
  }

  private static long bySystem() throws IOException {
    List<Path> threads = new ArrayList<>();
    try (var all = Files.newDirectoryStream(OWN)) {
      all.forEach(threads::add);
    }
    long sum = 0;
    for (Path thread : threads) {
      String status = Files.readString(thread.resolve("status"));
      if (Pattern.compile("^Name:\tC[12] Comp", Pattern.MULTILINE).matcher(status).find()) {
        sum += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
      }
    }
    return sum;
  }
}
