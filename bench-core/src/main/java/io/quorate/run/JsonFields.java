package io.quorate.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.QuorateException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * The fields of an object of a JSON file, each with the type that is expected, or a clear error.
 */
record JsonFields(Path file, String at, JsonNode node) {
  JsonFields {
    if (node == null || !node.isObject()) {
      throw wrong(file, at.isEmpty() ? "the file" : at, node, "an object");
    }
  }

  String text(String name) {
    return field(name, JsonNode::isTextual, "a text").textValue();
  }

  Optional<String> optionalText(String name) {
    return node.has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  long integer(String name) {
    return field(name, JsonNode::canConvertToExactIntegral, "a whole number").longValue();
  }

  /** A whole number that is not negative and fits an int. */
  int count(String name) {
    field(
        name,
        found -> found.canConvertToExactIntegral() && found.canConvertToInt(),
        "a whole number");
    return (int) amount(name);
  }

  /** A whole number that is not negative. */
  long amount(String name) {
    long amount = integer(name);
    if (amount < 0) {
      throw wrong(file, path(name), node.get(name), "0 or more");
    }
    return amount;
  }

  OptionalLong optionalAmount(String name) {
    return node.has(name) ? OptionalLong.of(amount(name)) : OptionalLong.empty();
  }

  /** Fails if the file has another format than the one that is known here. */
  void requireFormatVersion(int known) {
    long found = integer("formatVersion");
    if (found != known) {
      throw new QuorateException(
          file
              + ": found formatVersion "
              + found
              + ", expected "
              + known
              + ": it was written by another version of Quorate; use that one to read it");
    }
  }

  double number(String name) {
    return field(name, JsonNode::isNumber, "a number").doubleValue();
  }

  OptionalDouble optionalNumber(String name) {
    return node.has(name) ? OptionalDouble.of(number(name)) : OptionalDouble.empty();
  }

  boolean flag(String name) {
    return field(name, JsonNode::isBoolean, "true or false").booleanValue();
  }

  Instant instant(String name) {
    String text = text(name);
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException notTime) {
      throw wrong(file, path(name), node.get(name), "a time such as 2026-11-21T07:51:46Z");
    }
  }

  <E extends Enum<E>> E constant(String name, Class<E> type) {
    String text = text(name);
    List<String> labels =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    if (!labels.contains(text)) {
      throw wrong(file, path(name), node.get(name), "one of " + String.join(", ", labels));
    }
    return type.getEnumConstants()[labels.indexOf(text)];
  }

  JsonFields object(String name) {
    return new JsonFields(file, path(name), node.get(name));
  }

  List<JsonFields> objects(String name) {
    JsonNode array = field(name, JsonNode::isArray, "a list");
    return StreamSupport.stream(array.spliterator(), false)
        .map(element -> new JsonFields(file, path(name), element))
        .toList();
  }

  /** Empty if there is no such field. */
  List<JsonFields> optionalObjects(String name) {
    return node.has(name) ? objects(name) : List.of();
  }

  List<String> texts(String name) {
    JsonNode array = field(name, JsonNode::isArray, "a list of texts");
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private JsonNode field(String name, Predicate<JsonNode> type, String expected) {
    JsonNode field = node.get(name);
    if (field == null || !type.test(field)) {
      throw wrong(file, path(name), field, expected);
    }
    return field;
  }

  private String path(String name) {
    return at.isEmpty() ? name : at + "." + name;
  }

  private static QuorateException wrong(Path file, String path, JsonNode found, String expected) {
    String what = found == null ? "nothing" : GoText.visible(found.toString());
    return new QuorateException(file + ": " + path + ": found " + what + ", expected " + expected);
  }
}
