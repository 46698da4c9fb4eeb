// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.file.PathUtils;

/** A directory with all its content; it need not exist. */
public record DirectoryTree(Path top) {
  /** Returns whether nothing is in the directory, or it is missing. */
  public boolean isEmpty() throws IOException {
    return !Files.exists(top) || PathUtils.isEmptyDirectory(top);
  }

  /** Returns the size of all files in the directory, which must exist, in bytes. */
  public long bytes() throws IOException {
    return PathUtils.sizeOfDirectory(top);
  }

  /**
   * Removes the directory. Links are removed, not followed. Except on macOS, this holds even if
   * another process replaces a directory by a link meanwhile: each directory is opened relative to
   * its open parent.
   *
   * @throws QuorateException if a part of it cannot be removed
   */
  public void remove() {
    Path absolute = top.toAbsolutePath();
    try (DirectoryStream<Path> parent = Files.newDirectoryStream(absolute.getParent())) {
      if (parent instanceof SecureDirectoryStream<Path> secure) {
        remove(secure, absolute.getFileName());
      } else if (Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
        PathUtils.delete(absolute);
      }
    } catch (NoSuchFileException nothing) {
      // even its parent is missing
    } catch (IOException | DirectoryIteratorException failure) {
      throw FileFailure.exception("cannot remove " + top, failure);
    }
  }

  /**
   * Removes its content, in the same way, and leaves the directory.
   *
   * @throws QuorateException if it is missing or is a link, or if something cannot be removed
   */
  public void clear() {
    Path absolute = top.toAbsolutePath();
    try (DirectoryStream<Path> parent = Files.newDirectoryStream(absolute.getParent())) {
      if (parent instanceof SecureDirectoryStream<Path> secure) {
        clear(secure, absolute.getFileName());
      } else if (Files.isDirectory(absolute, LinkOption.NOFOLLOW_LINKS)) {
        PathUtils.cleanDirectory(absolute);
      } else {
        throw new NotDirectoryException(absolute.toString());
      }
    } catch (IOException | DirectoryIteratorException failure) {
      throw FileFailure.exception("cannot empty " + top, failure);
    }
  }

  private static void remove(SecureDirectoryStream<Path> parent, Path name) throws IOException {
    try {
      boolean directory =
          parent
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes()
              .isDirectory();
      if (directory) {
        clear(parent, name);
        parent.deleteDirectory(name);
      } else {
        parent.deleteFile(name);
      }
    } catch (NoSuchFileException gone) {
      // another process has removed it
    }
  }

  private static void clear(SecureDirectoryStream<Path> parent, Path name) throws IOException {
    try (SecureDirectoryStream<Path> directory =
        parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> names = new ArrayList<>();
      directory.forEach(each -> names.add(each.getFileName()));
      for (Path each : names) {
        remove(directory, each);
      }
    }
  }
}
