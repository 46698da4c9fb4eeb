package io.quorate.run;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Room for the last manifest of a run, taken before the run begins, so that how it ended can be
 * written when the device is full. Not for several threads.
 */
public final class ReservedManifest implements AutoCloseable {
  /** For what is not known at the start: servers, agents, costs of the steps, a reason. */
  private static final int MORE_BYTES = 1 << 17;

  private final DatabaseDirectory directory;

  private ReservedManifest(DatabaseDirectory directory) {
    this.directory = directory;
  }

  /**
   * Takes the room and writes the first manifest.
   *
   * @throws QuorateException if the device is full; nothing of it stays then
   */
  public static ReservedManifest begin(Manifest manifest, DatabaseDirectory directory) {
    ReservedManifest reserved = new ReservedManifest(directory);
    byte[] text = bytes(manifest);
    try {
      Files.write(directory.manifestReserve(), new byte[text.length + MORE_BYTES]);
      manifest.write(directory);
      return reserved;
    } catch (IOException impossible) {
      reserved.close();
      throw new QuorateException(DiskSpace.reason(directory.path(), impossible), impossible);
    } catch (QuorateException impossible) {
      reserved.close();
      throw impossible;
    }
  }

  /** Writes the last manifest, and gives back the room. */
  public void end(Manifest manifest) {
    try {
      manifest.write(directory);
    } catch (QuorateException full) {
      writeInPlace(manifest, full);
    } finally {
      close();
    }
  }

  /** What is overwritten needs no new room, nor does the change of a name. */
  private void writeInPlace(Manifest manifest, QuorateException full) {
    Path reserve = directory.manifestReserve();
    try (FileChannel file = FileChannel.open(reserve, StandardOpenOption.WRITE)) {
      ByteBuffer text = ByteBuffer.wrap(bytes(manifest));
      while (text.hasRemaining()) {
        file.write(text);
      }
      file.truncate(text.capacity());
      Files.move(
          reserve,
          directory.manifest(),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException impossible) {
      full.addSuppressed(impossible);
      throw full;
    }
  }

  private static byte[] bytes(Manifest manifest) {
    return JsonText.of(manifest.json()).getBytes(StandardCharsets.UTF_8);
  }

  /** Gives back the room; for runs that have ended otherwise. Idempotent. */
  @Override
  public void close() {
    release(directory);
  }

  /** Gives back the room that a process took which has ended. */
  public static void release(DatabaseDirectory directory) {
    try {
      Files.deleteIfExists(directory.manifestReserve());
    } catch (IOException nothing) {
      // it is small, and nobody reads it
    }
  }
}
