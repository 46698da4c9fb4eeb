package io.quorate.store.server;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads logs whose lines begin with a time and a level, with or without brackets. */
public class TimedLog implements ServerLog {
  private static final Pattern LINE =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d))\\s+"
              + "\\[?([A-Za-z]+)]?\\s+(.*)");

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
