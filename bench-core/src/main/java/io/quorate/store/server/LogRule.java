package io.quorate.store.server;

import java.util.regex.Pattern;

/**
 * Selects messages of a server's log that belong on the timeline of a run.
 *
 * @param message pattern that is searched in the text of a {@link LogEvent}
 * @param becameLeader whether the server that logged it became the leader; otherwise something
 *     slowed it down or went wrong
 */
public record LogRule(Pattern message, boolean becameLeader) {
  public static LogRule becameLeader(String regex) {
    return new LogRule(Pattern.compile(regex), true);
  }

  public static LogRule trouble(String regex) {
    return new LogRule(Pattern.compile(regex), false);
  }

  public boolean matches(LogEvent event) {
    return message.matcher(event.text()).find();
  }
}
