package io.quorate.run;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what was opened, the last first, when all is done, when something has failed, or when the
 * process is ending; then also what is opened later, at once. Any thread.
 */
final class Teardown implements AutoCloseable {
  private final Deque<Runnable> opened = new ArrayDeque<>();
  private boolean closed;

  /** Takes something that was opened, with how it is closed; that must be idempotent. */
  <T> T add(T part, Runnable close) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        opened.push(close);
      }
    }
    if (late) {
      close.run();
    }
    return part;
  }

  /** Closes everything, once; waits until it is closed. */
  @Override
  public void close() {
    Deque<Runnable> parts;
    synchronized (this) {
      closed = true;
      parts = new ArrayDeque<>(opened);
    }
    parts.forEach(Runnable::run);
  }
}
