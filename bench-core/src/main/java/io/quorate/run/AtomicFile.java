package io.quorate.run;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is replaced as a whole: whoever reads it, and whenever this process is killed, there
 * is the old content or the new one. It is not forced to the disk, because that would slow down the
 * servers that are measured on the same machine.
 */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Writes the text in UTF-8. Not for two threads on the same file at the same time.
   *
   * @throws QuorateException if that is not possible
   */
  public static void write(Path file, String text) {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes these bytes. Not for two threads on the same file at the same time.
   *
   * @throws QuorateException if that is not possible
   */
  public static void write(Path file, byte[] content) {
    Path draft =
        file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      Files.write(draft, content);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException impossible) {
      remove(draft, impossible);
      throw new QuorateException(DiskSpace.unwritable(file, impossible), impossible);
    }
  }

  private static void remove(Path draft, IOException cause) {
    try {
      Files.deleteIfExists(draft);
    } catch (IOException impossible) {
      cause.addSuppressed(impossible);
    }
  }
}
