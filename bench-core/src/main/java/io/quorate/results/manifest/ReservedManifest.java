// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Reserves space for the final manifest of a run before the run begins, so that its outcome can be
 * written even if the device is full. Not for several threads.
 */
public final class ReservedManifest implements AutoCloseable {
  /**
   * Additional space for facts that are not known at the start: servers, agents, costs of the
   * steps, a reason.
   */
  private static final int MORE_BYTES = 1 << 17;

  private final DatabaseDirectory directory;

  /**
   * File that is locked during the life of this process, so that other processes can check whether
   * it runs.
   */
  private final FileChannel room;

  private ReservedManifest(DatabaseDirectory directory, FileChannel room) {
    this.directory = directory;
    this.room = room;
  }

  /**
   * Reserves the space and writes the first manifest.
   *
   * @throws QuorateException if the device is full; nothing of it stays then
   */
  public static ReservedManifest begin(Manifest manifest, DatabaseDirectory directory) {
    byte[] text = bytes(manifest);
    try {
      FileChannel room =
          FileChannel.open(
              directory.manifestReserve(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      ReservedManifest reserved = new ReservedManifest(directory, room);
      try {
        room.tryLock();
        Channels.newOutputStream(room).write(new byte[text.length + MORE_BYTES]);
        manifest.write(directory);
        return reserved;
      } catch (IOException | QuorateException impossible) {
        reserved.close();
        throw impossible;
      }
    } catch (IOException impossible) {
      throw DiskSpace.exception(directory.path(), impossible);
    }
  }

  public void end(Manifest manifest) {
    try {
      manifest.write(directory);
    } catch (QuorateException full) {
      writeInPlace(manifest, full);
    } finally {
      close();
    }
  }

  /** Overwrites the reserved file and renames it, neither of which needs new space. */
  private void writeInPlace(Manifest manifest, QuorateException full) {
    byte[] text = bytes(manifest);
    try {
      Channels.newOutputStream(room.position(0)).write(text);
      room.truncate(text.length);
      Files.move(
          directory.manifestReserve(),
          directory.manifest(),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException impossible) {
      full.addSuppressed(impossible);
      throw full;
    }
  }

  private static byte[] bytes(Manifest manifest) {
    return manifest.text().getBytes(StandardCharsets.UTF_8);
  }

  /** Removes the reserved file, unless the final manifest was written into it. Idempotent. */
  @Override
  public void close() {
    try {
      room.close();
      Files.deleteIfExists(directory.manifestReserve());
    } catch (IOException nothing) {
      // it is small, and is not read
    }
  }

  /** Removes the reserved file of a process that was killed; returns whether there was one. */
  public static boolean release(DatabaseDirectory directory) {
    Path reserve = directory.manifestReserve();
    if (!Files.isRegularFile(reserve, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel room = FileChannel.open(reserve, StandardOpenOption.WRITE)) {
      if (room.tryLock() == null) {
        return false; // its owner may still need it
      }
      Files.delete(reserve);
      return true;
    } catch (IOException | OverlappingFileLockException inUse) {
      return false;
    }
  }
}
