// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BlockDeviceTest {
  @Test
  void the_disk_is_the_one_under_the_directory() throws IOException {
    Optional<String> device = BlockDevice.under(Path.of("target"));
    String statistics = Files.readString(Path.of("/proc/diskstats"));
    device.ifPresent(name -> assertThat(statistics).contains(" " + name + " "));
    assertThat(BlockDevice.under(Path.of("/proc"))).isEmpty();
    assertThat(BlockDevice.under(Path.of("target/no/such/directory"))).isEqualTo(device);
  }
}
