// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Writes files that only this user may read, and refuses to read files that other users may read.
 */
public final class PrivateFiles {
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int MAX_BYTES = 1 << 20;

  /** Marks that editors of Windows write first, in each part of joined files. */
  private static final Pattern BYTE_ORDER_MARKS = Pattern.compile("^\uFEFF+", Pattern.MULTILINE);

  private PrivateFiles() {}

  public static Path createDirectory(Path directory) throws IOException {
    return Files.createDirectory(directory, DIRECTORY);
  }

  public static Path write(Path file, String content) throws IOException {
    Files.createFile(file, FILE);
    return Files.writeString(file, content, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
  }

  /**
   * Returns the content of a file with a secret.
   *
   * @param what content of the file, such as {@code a private key}
   * @throws QuorateException if the file is missing, cannot be read, or other users may read or
   *     write it, except for the group on a device that is mounted read-only, as secrets of
   *     Kubernetes are; the message never quotes its content
   */
  public static String read(Path file, String what) {
    requirePresent(file);
    String shown = VisibleText.of(file.toString());
    try {
      if (SafePath.isOpenToOthers(file) && warning(file).isEmpty()) {
        throw new QuorateException(
            "%s has %s, but others may read or write it: chmod 600 %s"
                .formatted(shown, what, shown));
      }
    } catch (IOException | UnsupportedOperationException unknown) {
      throw new QuorateException(shown + ": cannot find out who may use it", unknown);
    }
    return content(file);
  }

  /** Returns a warning if the group may read a file that nobody can change; otherwise empty. */
  public static Optional<String> warning(Path file) {
    try {
      return Files.exists(file)
              && SafePath.isOpenToGroupOnly(file)
              && Files.getFileStore(file.toRealPath()).isReadOnly()
          ? Optional.of(
              "%s may be read by its group: it is used, as its device is mounted read-only"
                  .formatted(VisibleText.of(file.toString())))
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException unknown) {
      return Optional.empty();
    }
  }

  /** Returns the content of a file that all users may read. */
  public static String readPublic(Path file) {
    requirePresent(file);
    return content(file);
  }

  private static void requirePresent(Path file) {
    if (!Files.isRegularFile(file)) {
      String found = Files.exists(file) ? " is not a file" : " is missing";
      throw new QuorateException(VisibleText.of(file.toString()) + found);
    }
  }

  private static String content(Path file) {
    String shown = VisibleText.of(file.toString());
    try (var in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new QuorateException(shown + " has more than " + MAX_BYTES + " bytes");
      }
      return BYTE_ORDER_MARKS.matcher(new String(content, charset(content))).replaceAll("");
    } catch (IOException unreadable) {
      throw FileFailure.exception(shown + " cannot be read", unreadable);
    }
  }

  /** Returns UTF-16, as PowerShell writes it, if the content begins with its mark. */
  private static Charset charset(byte[] content) {
    int mark = content.length < 2 ? 0 : (content[0] & 0xff) << 8 | content[1] & 0xff;
    return mark == 0xfeff || mark == 0xfffe ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
  }
}
