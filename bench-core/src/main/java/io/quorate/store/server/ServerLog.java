package io.quorate.store.server;

import java.util.List;
import java.util.Optional;

/**
 * Interprets the lines of a server's log: the reason for its end, and events that explain what
 * clients saw. What the runtimes of Go and Java write about a process need not be known to it.
 */
@FunctionalInterface
public interface ServerLog {
  /** Returns the event that begins on a line; empty if none does. */
  Optional<LogEvent> event(String line);

  /**
   * Returns the rules for messages that belong on the timeline of a run, as they explain what
   * clients saw: elections, a slow disk, an overload. The first rule that matches counts. None if
   * the log has no times.
   */
  default List<LogRule> rules() {
    return List.of();
  }

  /**
   * Returns the reason for its end that the last line of a log gives, in a form that is not that of
   * an event; empty if it gives none.
   */
  default Optional<String> reason(String lastLine) {
    return Optional.empty();
  }
}
