// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import com.google.protobuf.ByteString;
import io.quorate.FileAction;
import io.quorate.QuorateException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of a run received from agents piece by piece, in whole lines, so that it is readable if
 * the transfer stops. Several agents may write to one. Safe for several threads.
 */
final class ReceivedFile implements AutoCloseable {
  private final Path path;
  private final OutputStream out;
  private long bytes;

  private ReceivedFile(Path path, OutputStream out) {
    this.path = path;
    this.out = out;
  }

  /** Creates the file, replacing an existing one. */
  static ReceivedFile create(Path path) {
    return FileAction.require(
        path + ": cannot be written",
        () -> {
          Files.createDirectories(path.getParent());
          return new ReceivedFile(path, Files.newOutputStream(path));
        });
  }

  synchronized void append(ByteString piece, long most) {
    bytes += piece.size();
    if (bytes > most) {
      throw new QuorateException(path + ": more than " + most + " bytes were sent");
    }
    // at once, without a buffer: after a kill all received data is in the file
    FileAction.require(path + ": cannot be written", () -> out.write(piece.toByteArray()));
  }

  @Override
  public synchronized void close() {
    FileAction.require(path + ": cannot be written", () -> out.close());
  }
}
