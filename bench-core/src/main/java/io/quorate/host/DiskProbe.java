// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.install.TemporaryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;

/**
 * How fast a disk is for the log of a store: the times of {@code fdatasync} after each of many
 * small writes to the end of a file, one after the other.
 *
 * @param nanos nanoseconds of each {@code fdatasync}, without the write before it
 * @param command command line of fio that measures the same
 */
public record DiskProbe(Histogram nanos, String command) {
  /** Size of a write, as the documentation of etcd recommends to test disks with. */
  static final int WRITE_BYTES = 2_300;

  private static final long MAX_BYTES = 64L << 20;
  private static final String NAME = "quorate-disk-probe";
  private static final int SIGNIFICANT_DIGITS = 3;

  /**
   * Writes to a new file in a directory, which is deleted afterwards, for some seconds, or until it
   * has 64 MiB. The calling thread waits.
   *
   * @throws QuorateException if this is not a directory, or if it cannot be written
   * @throws IllegalArgumentException if the time is less than a second
   */
  public static DiskProbe run(Path directory, int seconds) {
    if (seconds < 1) {
      throw new IllegalArgumentException(seconds + " s are less than a second");
    }
    return run(directory, Duration.ofSeconds(seconds), MAX_BYTES);
  }

  static DiskProbe run(Path directory, Duration time, long maxBytes) {
    String shown = VisibleText.of(directory.toString());
    if (!Files.isDirectory(directory)) {
      throw new QuorateException(
          shown + (Files.exists(directory) ? " is not a directory" : " does not exist"));
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.in(directory)) {
      Path file = Files.createFile(temporary.path().resolve(NAME));
      return new DiskProbe(measured(file, time, maxBytes), command(directory));
    } catch (IOException impossible) {
      throw FileFailure.exception(shown + ": cannot be written", impossible);
    }
  }

  private static Histogram measured(Path file, Duration time, long maxBytes) throws IOException {
    Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);
    byte[] content = new byte[WRITE_BYTES];
    ThreadLocalRandom.current().nextBytes(content); // a disk may compress or leave out zeros
    ByteBuffer bytes = ByteBuffer.allocateDirect(WRITE_BYTES).put(content);
    long begin = System.nanoTime();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      while (System.nanoTime() - begin < time.toNanos()
          && channel.position() + WRITE_BYTES <= maxBytes) {
        bytes.rewind();
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        long written = System.nanoTime();
        channel.force(false);
        nanos.recordValue(System.nanoTime() - written);
      }
    }
    return nanos;
  }

  private static String command(Path directory) {
    return ShellText.of(
        List.of(
            "fio",
            "--rw=write",
            "--ioengine=sync",
            "--fdatasync=1",
            "--directory=" + directory,
            "--size=22m",
            "--bs=" + WRITE_BYTES,
            "--name=" + NAME));
  }
}
