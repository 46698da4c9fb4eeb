package io.quorate.install;

import java.time.Duration;

/**
 * Timeouts and size limits for downloads.
 *
 * @param connect how long a server may take to accept a connection
 * @param silence how long it may send nothing
 * @param whole how long a download may take
 * @param archiveBytes the largest archive
 * @param unpackedBytes the largest content of one
 */
record DownloadLimits(
    Duration connect, Duration silence, Duration whole, long archiveBytes, long unpackedBytes) {
  private static final long GIBIBYTE = 1L << 30;

  static final DownloadLimits DEFAULT =
      new DownloadLimits(
          Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofHours(1), GIBIBYTE, GIBIBYTE);
}
