// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;

/**
 * An event in a server's log.
 *
 * @param time time of the line; empty if the line has none
 * @param text text without time and stack trace
 * @param tellsCause whether the text names an error or exception behind the event
 */
public record LogEvent(Severity severity, Optional<Instant> time, String text, boolean tellsCause) {
  /** The severity of an event. */
  public enum Severity {
    /** No error. */
    INFO,
    /** The process continues. */
    ERROR,
    /** The process ends. */
    FATAL;

    /** Returns the severity of a level of a log, such as {@code error}. */
    public static Severity of(String level) {
      return switch (level.toLowerCase(Locale.ROOT)) {
        case "error", "err" -> ERROR;
        case "fatal", "panic", "dpanic", "crit", "critical" -> FATAL;
        default -> INFO;
      };
    }
  }

  public LogEvent with(String cause) {
    return new LogEvent(severity, time, text + ": " + cause, true);
  }

  public LogEvent at(Optional<Instant> other) {
    return new LogEvent(severity, other, text, tellsCause);
  }

  /**
   * Parses a time with its zone, in ISO 8601 or in another format of logs, such as {@code
   * 2026-11-21 10:00:00,123+0100}; empty for other texts.
   */
  public static Optional<Instant> time(String text) {
    String standard =
        text.replace(' ', 'T').replace(',', '.').replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
    try {
      return Optional.of(OffsetDateTime.parse(standard).toInstant());
    } catch (DateTimeException unknown) {
      return Optional.empty();
    }
  }
}
