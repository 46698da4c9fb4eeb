// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A part of {@code scenarios/scenario.schema.json}, which defines the keys of a scenario: names,
 * types, bounds and defaults. Editors use the same file. The keyword {@value #EXPECTED} contains
 * the text for error messages, unless it follows from the type.
 */
record ScenarioSchema(JsonNode json) {
  private static final String EXPECTED = "x-expected";
  private static final String REFERENCE = "$ref";
  private static final String PROPERTIES = "properties";
  private static final JsonNode ROOT = load();
  static final ScenarioSchema SCENARIO = new ScenarioSchema(ROOT);

  /** The schema of a map that may have any keys. */
  static final ScenarioSchema ANY = new ScenarioSchema(JsonNodeFactory.instance.objectNode());

  private static JsonNode load() {
    try (InputStream in = ScenarioSchema.class.getResourceAsStream("scenario.schema.json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static ScenarioSchema definition(String name) {
    return new ScenarioSchema(ROOT.path("$defs").path(name));
  }

  /** Returns the schema of a map with one of the keys alone, which it must have. */
  ScenarioSchema only(String key) {
    ObjectNode one = JsonNodeFactory.instance.objectNode().put("additionalProperties", false);
    one.putArray("required").add(key);
    one.putObject(PROPERTIES).set(key, property(key).json);
    return new ScenarioSchema(one);
  }

  ScenarioSchema property(String key) {
    return new ScenarioSchema(get(PROPERTIES).path(key));
  }

  ScenarioSchema items() {
    return new ScenarioSchema(get("items"));
  }

  ScenarioSchema alternative(int index) {
    return new ScenarioSchema(get("anyOf").path(index));
  }

  /** Returns the names of the keys in their order; empty if a map may have any. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    if (get("additionalProperties").isBoolean()) {
      get(PROPERTIES).fieldNames().forEachRemaining(keys::add);
    }
    return keys;
  }

  List<String> required() {
    return texts("required");
  }

  /** Returns the names that a value may have; empty if it is not one of a few names. */
  List<String> names() {
    return texts("enum");
  }

  private List<String> texts(String keyword) {
    List<String> texts = new ArrayList<>();
    get(keyword).forEach(each -> texts.add(each.asText()));
    return texts;
  }

  /** Returns the default as written in a file; empty if there is none. */
  Optional<ScalarNode> standard() {
    return Optional.of(get("default")).filter(JsonNode::isValueNode).map(ScenarioSchema::scalar);
  }

  private static ScalarNode scalar(JsonNode value) {
    Tag tag = value.isTextual() ? Tag.STR : value.isBoolean() ? Tag.BOOL : Tag.INT;
    return new ScalarNode(tag, value.asText(), ScalarStyle.PLAIN);
  }

  boolean allows(long number) {
    JsonNode numbers = get("enum");
    return numbers.isArray()
        ? StreamSupport.stream(numbers.spliterator(), false)
            .anyMatch(each -> each.isNumber() && each.asLong() == number)
        : alternatives().stream().anyMatch(each -> each.least() <= number && number <= each.most());
  }

  boolean allows(String text) {
    JsonNode longest = get("maxLength");
    return (longest.isMissingNode() || text.codePointCount(0, text.length()) <= longest.asInt())
        && (!has("pattern") || Pattern.compile(get("pattern").asText()).matcher(text).find());
  }

  boolean allowsItems(int count) {
    return get("minItems").asInt(0) <= count && count <= get("maxItems").asInt(Integer.MAX_VALUE);
  }

  String expected() {
    if (has(EXPECTED)) {
      return get(EXPECTED).asText();
    }
    if (!names().isEmpty()) {
      return "one of " + String.join(", ", names());
    }
    if (get("type").asText().equals("boolean")) {
      return "true or false";
    }
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (ScenarioSchema each : alternatives()) {
      least = Math.min(least, each.least());
      most = Math.max(most, each.most());
    }
    return "a whole number from " + Messages.of(least) + " to " + Messages.of(most);
  }

  private long least() {
    return get("const").isNumber() ? get("const").asLong() : get("minimum").asLong(Long.MAX_VALUE);
  }

  private long most() {
    return get("const").isNumber() ? get("const").asLong() : get("maximum").asLong(Long.MIN_VALUE);
  }

  private List<ScenarioSchema> alternatives() {
    List<ScenarioSchema> all = new ArrayList<>();
    for (JsonNode each : get("anyOf")) {
      all.addAll(new ScenarioSchema(each).alternatives());
    }
    return all.isEmpty() ? List.of(this) : all;
  }

  private boolean has(String keyword) {
    return !get(keyword).isMissingNode();
  }

  /** Returns a keyword of this schema, or of the schema that it refers to. */
  private JsonNode get(String keyword) {
    JsonNode here = json.path(keyword);
    return here.isMissingNode() && json.has(REFERENCE)
        ? new ScenarioSchema(ROOT.at(json.get(REFERENCE).asText().substring(1))).get(keyword)
        : here;
  }
}
