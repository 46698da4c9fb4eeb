// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostInfoTest {
  @TempDir Path group;

  private void write(String file, String text) throws IOException {
    Path path = group.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private Optional<String> limits(String... groups) {
    return HostInfo.limits(group, List.of(groups));
  }

  @Test
  void limits_are_those_of_the_control_group_and_of_those_around_it() throws IOException {
    assertThat(limits("0::/")).isEmpty();
    write("cpu.max", "max 100000");
    write("memory.max", "max");
    assertThat(limits("0::/")).isEmpty();
    write("memory.max", "4294967296");
    assertThat(limits("0::/")).contains("memory.max 4294967296");
    write("cpu.max", "150000 100000");
    assertThat(limits("0::/")).contains("cpu.max 150000 100000, memory.max 4294967296");
    write("system.slice/run.service/cpu.max", "25000 50000");
    write("system.slice/run.service/memory.max", "max");
    assertThat(limits("0::/system.slice/run.service"))
        .contains("cpu.max 25000 50000, memory.max 4294967296");
    assertThat(limits("0::/../elsewhere")).isEqualTo(limits("0::/"));
  }

  @Test
  void limits_of_version_1_are_below_their_controllers() throws IOException {
    write("cpu/cpu.cfs_quota_us", "-1");
    write("cpu/cpu.cfs_period_us", "100000");
    write("memory/memory.limit_in_bytes", "9223372036854771712");
    String[] groups = {"4:memory:/docker/a", "3:cpu,cpuacct:/docker/a", "1:name=systemd:/"};
    assertThat(limits(groups)).isEmpty();
    write("cpu/docker/a/cpu.cfs_quota_us", "50000");
    write("cpu/docker/a/cpu.cfs_period_us", "100000");
    write("memory/memory.limit_in_bytes", "4294967296");
    assertThat(limits(groups)).contains("cpu.max 50000 100000, memory.max 4294967296");
  }

  @Test
  void the_model_of_cpus_is_a_name_or_two_numbers() {
    assertThat(HostInfo.modelOfCpus(List.of("processor\t: 0", "model name\t: EPYC")))
        .contains("EPYC");
    assertThat(
            HostInfo.modelOfCpus(
                List.of("processor\t: 0", "CPU implementer\t: 0x41", "CPU part\t: 0xd0c")))
        .contains("ARM implementer 0x41, part 0xd0c");
    assertThat(HostInfo.modelOfCpus(List.of("processor\t: 0"))).isEmpty();
  }
}
