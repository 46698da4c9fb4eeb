// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small device in memory, which tests fill. That needs the right to mount one; {@code
 * -Drequire.mounts} turns the skip into a failure.
 */
record MountedDevice(Path path) implements AutoCloseable {
  /** Mounts an empty one at a path that does not exist. */
  static MountedDevice at(Path path, String size) throws Exception {
    Files.createDirectory(path);
    if (!succeeds("mount", "-t", "tmpfs", "-o", "size=" + size, "none", path.toString())) {
      String obstacle = "a device cannot be mounted here, which takes the rights of root";
      if (System.getProperty("require.mounts") != null) {
        throw new AssertionError(obstacle + "; -Drequire.mounts demands it");
      }
      System.out.println("SKIPPED test of a full device: " + obstacle);
      abort(obstacle);
    }
    return new MountedDevice(path);
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  /** Mounts it again, without the right to write. */
  void forbidWrites() throws InterruptedException {
    assertThat(succeeds("mount", "-o", "remount,ro", path.toString())).isTrue();
  }

  /** Uses all of the free space. */
  void fill() throws IOException {
    try (OutputStream rest = Files.newOutputStream(path.resolve("rest"))) {
      byte[] page = new byte[4096];
      while (true) {
        rest.write(page);
      }
    } catch (IOException full) {
      // a run may free some space at once, so the free space is not compared
      assertThat(full).hasMessageContaining("No space left on device");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      assertThat(succeeds("umount", path.toString())).isTrue();
    } catch (InterruptedException interrupted) {
      throw new InterruptedIOException("interrupted before " + path + " was unmounted");
    }
  }
}
