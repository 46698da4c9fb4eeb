package io.quorate.store.server;

import java.util.regex.Pattern;

/**
 * Selects messages of a server's log that belong on the timeline of a run.
 *
 * @param message found anywhere in the text of a {@link LogEvent}
 * @param kind what such a message says
 */
public record LogRule(Pattern message, Kind kind) {
  /** What a message of a server's log says. */
  public enum Kind {
    /** The server that logged it became the leader. */
    BECAME_LEADER,
    /** Something slowed the server down or went wrong. */
    TROUBLE
  }

  public static LogRule becameLeader(String regex) {
    return new LogRule(Pattern.compile(regex), Kind.BECAME_LEADER);
  }

  public static LogRule trouble(String regex) {
    return new LogRule(Pattern.compile(regex), Kind.TROUBLE);
  }

  public boolean matches(LogEvent event) {
    return message.matcher(event.text()).find();
  }
}
