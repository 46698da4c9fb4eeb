package io.quorate.store.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.server.LogEvent;
import io.quorate.store.server.ServerLog;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads etcd's log: one JSON object to a line. */
final class EtcdLog implements ServerLog {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern CUT_OFF = Pattern.compile("\\{\"level\":\"(\\w+)\".*");

  @Override
  public Optional<LogEvent> event(String line) {
    if (!line.startsWith("{")) {
      return Optional.empty();
    }
    try {
      JsonNode event = JSON.readTree(line);
      String message = event.path("msg").asText();
      String error = event.path("error").asText();
      String text = error.isEmpty() || message.contains(error) ? message : message + ": " + error;
      return Optional.of(
          new LogEvent(
              LogEvent.Severity.of(event.path("level").asText()),
              LogEvent.time(event.path("ts").asText()),
              text,
              !error.isEmpty()));
    } catch (JsonProcessingException cutOff) { // as where the disk is full
      Matcher level = CUT_OFF.matcher(line);
      return level.matches()
          ? Optional.of(
              new LogEvent(LogEvent.Severity.of(level.group(1)), Optional.empty(), line, false))
          : Optional.empty();
    }
  }
}
