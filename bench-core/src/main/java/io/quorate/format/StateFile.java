// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.DiskSpace;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.tls.PrivateFiles;
import io.quorate.tls.SafePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A small JSON file with which one process of this user passes state to a later one. It is trusted
 * only if no other user can have written it.
 */
public record StateFile(Path path) {
  public boolean exists() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Reads the file; empty if it does not exist. It must belong to this user. */
  public <T> Optional<T> read(Class<T> type) {
    if (!exists()) {
      return Optional.empty(); // it may appear at any time
    }
    try {
      SafePath.requireOwnFile(path);
      return Optional.of(StrictJson.read(path, type));
    } catch (QuorateException | IOException wrong) {
      if (!exists()) {
        return Optional.empty(); // even if it was removed meanwhile
      }
      throw wrong instanceof QuorateException known ? known : failure("read", (IOException) wrong);
    }
  }

  /** Replaces the file, in one step; only this user may read and write it. */
  public void write(Object value) {
    Path part = path.resolveSibling(path.getFileName() + ".part");
    try {
      Files.createDirectories(path.getParent());
      Files.deleteIfExists(part);
      AtomicFile.publish(PrivateFiles.write(part, StrictJson.text(value)), path);
    } catch (IOException failure) {
      throw DiskSpace.exception(path, failure);
    }
  }

  public void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException failure) {
      throw failure("removed", failure);
    }
  }

  private QuorateException failure(String what, IOException why) {
    return new QuorateException(
        "%s: cannot be %s: %s"
            .formatted(VisibleText.line(path.toString()), what, FileFailure.reason(why)),
        why);
  }
}
