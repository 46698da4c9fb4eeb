package io.quorate.install;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file that one holder at a time has locked, among all processes and threads of this machine. The
 * lock ends with its holder, however that ends; the file stays.
 */
public final class LockFile implements AutoCloseable {
  private static final long POLL_MILLIS = 100;

  private final FileChannel channel;

  private LockFile(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a file, makes it if need be, and waits for as long as somebody else holds it.
   *
   * @param waiting called once if there is somebody to wait for
   */
  public static LockFile acquire(Path file, Runnable waiting) {
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        boolean told = false;
        while (!isLocked(channel)) {
          if (!told) {
            waiting.run();
            told = true;
          }
          Thread.sleep(POLL_MILLIS);
        }
        return new LockFile(channel);
      } catch (InterruptedException interrupt) {
        channel.close();
        Thread.currentThread().interrupt();
        throw new QuorateException("interrupted while waiting for " + file, interrupt);
      }
    } catch (IOException failure) {
      throw new QuorateException("cannot lock " + file + ": " + failure, failure);
    }
  }

  /** Locks a file, made if need be; empty if somebody else holds it. */
  public static Optional<LockFile> tryAcquire(Path file) {
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return Optional.of(new LockFile(channel));
      }
      channel.close();
      return Optional.empty();
    } catch (IOException failure) {
      throw new QuorateException("cannot lock " + file + ": " + failure, failure);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException heldInThisProcess) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new QuorateException("cannot release a lock: " + failure, failure);
    }
  }
}
