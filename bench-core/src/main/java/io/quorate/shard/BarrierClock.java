// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * An estimate of how far the clock of this machine is ahead of the clock of a directory's file
 * times: the file server's clock for a network file system. If such a system sets the times at its
 * client, the estimate is always 0.
 *
 * @param aheadNanos how far this machine is ahead; negative if it is behind
 * @param uncertaintyNanos largest error of the estimate
 */
public record BarrierClock(long aheadNanos, long uncertaintyNanos) {
  private static final int SAMPLES = 5;

  /** Longest time between two ticks of Linux's clock for file times. */
  private static final long TICK_NANOS = 10_000_000;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Measures with a file that is written several times; fails if it cannot be written. */
  static BarrierClock measure(Path file) {
    try {
      BarrierClock best = sample(file);
      for (int i = 1; i < SAMPLES; i++) {
        BarrierClock next = sample(file);
        best = next.uncertaintyNanos < best.uncertaintyNanos ? next : best;
      }
      Files.deleteIfExists(file);
      return best;
    } catch (IOException impossible) {
      throw new QuorateException(file + ": cannot be written: " + impossible, impossible);
    }
  }

  private static BarrierClock sample(Path file) throws IOException {
    Files.deleteIfExists(file);
    long before = unixNanos(Instant.now());
    Files.write(file, new byte[1], StandardOpenOption.CREATE_NEW);
    long after = unixNanos(Instant.now());
    FileTime time = Files.getLastModifiedTime(file);
    long itsNanos = unixNanos(time.toInstant());
    boolean wholeSeconds = itsNanos % NANOS_PER_SECOND == 0;
    return of(before, after, itsNanos, wholeSeconds ? NANOS_PER_SECOND : TICK_NANOS);
  }

  /**
   * Returns the estimate from a file that was written between two times of this clock.
   *
   * @param fileNanos time of the file, less than a tick behind the clock of file times
   */
  static BarrierClock of(long beforeNanos, long afterNanos, long fileNanos, long tickNanos) {
    long least = beforeNanos - fileNanos - tickNanos;
    long most = afterNanos - fileNanos;
    return new BarrierClock(least + (most - least) / 2, (most - least + 1) / 2);
  }

  public static long unixNanos(Instant time) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, time);
  }
}
