// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CompilerThreadsTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void the_compiler_has_used_a_part_of_the_cpu_time_of_the_process() {
    long first = CompilerThreads.cpuNanos().orElseThrow();
    long second = CompilerThreads.cpuNanos().orElseThrow();
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    assertThat(first).isPositive();
    assertThat(second).isBetween(first, process.getProcessCpuTime());
  }
}
