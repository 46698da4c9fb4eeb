// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import com.google.protobuf.ByteString;
import io.quorate.FileFailure;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.MemberEnded;
import io.quorate.agent.wire.Remark;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Slice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Sends the growing files of a member, and its events. */
final class FileStreamer {
  private final ReplyStream replies;
  private final Consumer<String> console;
  private final Set<String> told = new HashSet<>();
  private List<FollowedFile> files = List.of();

  FileStreamer(ReplyStream replies, Consumer<String> console) {
    this.replies = replies;
    this.console = console;
  }

  synchronized void follow(List<FollowedFile> followed) {
    files = List.copyOf(followed);
  }

  /** Sends new data, as far as there is room. */
  synchronized void sendNew() {
    for (FollowedFile file : files) {
      Optional<Reply> slice = next(file, false);
      while (slice.isPresent()) {
        replies.send(slice.get());
        slice = replies.isReady() ? next(file, false) : Optional.empty();
      }
    }
  }

  /** Sends all remaining data, waiting for room if necessary, for at most the limit in all. */
  synchronized void sendRest(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      for (FollowedFile file : files) {
        Optional<Reply> slice = next(file, true);
        while (slice.isPresent()
            && replies.awaitReady(Duration.ofNanos(deadline - System.nanoTime()))) {
          replies.send(slice.get());
          slice = next(file, true);
        }
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Reply> next(FollowedFile file, boolean last) {
    try {
      Optional<Reply> slice = file.next(last);
      if (file.isCutOff()) {
        remark(file.name() + " was cut off after " + Protocol.MAX_FILE_BYTES + " bytes");
      }
      return slice;
    } catch (IOException unreadable) {
      remark(file.name() + " cannot be read: " + FileFailure.reason(unreadable));
      return Optional.empty();
    }
  }

  /** Sends a remark, once for each text. */
  synchronized void remark(String text) {
    if (told.add(text)) {
      replies.send(Reply.newBuilder().setRemark(Remark.newBuilder().setText(text)).build());
    }
  }

  synchronized void ended(String how) {
    if (told.add(how)) {
      console.accept(how);
      replies.send(Reply.newBuilder().setMemberEnded(MemberEnded.newBuilder().setHow(how)).build());
    }
  }

  /** A growing file that is sent piece by piece, in whole lines. One thread at a time. */
  static final class FollowedFile {
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
     * Returns the next piece, if there is one at the moment; a line longer than a piece is split.
     *
     * @param last whether nothing more will be written, so that a line without an end counts as
     *     well
     */
    Optional<Reply> next(boolean last) throws IOException {
      if (isCutOff() || !Files.exists(path)) {
        return Optional.empty();
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
        return Optional.empty();
      }
      sent += end;
      return Optional.of(
          Reply.newBuilder()
              .setSlice(
                  Slice.newBuilder()
                      .setFile(name)
                      .setContent(ByteString.copyFrom(buffer.array(), 0, end)))
              .build());
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
}
