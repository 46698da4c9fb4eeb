package io.quorate.store.driver;

import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * A request with a deadline that is not enforced by the client library: the answer, the deadline
 * and the closing of the connection may each want to end it, and the first one does.
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

  /** When it was written; 0 until then. Belongs to the thread that writes. */
  private long sentNanos;

  private long heldNanos;

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
   * {@link Completion#sent}. Of a request that is written in several parts the first one counts.
   */
  public void sent() {
    sent(startNanos);
  }

  /**
   * Notes that the request was written just now.
   *
   * @param freeNanos when the connection became free, which carries one request at a time
   */
  public void sent(long freeNanos) {
    if (sentNanos == 0) {
      heldNanos = Math.max(0, freeNanos - startNanos);
      sentNanos = System.nanoTime();
    }
  }

  /** Returns the completion to the first caller, and null to all others. */
  private Completion take() {
    Completion first = (Completion) COMPLETION.getAndSet(this, null);
    if (first != null && sentNanos != 0) {
      first.sent(sentNanos, heldNanos);
    }
    return first;
  }

  /** Reports the outcome, unless another one has been reported. */
  public void end(Consumer<Completion> outcome) {
    Completion first = take();
    if (first != null) {
      abandonment = NOTHING; // the queue may hold this for long, the call behind it must go
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
   * Sets an action on the client library for when the deadline has ended the request; run at once
   * if it has already. By another thread than the sending one, so to be said when all has been
   * sent, if the library does not bear it earlier. It may be done twice.
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
      // read after that write: either this thread or the one in whenLate sees the other's
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
