// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.tls.PrivateFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys on a device that is mounted read-only, as Kubernetes mounts those of a Pod. */
class MountedSecretIT {
  @TempDir private Path directory;

  @Test
  void a_key_that_the_group_may_read_is_used_if_nobody_can_change_it() throws Exception {
    try (MountedDevice device = MountedDevice.at(directory.resolve("secrets"), "1m")) {
      Path key = Files.writeString(device.path().resolve("tls.key"), "secret");
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
      assertThatThrownBy(() -> PrivateFiles.read(key, "a key")).hasMessageContaining("chmod 600");

      device.forbidWrites();

      assertThat(PrivateFiles.read(key, "a key")).isEqualTo("secret");
      assertThat(PrivateFiles.warning(key))
          .contains(
              key + " may be read by its group: it is used, as its device is mounted read-only");
    }
  }

  @Test
  void a_key_that_all_may_read_is_refused_there_too() throws Exception {
    try (MountedDevice device = MountedDevice.at(directory.resolve("secrets"), "1m")) {
      Path key = Files.writeString(device.path().resolve("tls.key"), "secret");
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

      device.forbidWrites();

      assertThatThrownBy(() -> PrivateFiles.read(key, "a key")).hasMessageContaining("chmod 600");
      assertThat(PrivateFiles.warning(key)).isEmpty();
    }
  }
}
