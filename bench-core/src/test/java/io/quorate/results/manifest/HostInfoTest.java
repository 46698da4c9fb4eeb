// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostInfoTest {
  @TempDir Path group;

  @Test
  void limits_of_a_container_are_those_of_its_control_group() throws IOException {
    assertThat(HostInfo.limits(group)).isEmpty();
    Files.writeString(group.resolve("cpu.max"), "max 100000\n");
    Files.writeString(group.resolve("memory.max"), "max\n");
    assertThat(HostInfo.limits(group)).isEmpty();
    Files.writeString(group.resolve("memory.max"), "4294967296\n");
    assertThat(HostInfo.limits(group)).contains("memory.max 4294967296");
    Files.writeString(group.resolve("cpu.max"), "150000 100000\n");
    assertThat(HostInfo.limits(group)).contains("cpu.max 150000 100000, memory.max 4294967296");
  }
}
