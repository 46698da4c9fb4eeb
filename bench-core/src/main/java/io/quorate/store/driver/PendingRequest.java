// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * A request whose deadline is not enforced by the client library. The first of three events ends
 * it: the answer, the deadline or the closing of the connection.
 */
public final class PendingRequest {
  private static final VarHandle COMPLETION;

  static {
    try {
      COMPLETION =
          MethodHandles.lookup()
              .findVarHandle(PendingRequest.class, "completion", Completion.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private static final Runnable NOTHING = () -> {};

  private final long startNanos;
  private final long deadlineNanos;

  /** The time when it was written; 0 until then. Belongs to the writing thread. */
  private long sentNanos;

  private long heldNanos;

  /** Whether it waits for a connection that carries one request at a time. */
  private boolean queued;

  private volatile Runnable abandonment = NOTHING;

  /** The completion; null after it was notified. */
  private volatile Completion completion;

  PendingRequest(Completion completion, long startNanos, long timeoutNanos) {
    this.completion = completion;
    this.startNanos = startNanos;
    this.deadlineNanos = startNanos + timeoutNanos;
  }

  /**
   * Notes that the request was written just now. The completion is notified with the outcome, see
   * {@link Completion#sent}. If a request is written in several parts, the first one counts.
   */
  public void sent() {
    sent(startNanos);
  }

  /**
   * Notes that the request was written just now.
   *
   * @param freeNanos when the connection, which carries one request at a time, became free
   */
  public void sent(long freeNanos) {
    if (sentNanos == 0) {
      heldNanos = Math.max(0, freeNanos - startNanos);
      sentNanos = System.nanoTime();
    }
  }

  /** Notes that the request begins to wait for a connection that carries one request at a time. */
  public void queued() {
    queued = true;
  }

  /** Returns the completion to the first caller, and null to all others. */
  private Completion take() {
    Completion first = (Completion) COMPLETION.getAndSet(this, null);
    if (first != null && queued && sentNanos == 0) { // it never left the queue
      sentNanos = System.nanoTime();
      heldNanos = sentNanos - startNanos;
    }
    if (first != null && sentNanos != 0) {
      first.sent(sentNanos, heldNanos);
    }
    return first;
  }

  /** Reports the outcome, unless another one has been reported. */
  public void end(Consumer<Completion> outcome) {
    Completion first = take();
    if (first != null) {
      abandonment = NOTHING; // the queue may keep this object for long, but must not keep the call
      outcome.accept(first);
    }
  }

  /** Ends the request, as {@link #end} does, because the client library refused it. */
  public void endRefused(RuntimeException refusal) {
    String reason = OneLine.of(String.valueOf(refusal.getMessage()));
    String message = refusal.getClass().getSimpleName() + ": " + reason;
    end(completion -> completion.failed(ErrorKind.OTHER, message));
  }

  /**
   * Sets an action on the client library that runs when the deadline ends the request, or at once
   * if it has ended it already. Another thread than the sending one may run it, perhaps twice. So
   * set it after sending if the library does not support it earlier.
   */
  public void whenLate(Runnable abandonment) {
    this.abandonment = abandonment;
    if (ended()) {
      this.abandonment = NOTHING;
      if (isLate(System.nanoTime())) {
        abandonment.run();
      }
    }
  }

  void endLate(String message) {
    Completion first = take();
    if (first != null) {
      // read after that write: either this thread or the one in whenLate sees the other's write
      Runnable abandon = abandonment;
      abandonment = NOTHING;
      first.failed(ErrorKind.TIMEOUT, message);
      abandon.run();
    }
  }

  public boolean ended() {
    return completion == null;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isLate(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }
}
