package io.quorate.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.QuorateException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The fields of an object of a JSON file, each with the type that is expected. A field that is not
 * as expected is a problem of the file, and gives a value that is only good for reading on.
 */
public final class JsonFields {
  private static final int LONGEST_TEXT = 100_000;
  private static final int MOST_ELEMENTS = 10_000;

  /** Last second since 1970 of which the nanoseconds fit a long. */
  private static final long LAST_SECOND = Long.MAX_VALUE / 1_000_000_000;

  private final JsonFile file;
  private final String pointer;
  private final String at;
  private final JsonNode node;

  /**
   * @param pointer of the node, as of RFC 6901
   * @param at names the node in messages; empty for the whole file
   */
  JsonFields(JsonFile file, String pointer, String at, JsonNode node) {
    this.file = file;
    this.pointer = pointer;
    this.at = at;
    this.node = node == null ? file.nothing() : node;
    if (!this.node.isObject()) {
      file.problem(pointer, at.isEmpty() ? "the file" : at, node, "an object");
    }
  }

  public String text(String name) {
    return text(name, LONGEST_TEXT);
  }

  public String text(String name, int longest) {
    return field(
            name,
            found -> found.isTextual() && found.textValue().length() <= longest,
            node.path(name).isTextual()
                ? "a text of at most " + NumberFormats.commas(longest) + " characters"
                : "a text")
        .map(JsonNode::textValue)
        .orElse("");
  }

