package io.quorate.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An event in a server's log, in whichever of the formats: JSON of etcd, Consul's and ZooKeeper's
 * lines with a time, glog of zetcd, and what the runtimes of Go and Java and the shell say at the
 * end of a process.
 *
 * @param time when it was logged; empty if the line does not say
 * @param text without time and stack trace
 * @param tellsCause whether the text names an error or exception behind the event
 */
record LogEvent(Severity severity, Optional<Instant> time, String text, boolean tellsCause) {
  /** The severity of an event. */
  enum Severity {
    /** No error. */
    INFO,
    /** The process goes on. */
    ERROR,
    /** The process ends. */
    FATAL
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Pattern CUT_OFF = Pattern.compile("\\{\"level\":\"(\\w+)\".*");

  /** Matches time, level with or without brackets, and text. */
  private static final Pattern TIMED =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d))\\s+"
              + "\\[?([A-Za-z]+)]?\\s+(.*)");

  private static final Pattern GLOG =
      Pattern.compile("([EF])\\d{4} [0-9:.]+\\s+\\d+ [^]]*]\\s*(.*)");

  /** Messages of Go, Java and the shell about a process that they end or cannot start. */
  private static final Pattern LAST_WORDS =
      Pattern.compile(
          "(panic: |fatal error: |quorate-launch: |Error: |Exception in thread "
              + "|Error occurred during initialization of VM"
              + "|Terminating due to java\\.lang\\.OutOfMemoryError"
              + "|# A fatal error has been detected).*");

  private static final Pattern EXCEPTION =
      Pattern.compile("(?:Caused by: )?((?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error)(?:: .*)?)");

  /** Parses the event that begins on a line; empty if none does. */
  static Optional<LogEvent> of(String line) {
    if (line.startsWith("{")) {
      return json(line);
    }
    Matcher timed = TIMED.matcher(line);
    if (timed.matches()) {
      String text = timed.group(3);
      return Optional.of(
          new LogEvent(
              severity(timed.group(2)), time(timed.group(1)), text, text.contains("error=")));
    }
    Matcher glog = GLOG.matcher(line);
    if (glog.matches()) {
      Severity severity = glog.group(1).equals("F") ? Severity.FATAL : Severity.ERROR;
      return Optional.of(new LogEvent(severity, Optional.empty(), glog.group(2), false));
    }
    return LAST_WORDS.matcher(line).matches()
        ? Optional.of(new LogEvent(Severity.FATAL, Optional.empty(), line, true))
        : Optional.empty();
  }

  /** Returns the exception that a line below an event names, as in Java's stack traces. */
  static Optional<String> exception(String line) {
    Matcher exception = EXCEPTION.matcher(line);
    return exception.matches() ? Optional.of(exception.group(1)) : Optional.empty();
  }

  LogEvent with(String cause) {
    return new LogEvent(severity, time, text + ": " + cause, true);
  }

  LogEvent at(Optional<Instant> other) {
    return new LogEvent(severity, other, text, tellsCause);
  }

  private static Optional<LogEvent> json(String line) {
    try {
      JsonNode event = JSON.readTree(line);
      String message = event.path("msg").asText();
      String error = event.path("error").asText();
      String text = error.isEmpty() || message.contains(error) ? message : message + ": " + error;
      return Optional.of(
          new LogEvent(
              severity(event.path("level").asText()),
              time(event.path("ts").asText()),
              text,
              !error.isEmpty()));
    } catch (JsonProcessingException cutOff) { // as where the disk is full
      Matcher level = CUT_OFF.matcher(line);
      return level.matches()
          ? Optional.of(new LogEvent(severity(level.group(1)), Optional.empty(), line, false))
          : Optional.empty();
    }
  }

  private static Severity severity(String level) {
    return switch (level.toLowerCase(Locale.ROOT)) {
      case "error", "err" -> Severity.ERROR;
      case "fatal", "panic", "dpanic", "crit", "critical" -> Severity.FATAL;
      default -> Severity.INFO;
    };
  }

  private static Optional<Instant> time(String text) {
    String standard =
        text.replace(' ', 'T').replace(',', '.').replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
    try {
      return Optional.of(OffsetDateTime.parse(standard).toInstant());
    } catch (DateTimeParseException unknown) {
      return Optional.empty();
    }
  }
}
