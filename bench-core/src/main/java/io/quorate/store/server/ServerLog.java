// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Interprets the lines of a server's log: the reason for its end, and events that explain
 * observations of clients. It need not handle messages of the runtimes of Go and Java.
 */
@FunctionalInterface
public interface ServerLog {
  /** Returns the event that begins on a line; empty if none does. */
  Optional<LogEvent> event(String line);

  /**
   * Returns the rules for messages that belong on the timeline of a run, as they explain
   * observations of clients: elections, a slow disk, an overload. The first matching rule applies.
   * None if the log has no times.
   */
  default List<LogRule> rules() {
    return List.of();
  }

  /**
   * Returns the reason for the server's end from the last line of a log that is not an event; empty
   * if it contains none.
   */
  default Optional<String> reason(String lastLine) {
    return Optional.empty();
  }

  /** Reads logs whose lines begin with a time and a level, with or without brackets. */
  class Timed implements ServerLog {
    private static final Pattern LINE =
        Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d[T"
                + " ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d))\\s+"
                + "\\[?([A-Za-z]+)]?\\s+(.*)");

    private final List<LogRule> rules;

    public Timed(List<LogRule> rules) {
      this.rules = List.copyOf(rules);
    }

    @Override
    public final List<LogRule> rules() {
      return rules;
    }

    @Override
    public final Optional<LogEvent> event(String line) {
      Matcher timed = LINE.matcher(line);
      if (!timed.matches()) {
        return Optional.empty();
      }
      String text = timed.group(3);
      return Optional.of(
          new LogEvent(
              LogEvent.Severity.of(timed.group(2)),
              LogEvent.time(timed.group(1)),
              text,
              text.contains("error=")));
    }
  }

  /** Reads logs of Go's package glog, as the shims write them. Their times have no year. */
  final class Glog implements ServerLog {
    private static final Pattern LINE =
        Pattern.compile("([EF])\\d{4} [0-9:.]+\\s+\\d+ [^]]*]\\s*(.*)");

    @Override
    public Optional<LogEvent> event(String line) {
      Matcher glog = LINE.matcher(line);
      if (!glog.matches()) {
        return Optional.empty();
      }
      LogEvent.Severity severity =
          glog.group(1).equals("F") ? LogEvent.Severity.FATAL : LogEvent.Severity.ERROR;
      return Optional.of(new LogEvent(severity, Optional.empty(), glog.group(2), false));
    }
  }
}
