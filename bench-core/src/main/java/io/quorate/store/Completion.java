package io.quorate.store;

import io.quorate.QuorateException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Receives the outcome of a request, once, on a thread of the driver or on the calling thread. It
 * must not block and must not throw.
 */
public interface Completion {
  /**
   * Reports when the request was sent: when the driver had written it to the connection. Called at
   * most once, before the outcome and on the same thread. Not called for a request that was never
   * written; a request of several parts reports the first one.
   *
   * @param sentNanos time of the nano clock
   * @param heldNanos how long the request waited before that because the connection, which carries
   *     one request at a time, was in use or was being opened
   */
  default void sent(long sentNanos, long heldNanos) {}

  /** Reports that the store carried the request out, or found nothing to carry it out on. */
  void answered(Answer answer);

  /**
   * Reports a failed request; whether the store carried it out is unknown for {@link
   * ErrorKind#TIMEOUT}, {@link ErrorKind#CONNECTION} and {@link ErrorKind#OTHER}.
   *
   * @param message what the client library or the server said, one line
   */
  void failed(ErrorKind kind, String message);

  /** Returns a completion that handles an answer otherwise, and passes on the rest to this one. */
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

  /** Returns a completion that ends a future; a failure is a {@link QuorateException}. */
  static Completion of(CompletableFuture<Answer> outcome) {
    return new Completion() {
      @Override
      public void answered(Answer answer) {
        outcome.complete(answer);
      }

      @Override
      public void failed(ErrorKind kind, String message) {
        outcome.completeExceptionally(new QuorateException(kind.label() + ": " + message));
      }
    };
  }
}
