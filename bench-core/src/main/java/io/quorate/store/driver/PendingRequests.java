// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The requests of one connection in the order of sending, and so of their deadlines, because all
 * have the same timeout. Sending costs an append without a lock; the answer does not touch the
 * queue. {@link Deadlines} removes ended requests.
 */
public final class PendingRequests {
  private final Queue<PendingRequest> queue = new ConcurrentLinkedQueue<>();
  private final long timeoutNanos;
  private final String timeoutMessage;
  private volatile boolean closed;

  public PendingRequests(Duration timeout) {
    this.timeoutNanos = timeout.toNanos();
    this.timeoutMessage = "no answer within " + timeout.toMillis() + " ms";
  }

  long timeoutNanos() {
    return timeoutNanos;
  }

  /** Starts the deadline of a request; after {@link #close()} it ends the request at once. */
  public PendingRequest add(Completion completion) {
    var request = new PendingRequest(completion, System.nanoTime(), timeoutNanos);
    queue.add(request);
    if (closed) {
      endAll();
    }
    return request;
  }

  /**
   * Ends late requests and removes ended ones; for one thread at a time. Stops at the first request
   * that is not late. That is correct only because all requests of a connection have the same
   * timeout.
   *
   * @return the time before which no further request becomes late
   */
  long expire(long nowNanos) {
    for (PendingRequest head = queue.peek(); head != null; head = queue.peek()) {
      if (!head.ended()) {
        if (!head.isLate(nowNanos)) {
          return head.deadlineNanos();
        }
        head.endLate(timeoutMessage);
      }
      queue.remove(head);
    }
    return nowNanos + timeoutNanos;
  }

  /** Ends every present and future request with CONNECTION. */
  public void close() {
    closed = true;
    endAll();
  }

  private void endAll() {
    for (PendingRequest head = queue.poll(); head != null; head = queue.poll()) {
      head.end(completion -> completion.failed(ErrorKind.CONNECTION, "closed"));
    }
  }
}
