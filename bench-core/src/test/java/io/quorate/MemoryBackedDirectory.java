// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the directory of a test in memory where the system has room for that, so that a test whose
 * servers write much does not wait for a slow disk. Not for tests of what disks do.
 */
public final class MemoryBackedDirectory implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ENOUGH_BYTES = 4L << 30;

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return create("junit-");
  }

  /** Makes a directory that its caller removes, in the same way. */
  public static Path create(String prefix) throws IOException {
    return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH_BYTES
        ? Files.createTempDirectory(MEMORY, prefix)
        : Files.createTempDirectory(prefix);
  }
}
