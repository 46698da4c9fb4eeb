package io.quorate.store.server;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads logs of Go's package glog, as the shims write them. Their times have no year. */
public final class GlogLog implements ServerLog {
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
