// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.DiskSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file that is replaced as a whole: a reader always sees the old content or the new one, even if
 * this process is killed. It is not forced to the disk, because that would slow down the servers
 * that are measured on the same machine.
 */
public final class AtomicFile {
  /** Distinguishes the drafts of this process. */
  private static final AtomicLong DRAFTS = new AtomicLong();

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
    // short, as file names have a limit; other processes with this id may share the directory
    String name =
        "%08x.%d.%d.tmp"
            .formatted(
                file.getFileName().hashCode(),
                ProcessHandle.current().pid(),
                DRAFTS.incrementAndGet());
    Path draft = file.resolveSibling(name);
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
