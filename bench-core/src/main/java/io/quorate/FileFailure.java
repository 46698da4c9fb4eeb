package io.quorate;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says why the system refused something, without the names of Java's classes. */
public final class FileFailure {
  private FileFailure() {}

  /** Returns the reason that follows the name of a file in a message. */
  public static String reason(Exception failure) {
    if (failure instanceof FileSystemException file) {
      String reason = file.getReason() == null ? known(file) : file.getReason();
      return file.getFile() == null ? reason : VisibleText.of(file.getFile()) + ": " + reason;
    }
    String message = failure.getMessage();
    return VisibleText.line(message == null ? "the system gives no reason" : message);
  }

  private static String known(FileSystemException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "is there already";
    }
    if (failure instanceof NotDirectoryException) {
      return "not a directory";
    }
    return failure instanceof DirectoryNotEmptyException
        ? "the directory is not empty"
        : "the system gives no reason";
  }
}
