package io.quorate.agent;

import io.quorate.QuorateException;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** The requests to an agent that are not answered yet. Safe for several threads. */
final class PendingReplies {
  private final Queue<Question> waiting = new ArrayDeque<>();

  private record Question(Reply.WhatCase kind, CompletableFuture<Reply> answer) {}

  private static Reply.WhatCase answerTo(Request request) {
    return switch (request.getWhatCase()) {
      case PLAN -> Reply.WhatCase.PLANNED;
      case START -> Reply.WhatCase.STARTED;
      case MEASURE -> Reply.WhatCase.MEASURED;
      case RECORD, SAMPLE, STOP_RECORDING, STOP_MEMBER -> Reply.WhatCase.DONE;
      case HELLO, HEARTBEAT, WHAT_NOT_SET ->
          throw new IllegalArgumentException(request.getWhatCase() + " has no answer");
    };
  }

  /** Adds a request; to be called in the order of sending. */
  synchronized CompletableFuture<Reply> add(Request request) {
    Question question = new Question(answerTo(request), new CompletableFuture<>());
    waiting.add(question);
    return question.answer();
  }

  /**
   * Completes the oldest request with its answer; returns an error if the answer does not match.
   */
  Optional<String> answer(Reply reply) {
    Question oldest;
    synchronized (this) {
      oldest = waiting.peek();
      if (oldest == null) {
        return Optional.of("it answered what was not asked");
      }
      if (!reply.hasFailed() && reply.getWhatCase() != oldest.kind()) {
        return Optional.of(
            "it answered %s, expected %s".formatted(reply.getWhatCase(), oldest.kind()));
      }
      waiting.remove();
    }
    oldest.answer().complete(reply);
    return Optional.empty();
  }

  /** Fails all open requests. */
  void fail(String why) {
    List<Question> left;
    synchronized (this) {
      left = List.copyOf(waiting);
      waiting.clear();
    }
    left.forEach(each -> each.answer().completeExceptionally(new QuorateException(why)));
  }
}
