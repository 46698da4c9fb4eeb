package io.quorate.install;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file that is locked by one holder at a time, among all processes and threads of this machine.
 * The lock ends with its holder, however that ends; the file stays.
 */
public final class LockFile implements AutoCloseable {
  private static final long POLL_MILLIS = 100;

  private final FileChannel channel;

  private LockFile(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a file, creating it if necessary; calls this once if another process holds it, and waits.
   */
  public static LockFile acquire(Path file, Runnable waiting) {
    try {
      FileChannel channel = open(file);
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
      throw new QuorateException(
          "cannot lock " + file + ": " + FileFailure.reason(failure), failure);
    }
  }

  /** Locks a file, creating it if necessary; empty if someone else holds it. */
  public static Optional<LockFile> tryAcquire(Path file) {
    try {
      FileChannel channel = open(file);
      if (isLocked(channel)) {
        return Optional.of(new LockFile(channel));
      }
      channel.close();
      return Optional.empty();
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot lock " + file + ": " + FileFailure.reason(failure), failure);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    // to open a pipe would wait for someone who reads it
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new QuorateException("cannot lock " + file + ": it is not a file; remove it");
    }
    return FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Returns the beginning of its text. A holder must not read the file in another way, since a
   * process loses its lock when it closes the file.
   *
   * @param mostBytes what is beyond them is left out
   */
  public String text(int mostBytes) throws IOException {
    channel.position(0);
    byte[] content = Channels.newInputStream(channel).readNBytes(mostBytes);
    return new String(content, StandardCharsets.UTF_8);
  }

  public void write(String text) throws IOException {
    channel.position(0);
    Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
    channel.truncate(channel.position());
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldInThisProcess) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new QuorateException("cannot release a lock: " + FileFailure.reason(failure), failure);
    }
  }
}
