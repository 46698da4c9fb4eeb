// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.install.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory that is removed with its content when it is closed. */
record TemporaryDirectory(Path path) implements AutoCloseable {
  /**
   * Creates an empty directory, which only this user can read.
   *
   * @throws QuorateException if it cannot be made
   */
  static TemporaryDirectory create() {
    try {
      return new TemporaryDirectory(Files.createTempDirectory("quorate-published-"));
    } catch (IOException impossible) {
      throw FileFailure.exception("a temporary directory cannot be made", impossible);
    }
  }

  @Override
  public void close() {
    new DirectoryTree(path).remove();
  }
}
