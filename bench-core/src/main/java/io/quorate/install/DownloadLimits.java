package io.quorate.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.time.Duration;
import org.apache.commons.io.input.BoundedInputStream;

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

  /**
   * Returns a stream that fails when more bytes than the limit were read.
   *
   * @param what for the message: "... is more than ... bytes"
   */
  static InputStream bounded(InputStream in, long limit, String what) throws IOException {
    return BoundedInputStream.builder()
        .setInputStream(in)
        // one more, because the stream asks for the consequence when this many bytes were read
        .setMaxCount(limit + 1)
        .setOnMaxCount(
            (most, count) -> {
              throw new FileSystemException(null, null, what + " is more than " + limit + " bytes");
            })
        .get();
  }
}
