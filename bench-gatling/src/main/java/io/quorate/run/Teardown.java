// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.VisibleText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Closes everything that was opened, in reverse order, each even if others fail: at the end, after
 * a failure, or when the process is ending. Parts that are opened later are closed at once. Safe
 * for several threads.
 */
final class Teardown implements AutoCloseable {
  private final Deque<Runnable> opened = new ArrayDeque<>();
  private final Consumer<String> say;
  private boolean closed;

  Teardown(Consumer<String> say) {
    this.say = say;
  }

  /** Adds an opened part, with an idempotent action that closes it. */
  synchronized <T> T add(T part, Consumer<T> close) {
    if (closed) {
      close.accept(part);
    } else {
      opened.push(() -> close.accept(part));
    }
    return part;
  }

  @Override
  public void close() {
    Deque<Runnable> parts;
    synchronized (this) {
      closed = true;
      parts = new ArrayDeque<>(opened);
    }
    each(say, parts.toArray(Runnable[]::new));
  }

  /** Runs each part, even if others fail; says why they do. */
  static void each(Consumer<String> say, Runnable... parts) {
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException failure) {
        say.accept("while ending: " + VisibleText.of(String.valueOf(failure.getMessage())));
      }
    }
  }
}