  public Optional<String> optionalText(String name) {
    return node.has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  public long integer(String name) {
    return field(
            name,
            found -> found.canConvertToExactIntegral() && found.canConvertToLong(),
            node.path(name).canConvertToExactIntegral()
                ? "a whole number from -2^63 to 2^63 - 1"
                : "a whole number")
        .map(JsonNode::longValue)
        .orElse(0L);
  }

  /** Returns a whole number that is not negative and fits an int. */
  public int count(String name) {
    return (int) count(name, Integer.MAX_VALUE);
  }

  /** Returns a whole number that is not negative. */
  public long amount(String name) {
    return count(name, Long.MAX_VALUE);
  }

  private long count(String name, long most) {
    long count = integer(name);
    if (count < 0 || count > most) {
      problem(name, count < 0 ? "0 or more" : "at most " + NumberFormats.commas(most));
      return 0;
    }
    return count;
  }

  public OptionalLong optionalAmount(String name) {
    return node.has(name) ? OptionalLong.of(amount(name)) : OptionalLong.empty();
  }

  /**
   * Returns the format version of the file; fails if it is not known here.
   *
   * @throws QuorateException at once, since nothing else can be said of such a file
   */
  public int requireFormatVersion(int... known) {
    long found = integer("formatVersion");
    file.throwIfAny();
    if (Arrays.stream(known).noneMatch(each -> each == found)) {
      throw new QuorateException(
          file
              + ": found formatVersion "
              + found
              + ", expected "
              + Arrays.stream(known).mapToObj(Integer::toString).collect(Collectors.joining(" or "))
              + ": it was written by another version of Quorate; use that one to read it");
    }
    return (int) found;
  }

  /** Returns a whole number of at least 1 and at most this. */
  public long between1And(long most, String name) {
    long found = integer(name);
    boolean valid = found >= 1 && found <= most;
    if (!valid && has(name)) {
      problem(name, "1 to " + NumberFormats.commas(most));
    }
    return valid ? found : 1;
  }

  public double number(String name) {
    return field(
            name,
            found -> found.isNumber() && Double.isFinite(found.doubleValue()),
            node.path(name).isNumber() ? "a number of at most 1.79e308" : "a number")
        .map(JsonNode::doubleValue)
        .orElse(0.0);
  }

  public OptionalDouble optionalNumber(String name) {
    return node.has(name) ? OptionalDouble.of(number(name)) : OptionalDouble.empty();
  }

  public boolean flag(String name) {
    return field(name, JsonNode::isBoolean, "true or false")
        .map(JsonNode::booleanValue)
        .orElse(false);
  }

  /** Returns a time from 1970 to 2262, of which the nanoseconds fit a long. */
  public Instant instant(String name) {
    String expected = "a time such as 2026-11-21T07:51:46Z";
    Optional<JsonNode> text = field(name, JsonNode::isTextual, expected);
    try {
      Instant time = Instant.parse(text.map(JsonNode::textValue).orElse("1970-01-01T00:00:00Z"));
      if (time.getEpochSecond() >= 0 && time.getEpochSecond() < LAST_SECOND) {
        return time;
      }
      problem(name, "a time from 1970 to 2262");
    } catch (DateTimeParseException notTime) {
      problem(name, expected);
    }
    return Instant.EPOCH;
  }

  public <E extends Enum<E>> E constant(String name, Class<E> type) {
    List<String> labels =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    String expected = "one of " + String.join(", ", labels);
    int index =
        field(name, found -> labels.contains(found.textValue()), expected)
            .map(found -> labels.indexOf(found.textValue()))
            .orElse(0);
    return type.getEnumConstants()[index];
  }

  /** Returns the one of these that has the name in a field; the first one if none has. */
  public <T> T choice(String name, List<T> all, Function<T, String> names) {
    String expected = "one of " + all.stream().map(names).collect(Collectors.joining(", "));
    Optional<JsonNode> found =
        field(
            name,
            each -> all.stream().anyMatch(one -> names.apply(one).equals(each.textValue())),
            expected);
    return all.stream()
        .filter(one -> found.filter(each -> names.apply(one).equals(each.textValue())).isPresent())
        .findFirst()
        .orElse(all.get(0));
  }

  public JsonFields object(String name) {
    return new JsonFields(file, pointer(name), path(name), node.get(name));
  }

  public List<JsonFields> objects(String name) {
    List<JsonFields> objects = new ArrayList<>();
    for (JsonNode element : list(name, "a list")) {
      String each = pointer(name) + "/" + objects.size();
      objects.add(new JsonFields(file, each, path(name), element));
    }
    return objects;
  }

  /** Returns the objects of a list; empty if there is no such field. */
  public List<JsonFields> optionalObjects(String name) {
    return node.has(name) ? objects(name) : List.of();
  }

  /** Returns all fields of this object, which have to be texts, in their order. */
  public Map<String, String> allTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    node.fieldNames().forEachRemaining(name -> texts.put(name, text(name)));
    return texts;
  }

  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : list(name, "a list of texts")) {
      if (!element.isTextual() || element.textValue().length() > LONGEST_TEXT) {
        file.problem(pointer(name) + "/" + texts.size(), path(name), element, "a text");
      }
      texts.add(element.asText());
    }
    return texts;
  }

  private Iterable<JsonNode> list(String name, String expected) {
    Optional<JsonNode> array = field(name, JsonNode::isArray, expected);
    if (array.isPresent() && array.get().size() > MOST_ELEMENTS) {
      problem(name, "a list of at most " + NumberFormats.commas(MOST_ELEMENTS));
      return List.of();
    }
    return array.isPresent() ? array.get() : List.of();
  }

  private Optional<JsonNode> field(String name, Predicate<JsonNode> type, String expected) {
    JsonNode field = node.get(name);
    if (field == null || !type.test(field)) {
      problem(name, expected);
      return Optional.empty();
    }
    return Optional.of(field);
  }

  /** Reports an invalid field, unless it was reported already. */
  public void problem(String name, String expected) {
    String place = node.has(name) ? pointer(name) : pointer;
    if (!node.has(name) || !file.hasProblems(place)) {
      file.problem(place, path(name), node.get(name), expected);
    }
  }

  /** Reports an invalid object, unless a field of it was reported. */
  public void problem(String message) {
    if (!file.hasProblems(pointer)) {
      file.problem(pointer, (at.isEmpty() ? "" : at + ": ") + message);
    }
  }

  public boolean has(String name) {
    return node.has(name);
  }

  /**
   * Finishes reading the file.
   *
   * @throws QuorateException with every problem of it, if there is one
   */
  public void throwIfBroken() {
    file.throwIfAny();
  }

  /** Returns whether a problem of the file was reported so far. */
  public boolean isBroken() {
    return file.hasProblems();
  }

  private String pointer(String name) {
    return pointer + "/" + JsonFile.escaped(name);
  }

  private String path(String name) {
    return at.isEmpty() ? name : at + "." + name;
  }
}
