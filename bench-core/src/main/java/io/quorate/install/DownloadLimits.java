// SPDX-License-Identifier: Apache-2.0
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
 * @param answer how long a server may take to answer a request
 * @param silence how long a server may send nothing after it has answered
 * @param whole how long a download may take
 * @param archiveBytes the largest archive
 * @param unpackedBytes the largest unpacked content of an archive
 */
record DownloadLimits(
    Duration connect,
    Duration answer,
    Duration silence,
    Duration whole,
    long archiveBytes,
    long unpackedBytes) {
  private static final long GIBIBYTE = 1L << 30;

  static final DownloadLimits DEFAULT =
      new DownloadLimits(
          Duration.ofSeconds(15),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofHours(1),
          GIBIBYTE,
          GIBIBYTE);

  /**
   * Returns a stream that fails when more bytes than the limit were read.
   *
   * @param what subject of the message: "... is more than ... bytes"
   */
  static InputStream bounded(InputStream in, long limit, String what) throws IOException {
    return BoundedInputStream.builder()
        .setInputStream(in)
        // one more, because the stream fails as soon as it has read this many bytes
        .setMaxCount(limit + 1)
        .setOnMaxCount(
            (most, count) -> {
              throw new FileSystemException(null, null, what + " is more than " + limit + " bytes");
            })
        .get();
  }
}
