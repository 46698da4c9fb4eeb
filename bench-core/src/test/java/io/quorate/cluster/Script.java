// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Executable shell scripts that stand in for programs. */
public final class Script {
  private Script() {}

  /** Writes one and makes it executable. */
  public static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, "#!/bin/sh\n" + text);
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
