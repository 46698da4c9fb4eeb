// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileAction;
import io.quorate.FileFailure;
import io.quorate.Pause;
import io.quorate.QuorateException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A file that is locked by one holder at a time, among all processes and threads of this machine.
 * The lock ends with its holder, however that ends; the file stays.
 *
 * <p>A process loses its lock when it closes the file, even one that it opened again. Therefore a
 * file that this process holds is not opened again.
 */
public record LockFile(FileChannel channel, Object key) implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /** The files that this process holds, by the keys of their attributes. */
  private static final Set<Object> HELD = new HashSet<>();

  /**
   * Locks a file, creating it if necessary; calls this once if someone else holds it, and waits.
   */
  public static LockFile acquire(Path file, Runnable waiting) {
    Optional<LockFile> lock = tryAcquire(file);
    if (lock.isEmpty()) {
      waiting.run();
    }
    while (lock.isEmpty()) {
      Pause.of(POLL, file.toString());
      lock = tryAcquire(file);
    }
    return lock.get();
  }

  /** Locks a file, creating it if necessary; empty if someone else holds it. */
  public static Optional<LockFile> tryAcquire(Path file) {
    try {
      Files.createDirectories(file.getParent());
      synchronized (HELD) {
        return isHeldHere(file) ? Optional.empty() : locked(file);
      }
    } catch (IOException failure) {
      throw FileFailure.exception("cannot lock " + file, failure);
    }
  }

  private static boolean isHeldHere(Path file) throws IOException {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && HELD.contains(key(file));
  }

  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  private static Optional<LockFile> locked(Path file) throws IOException {
    FileChannel channel = open(file);
    boolean locked = false;
    try {
      if (channel.tryLock() == null) {
        return Optional.empty();
      }
      LockFile lock = new LockFile(channel, key(file));
      HELD.add(lock.key);
      locked = true;
      return Optional.of(lock);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static FileChannel open(Path file) throws IOException {
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

  /** Returns at most that many bytes of its text. */
  public String text(int mostBytes) throws IOException {
    channel.position(0);
    byte[] content = Channels.newInputStream(channel).readNBytes(mostBytes);
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Returns at most that many bytes of the text of a file; empty if this process holds it. */
  public static Optional<String> textOfOther(Path file, int mostBytes) throws IOException {
    synchronized (HELD) {
      if (isHeldHere(file)) {
        return Optional.empty();
      }
      try (InputStream content = Files.newInputStream(file)) {
        return Optional.of(new String(content.readNBytes(mostBytes), StandardCharsets.UTF_8));
      }
    }
  }

  public void write(String text) throws IOException {
    channel.position(0);
    Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
    channel.truncate(channel.position());
  }

  @Override
  public void close() {
    synchronized (HELD) {
      HELD.remove(key);
      FileAction.require("cannot release a lock", () -> channel.close());
    }
  }
}
