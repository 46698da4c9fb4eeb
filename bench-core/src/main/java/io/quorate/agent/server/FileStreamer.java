package io.quorate.agent.server;

import io.quorate.FileFailure;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.MemberEnded;
import io.quorate.agent.wire.Remark;
import io.quorate.agent.wire.Reply;
import java.io.IOException;
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
      Optional<Reply> slice = Optional.ofNullable(file.next(last));
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
}
