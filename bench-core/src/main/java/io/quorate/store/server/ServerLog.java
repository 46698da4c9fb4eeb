package io.quorate.store.server;

import java.util.Optional;

/**
 * Interprets the lines of a server's log about its end. What the runtimes of Go and Java write
 * about a process need not be known to it.
 */
@FunctionalInterface
public interface ServerLog {
  /** Returns the event that begins on a line; empty if none does. */
  Optional<LogEvent> event(String line);

  /**
   * Returns the reason for its end that the last line of a log gives, in a form that is not that of
   * an event; empty if it gives none.
   */
  default Optional<String> reason(String lastLine) {
    return Optional.empty();
  }
}
