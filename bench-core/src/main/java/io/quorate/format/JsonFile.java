package io.quorate.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quorate.QuorateException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A small JSON file that others may have written: of bounded size and depth, and with all problems
 * reported at once, by line and column.
 */
public final class JsonFile {
  private static final int LARGEST_BYTES = 4 << 20;
  private static final int DEEPEST = 50;
  private static final int MOST_TOKENS = 200_000;
  private static final int MOST_PROBLEMS = 100;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxTokenCount(MOST_TOKENS)
                          .maxNumberLength(100)
                          .maxNameLength(1000)
                          .maxStringLength(LARGEST_BYTES)
                          .build())
                  .build())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private final Path file;
  private final String text;
  private final List<Problem> problems = new ArrayList<>();

  private record Problem(String pointer, String message) {}

  private JsonFile(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /**
   * Reads a file and returns the fields of the object that it holds.
   *
   * @throws QuorateException if it cannot be read or is not complete JSON
   */
  public static JsonFields fields(Path path) {
    JsonFile file = new JsonFile(path, TextFile.read(path, LARGEST_BYTES, "one of a run"));
    JsonFields fields = new JsonFields(file, "", "", file.tree());
    file.throwIfAny();
    return fields;
  }

  private JsonNode tree() {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      JsonLocation location = malformed.getLocation();
      int line = location == null ? 1 : Math.max(1, location.getLineNr());
      throw new QuorateException(
          file + ":" + line + ": found no complete JSON: " + reason(malformed), malformed);
    }
  }

  /**
   * Returns the reason of a syntax error, without the details that concern only Java programmers.
   */
  private static String reason(JsonProcessingException malformed) {
    String reason = String.valueOf(malformed.getOriginalMessage());
    return GoText.shortened(
        reason
            .replaceAll(",? ?from `[^`]*`", "")
            .replaceAll(" ?\\(start marker at .*", "")
            .replaceAll("\\s+", " "));
  }

  JsonNode nothing() {
    return MissingNode.getInstance();
  }

  /** Adds a problem: what was found at a place, and what was expected. */
  void problem(String pointer, String path, JsonNode found, String expected) {
    String what =
        found == null || found.isMissingNode() ? "nothing" : GoText.shortened(found.toString());
    problem(pointer, path + ": found " + what + ", expected " + expected);
  }

  /** Adds a problem at a place; once for each place. */
  void problem(String pointer, String message) {
    Problem problem = new Problem(pointer, message);
    if (problems.size() < MOST_PROBLEMS && !problems.contains(problem)) {
      problems.add(problem);
    }
  }

  boolean hasProblems() {
    return !problems.isEmpty();
  }

  /** Returns whether a problem was reported at a place or below it. */
  boolean hasProblems(String pointer) {
    return problems.stream().anyMatch(each -> (each.pointer + "/").startsWith(pointer + "/"));
  }

  /**
   * Finishes reading a file.
   *
   * @throws QuorateException with all problems by line and column, if there is one
   */
  void throwIfAny() {
    if (problems.isEmpty()) {
      return;
    }
    Map<String, JsonLocation> places = new HashMap<>();
    problems.forEach(problem -> places.put(problem.pointer, null));
    try (JsonParser parser = MAPPER.createParser(text)) {
      parser.nextToken();
      locate(parser, "", places);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    List<String> messages = new ArrayList<>();
    for (Problem problem : problems) {
      JsonLocation place = places.get(problem.pointer);
      String at =
          place == null ? "" : ":" + place.getLineNr() + ":" + Math.max(1, place.getColumnNr());
      messages.add(file + at + ": " + problem.message);
    }
    throw new QuorateException(String.join("\n", messages));
  }

  /** Records the locations of a value and its parts; its depth is bounded. */
  private static void locate(JsonParser parser, String pointer, Map<String, JsonLocation> places)
      throws IOException {
    JsonLocation here = parser.currentTokenLocation();
    places.replace(pointer, here);
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        locate(parser, pointer + "/" + escaped(name), places);
      }
    } else if (parser.currentToken() == JsonToken.START_ARRAY) {
      for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
        locate(parser, pointer + "/" + index, places);
      }
    }
  }

  /** Escapes a name for use in a pointer. */
  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
