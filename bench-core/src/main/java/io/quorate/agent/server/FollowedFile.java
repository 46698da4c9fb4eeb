package io.quorate.agent.server;

import com.google.protobuf.ByteString;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Slice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A growing file that is sent piece by piece, in whole lines. One thread at a time. */
final class FollowedFile {
  private static final int MAX_LINE = Protocol.SLICE_BYTES;

  private final String name;
  private final Path path;
  private final long limit;
  private long sent;

  /** Follows a file that need not exist yet; at most {@code limit} bytes of it are sent. */
  FollowedFile(String name, Path path, long limit) {
    this.name = name;
    this.path = path;
    this.limit = limit;
  }

  boolean isCutOff() {
    return sent >= limit;
  }

  String name() {
    return name;
  }

  /**
   * Returns the next piece; a line longer than a piece is split.
   *
   * @param last whether nothing more will be written, so that a line without an end counts as well
   * @return null if there is none at the moment
   */
  Reply next(boolean last) throws IOException {
    if (isCutOff() || !Files.exists(path)) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(MAX_LINE, limit - sent));
    try (FileChannel file = FileChannel.open(path)) {
      while (buffer.hasRemaining() && file.read(buffer, sent + buffer.position()) > 0) {
        continue;
      }
    }
    int end = buffer.position();
    if (buffer.hasRemaining() && !last || end == MAX_LINE) {
      end = lineEnd(buffer, end);
    }
    if (end == 0) {
      return null;
    }
    sent += end;
    return Reply.newBuilder()
        .setSlice(
            Slice.newBuilder()
                .setFile(name)
                .setContent(ByteString.copyFrom(buffer.array(), 0, end)))
        .build();
  }

  /** Returns the position after the last line end; the length of a full buffer without one. */
  private static int lineEnd(ByteBuffer buffer, int length) {
    for (int end = length; end > 0; end--) {
      if (buffer.get(end - 1) == '\n') {
        return end;
      }
    }
    return buffer.hasRemaining() ? 0 : length;
  }
}
