// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/**
 * A temporary directory in which a version is prepared, next to the directories of installed
 * versions. It is removed when this object is closed or the JVM ends. After a kill, the next
 * installation of the program removes it.
 */
final class Staging implements AutoCloseable {
  private static final String PREFIX = ".installing-";

  private final Path directory;
  private final Thread hook;

  private Staging(Path directory) {
    this.directory = directory;
    this.hook = new Thread(() -> removeAtEnd(directory), "quorate-remove-staging");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Creates a new staging directory, and removes existing ones.
   *
   * @param parent directory of the versions of a program; its lock must be held
   */
  static Staging in(Path parent) throws IOException {
    try (Stream<Path> content = Files.list(parent)) {
      content
          .filter(each -> each.getFileName().toString().startsWith(PREFIX))
          .forEach(each -> new DirectoryTree(each).remove());
    }
    return new Staging(Files.createTempDirectory(parent, PREFIX));
  }

  Path fresh(String name) throws IOException {
    new DirectoryTree(directory.resolve(name)).remove();
    return Files.createDirectory(directory.resolve(name));
  }

  /** Moves staged content to its final directory, in one step if that does not exist. */
  static void publish(Path made, Path target) throws IOException {
    new DirectoryTree(target).remove();
    Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
  }

  static void makeExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Override
  public void close() {
    new DirectoryTree(directory).remove();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException nothing) {
      // the JVM is ending, and the hook runs
    }
  }

  private static void removeAtEnd(Path directory) {
    try {
      new DirectoryTree(directory).remove();
    } catch (QuorateException nothing) {
      // another process still writes into it; the next installation removes the rest
    }
  }
}
