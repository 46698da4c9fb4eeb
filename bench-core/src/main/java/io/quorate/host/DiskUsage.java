package io.quorate.host;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The apparent sizes of all regular files below a directory, hidden ones too; links are not
 * followed. Files that a server removes meanwhile do not count.
 *
 * @param bytes their sum
 * @param unreadable directories and files that are there but cannot be looked at
 */
record DiskUsage(long bytes, long unreadable) {
  /**
   * Sums up the sizes of the files below a directory.
   *
   * @throws IOException if there is no such directory
   */
  static DiskUsage below(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException(directory + " is no directory");
    }
    Sum sum = new Sum();
    Files.walkFileTree(directory, sum);
    return new DiskUsage(sum.bytes, sum.unreadable);
  }

  private static final class Sum extends SimpleFileVisitor<Path> {
    private long bytes;
    private long unreadable;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes += attributes.isRegularFile() ? attributes.size() : 0;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      unreadable += Files.exists(file) ? 1 : 0;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure) {
      unreadable += failure != null && Files.exists(directory) ? 1 : 0;
      return FileVisitResult.CONTINUE;
    }
  }
}
