// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.DiskSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is replaced as a whole: a reader always sees the old content or the new one, even if
 * this process is killed. It is not forced to the disk, because that would slow down the servers
 * that are measured on the same machine.
 */
public final class AtomicFile {
  /**
   * Number of characters of the file's name that a draft's name begins with, as file names have a
   * limit.
   */
  private static final int MAX_START = 50;

  private AtomicFile() {}

  /** Writes the text in UTF-8, as {@link #write(Path, byte[])} does. */
  public static void write(Path file, String text) {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes bytes; only one thread at a time may write to the same file. */
  public static void write(Path file, byte[] content) {
    Path draft = draft(file, content);
    try {
      publish(draft, file);
    } finally {
      discard(draft);
    }
  }

  /** Writes the content to a new file next to the target, never through a link. */
  static Path draft(Path file, byte[] content) {
    String name = file.getFileName().toString();
    String start = name.length() > MAX_START ? name.substring(0, MAX_START) : name;
    Path draft = file.resolveSibling(start + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      Files.deleteIfExists(draft);
      Files.write(draft, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return draft;
    } catch (IOException impossible) {
      discard(draft);
      throw DiskSpace.exception(file, impossible);
    }
  }

  /** Replaces the file by a draft; a link is replaced, not followed. */
  static void publish(Path draft, Path file) {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException impossible) {
      throw DiskSpace.exception(file, impossible);
    }
  }

  /** Removes an unpublished draft, if possible. */
  static void discard(Path draft) {
    draft.toFile().delete();
  }
}
