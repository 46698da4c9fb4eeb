// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.QuorateException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Receives the outcome of a request, once, on a thread of the driver or on the calling thread. It
 * must not block and must not throw.
 */
public interface Completion {
  /**
   * Reports when the driver wrote the request to the connection. Called at most once, before the
   * outcome and on the same thread. A request that waited for a connection until it failed counts
   * as sent then; not called for others that were never written. For a request of several parts the
   * first part counts.
   *
   * @param sentNanos send time, by the nano clock
   * @param heldNanos how long the request waited before for a connection that was in use or being
   *     opened, because it carries one request at a time
   */
  default void sent(long sentNanos, long heldNanos) {}

  /** Reports that the store carried the request out, or that its key is missing. */
  void answered(Answer answer);

  /**
   * Reports a failed request; whether the store carried it out is unknown for {@link
   * ErrorKind#TIMEOUT}, {@link ErrorKind#CONNECTION} and {@link ErrorKind#OTHER}.
   *
   * @param message message of the client library or the server, one line
   */
  void failed(ErrorKind kind, String message);

  /**
   * Returns a completion with another handler of answers; it passes everything else to this one.
   */
  default Completion withAnswer(Consumer<Answer> handler) {
    Completion whole = this;
    return new Completion() {
      @Override
      public void sent(long sentNanos, long heldNanos) {
        whole.sent(sentNanos, heldNanos);
      }

      @Override
      public void answered(Answer answer) {
        handler.accept(answer);
      }

      @Override
      public void failed(ErrorKind kind, String message) {
        whole.failed(kind, message);
      }
    };
  }

  /**
   * Sends a request by passing a completion to an action, and waits for the answer; empty if the
   * request failed, at its deadline at last. Not to be called on a thread of a driver.
   */
  static Optional<Answer> await(Consumer<Completion> sending) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    sending.accept(of(answer));
    try {
      return Optional.of(answer.join());
    } catch (CompletionException failed) {
      return Optional.empty();
    }
  }

  /** Returns a completion that ends a future; a failure is a {@link QuorateException}. */
  static Completion of(CompletableFuture<Answer> outcome) {
    return of(
        outcome::complete,
        (kind, message) ->
            outcome.completeExceptionally(new QuorateException(kind.label() + ": " + message)));
  }

  /** Returns a completion with these handlers of answers and of failures. */
  static Completion of(Consumer<Answer> answered, BiConsumer<ErrorKind, String> failed) {
    return new Completion() {
      @Override
      public void answered(Answer answer) {
        answered.accept(answer);
      }

      @Override
      public void failed(ErrorKind kind, String message) {
        failed.accept(kind, message);
      }
    };
  }
}
