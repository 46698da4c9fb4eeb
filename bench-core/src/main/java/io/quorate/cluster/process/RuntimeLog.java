package io.quorate.cluster.process;

import io.quorate.store.server.LogEvent;
import io.quorate.store.server.ServerLog;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what the runtimes of Go and Java and the shell write about a process that they end or
 * cannot start.
 */
final class RuntimeLog implements ServerLog {
  private static final Pattern LAST_WORDS =
      Pattern.compile(
          "(panic: |fatal error: |quorate-launch: |Error: |Exception in thread "
              + "|Error occurred during initialization of VM"
              + "|Terminating due to java\\.lang\\.OutOfMemoryError"
              + "|# A fatal error has been detected).*");

  private static final Pattern EXCEPTION =
      Pattern.compile("(?:Caused by: )?((?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error)(?:: .*)?)");

  @Override
  public Optional<LogEvent> event(String line) {
    return LAST_WORDS.matcher(line).matches()
        ? Optional.of(new LogEvent(LogEvent.Severity.FATAL, Optional.empty(), line, true))
        : Optional.empty();
  }

  /** Returns the exception that a line below an event names, as in Java's stack traces. */
  static Optional<String> exception(String line) {
    Matcher exception = EXCEPTION.matcher(line);
    return exception.matches() ? Optional.of(exception.group(1)) : Optional.empty();
  }
}
