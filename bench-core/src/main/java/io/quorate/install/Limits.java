package io.quorate.install;

import java.time.Duration;

/**
 * How much of a stranger's time and size is put up with.
 *
 * @param connect how long a server may take to accept a connection
 * @param silence how long it may send nothing
 * @param whole how long a download may take
 * @param archiveBytes the largest archive
 * @param unpackedBytes the largest content of one
 */
record Limits(
    Duration connect, Duration silence, Duration whole, long archiveBytes, long unpackedBytes) {
  private static final long GIBIBYTE = 1L << 30;

  static final Limits DEFAULT =
      new Limits(
          Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofHours(1), GIBIBYTE, GIBIBYTE);
}
