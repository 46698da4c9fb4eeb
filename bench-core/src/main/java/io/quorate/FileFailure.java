// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;

/** Explains why the system refused an operation, without names of Java classes. */
public final class FileFailure {
  private static final String UNKNOWN = "the system gives no reason";
  private static final Map<Class<?>, String> REASONS =
      Map.of(
          NoSuchFileException.class, "no such file or directory",
          AccessDeniedException.class, "permission denied",
          FileAlreadyExistsException.class, "is there already",
          NotDirectoryException.class, "not a directory",
          DirectoryNotEmptyException.class, "the directory is not empty");

  private FileFailure() {}

  /** Returns the failure with a message that adds the reason to what could not be done. */
  public static QuorateException exception(String what, Exception failure) {
    return new QuorateException(what + ": " + reason(failure), failure);
  }

  /** Returns the failure of reading a file or directory. */
  public static QuorateException unreadable(Path path, IOException failure) {
    return exception(VisibleText.of(path.toString()) + ": cannot be read", failure);
  }

  /** Returns the reason that follows the name of a file in a message. */
  public static String reason(Exception failure) {
    if (failure instanceof FileSystemException file) {
      String reason =
          file.getReason() == null
              ? REASONS.getOrDefault(file.getClass(), UNKNOWN)
              : file.getReason();
      return file.getFile() == null ? reason : VisibleText.of(file.getFile()) + ": " + reason;
    }
    String message = failure.getMessage();
    return VisibleText.line(message == null ? UNKNOWN : message);
  }
}
