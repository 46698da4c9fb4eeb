package io.quorate.load;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands requests to an event loop before they are due. The event loop makes the message, and waits
 * awake until the request is due; then the message is written. So the time that it takes to wake up
 * the thread, and to run code that is cold at low rates, is not in the latency. It relies on {@link
 * io.quorate.store.Connection#submit}: what is submitted on the event loop is written after the
 * task that does it.
 */
final class EarlyRequests {
  private final Executor eventLoop;
  private final Queue<Early> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean closed;

  private record Early(long dueNanos, Runnable send) {}

  EarlyRequests(Executor eventLoop) {
    this.eventLoop = eventLoop;
  }

  /**
   * Hands a request over; they have to come in the order in which they are due.
   *
   * @param send submits it; called at once if the event loop has ended
   */
  void add(long dueNanos, Runnable send) {
    waiting.add(new Early(dueNanos, send));
    if (count.getAndIncrement() == 0) {
      execute();
    }
    if (closed) {
      sendAll();
    }
  }

  private void execute() {
    try {
      eventLoop.execute(this::next);
    } catch (RejectedExecutionException ended) {
      closed = true;
      sendAll();
    }
  }

  /** One at a time, so that this one is written before the event loop waits for the next one. */
  private void next() {
    Early early = waiting.poll();
    if (early == null) {
      return; // closed meanwhile
    }
    early.send().run();
    while (System.nanoTime() - early.dueNanos() < 0) {
      Thread.onSpinWait();
    }
    if (count.decrementAndGet() > 0) {
      execute();
    }
  }

  private void sendAll() {
    for (Early early = waiting.poll(); early != null; early = waiting.poll()) {
      early.send().run();
    }
  }
}
