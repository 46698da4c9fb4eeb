// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.tls.SafePath;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A directory that is removed with its content when it is closed or, if its process was killed, by
 * a later command. Only this user can read it.
 *
 * @param top the directory, with its lock and its files
 * @param lock held while it is in use
 */
public record TemporaryDirectory(Path top, LockFile lock) implements AutoCloseable {
  private static final String PREFIX = "quorate-";
  private static final String LOCK = "quorate.lock";

  /**
   * Creates an empty directory for temporary files of the system.
   *
   * @throws QuorateException if it cannot be made
   */
  public static TemporaryDirectory create() {
    return FileAction.require("a temporary directory cannot be made", () -> in(ofSystem()));
  }

  /** Creates an empty directory in another one, and removes those of killed processes there. */
  public static TemporaryDirectory in(Path parent) throws IOException {
    removeAbandoned(parent);
    Path top = Files.createTempDirectory(parent, PREFIX);
    LockFile lock = LockFile.acquire(top.resolve(LOCK), () -> {});
    TemporaryDirectory made = new TemporaryDirectory(top, lock);
    Files.createDirectory(made.path());
    return made;
  }

  private static Path ofSystem() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Removes the directories of this user's killed processes. Failures are ignored. */
  public static void removeAbandoned() {
    removeAbandoned(ofSystem());
  }

  private static void removeAbandoned(Path parent) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path each : all) {
        if (Files.isRegularFile(each.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
          removeIfUnused(each);
        }
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      // so nothing of this user can be found
    }
  }

  private static void removeIfUnused(Path top) {
    try {
      SafePath.requireOwnDirectory(top);
      Optional<LockFile> unused = LockFile.tryAcquire(top.resolve(LOCK));
      if (unused.isPresent()) {
        new TemporaryDirectory(top, unused.get()).close();
      }
    } catch (IOException | QuorateException ofAnother) {
      // of another user, or removed by another command
    }
  }

  public Path path() {
    return top.resolve("files");
  }

  @Override
  public void close() {
    try {
      new DirectoryTree(top).remove();
    } finally {
      lock.close();
    }
  }
}
