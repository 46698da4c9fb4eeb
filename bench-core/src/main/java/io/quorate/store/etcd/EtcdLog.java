package io.quorate.store.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.server.LogEvent;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.ServerLog;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads etcd's log: one JSON object to a line. */
final class EtcdLog implements ServerLog {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<LogRule> RULES =
      List.of(
          LogRule.becameLeader("became leader at term"),
          LogRule.trouble("lost leader"),
          LogRule.trouble("slow fdatasync"),
          LogRule.trouble("took too long"),
          LogRule.trouble("leader failed to send out heartbeat on time"),
          LogRule.trouble("leader is overloaded"),
          LogRule.trouble("dropped internal Raft message"),
          LogRule.trouble("lost TCP streaming connection with remote peer"),
          LogRule.trouble("clock difference against peer"),
          LogRule.trouble("(?i)alarm raised|database space exceeded"),
          LogRule.trouble("triggering snapshot"));
  private static final Pattern CUT_OFF = Pattern.compile("\\{\"level\":\"(\\w+)\".*");

  @Override
  public List<LogRule> rules() {
    return RULES;
  }

  @Override
  public Optional<LogEvent> event(String line) {
    if (!line.startsWith("{")) {
      return Optional.empty();
    }
    try {
      JsonNode event = JSON.readTree(line);
      String message = event.path("msg").asText();
      String error = event.path("error").asText();
      String took = event.path("took").asText();
      String told = took.isEmpty() ? message : message + " (" + took + ")";
      String text = error.isEmpty() || told.contains(error) ? told : told + ": " + error;
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
