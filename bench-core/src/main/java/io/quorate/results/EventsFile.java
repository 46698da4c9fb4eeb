package io.quorate.results;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.format.GoText;
import io.quorate.format.TextFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The file {@code events.jsonl} of a database: one {@link RunEvent} in each line. Lines are
 * appended when a step has ended; there is no file if nothing happened. For one thread.
 */
public final class EventsFile {
  private static final int LARGEST_BYTES = 64 << 20;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final Path file;

  public EventsFile(DatabaseDirectory directory) {
    this.file = directory.path().resolve("events.jsonl");
  }

  Path path() {
    return file;
  }

  /**
   * Appends events.
   *
   * @throws QuorateException if the file cannot be written
   */
  public void append(List<RunEvent> events) {
    if (events.isEmpty()) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    try {
      for (RunEvent event : events) {
        lines.append(JSON.writeValueAsString(event)).append('\n');
      }
      Files.writeString(
          file,
          lines,
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException impossible) {
      throw new QuorateException(DiskSpace.unwritable(file, impossible), impossible);
    }
  }

  /**
   * Reads all events; none if there is no file. A last line without an end is left out, as it was
   * cut off by a kill.
   *
   * @throws QuorateException with file and line of the first line that cannot be read
   */
  public List<RunEvent> read() {
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = TextFile.read(file, LARGEST_BYTES, "one of a run");
    List<RunEvent> events = new ArrayList<>();
    String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n");
    for (int i = 0; i < lines.length; i++) {
      if (!lines[i].isEmpty()) {
        events.add(event(lines[i], i + 1));
      }
    }
    return events;
  }

  private RunEvent event(String line, int number) {
    try {
      return JSON.readValue(line, RunEvent.class);
    } catch (JsonProcessingException malformed) {
      throw new QuorateException(
          "%s:%d: found %s, expected an event with kind, source, step, startUnixNanos, endUnixNanos, dropped and text"
              .formatted(file, number, GoText.shortened(line)),
          malformed);
    }
  }
}
