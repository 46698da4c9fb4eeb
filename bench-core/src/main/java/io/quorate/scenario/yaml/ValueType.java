// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.ByteSize;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The type of a key's value.
 *
 * @param expected the type in words, for messages
 * @param names all allowed values; empty if they cannot be listed
 * @param parser parser that returns empty for a value of another type
 */
record ValueType<T>(String expected, List<String> names, Function<ScalarNode, Optional<T>> parser) {
  private static final Pattern DURATION = Pattern.compile("(0|[1-9][0-9]{0,5})(ms|s|m|h)");
  private static final String PER_SECOND = "/s";
  private static final Pattern CONTROLS_BUT_LINES = Pattern.compile("[\\p{Cc}\\p{Cs}&&[^\n\t]]");

  private ValueType(String expected, Function<ScalarNode, Optional<T>> parser) {
    this(expected, List.of(), parser);
  }

  /** Returns whole numbers in decimal digits, which underscores may group in threes. */
  static ValueType<Long> wholeNumber(ScenarioSchema schema) {
    return new ValueType<>(schema.expected(), scalar -> number(scalar).filter(schema::allows));
  }

  static ValueType<Integer> count(ScenarioSchema schema) {
    ValueType<Long> type = wholeNumber(schema);
    return new ValueType<>(
        type.expected, scalar -> type.parser.apply(scalar).map(Math::toIntExact));
  }

  /** Returns sizes: whole numbers of bytes, or numbers with a unit of {@link ByteSize}. */
  static ValueType<Integer> size(ScenarioSchema schema) {
    return new ValueType<>(
        schema.expected(),
        scalar ->
            ByteSize.wholeNumber(scalar.getValue()).isPresent()
                ? count(schema).parser.apply(scalar)
                : ByteSize.parse(scalar.getValue()).filter(schema::allows).map(Math::toIntExact));
  }

  static <T> ValueType<T> oneOf(ScenarioSchema schema, List<T> values, Function<T, String> name) {
    return new ValueType<>(
        schema.expected(),
        schema.names(),
        scalar ->
            values.stream().filter(value -> name.apply(value).equals(scalar.getValue())).findAny());
  }

  static ValueType<String> line(ScenarioSchema schema) {
    return new ValueType<>(
        schema.expected(),
        scalar ->
            text(scalar)
                .filter(text -> text.codePoints().allMatch(VisibleText::isVisible))
                .filter(schema::allows)
                .filter(text -> !text.isBlank()));
  }

  static ValueType<String> text(ScenarioSchema schema) {
    return new ValueType<>(
        schema.expected(),
        scalar -> text(scalar).filter(text -> !CONTROLS_BUT_LINES.matcher(text).find()));
  }

  static <T> ValueType<T> text(String expected, Function<String, Optional<T>> parser) {
    return new ValueType<>(expected, scalar -> parser.apply(scalar.getValue()));
  }

  /** Returns whole numbers with the unit {@code ms}, {@code s}, {@code m} or {@code h}. */
  static ValueType<Duration> duration(ScenarioSchema schema) {
    return text(schema.expected(), text -> duration(text).filter(any -> schema.allows(text)));
  }

  static ValueType<Long> rate(ScenarioSchema schema) {
    return text(schema.expected(), text -> rate(text).filter(any -> schema.allows(text)));
  }

  ValueType<T> or(String name, T value, String eitherExpected) {
    return new ValueType<>(
        eitherExpected,
        List.of(name),
        scalar -> scalar.getValue().equals(name) ? Optional.of(value) : parser.apply(scalar));
  }

  static ValueType<Long> setting(Setting setting) {
    return new ValueType<>(
        setting.expected(),
        // a number in quotes is a text
        scalar ->
            scalar.getScalarStyle() == ScalarStyle.PLAIN
                    || ByteSize.wholeNumber(scalar.getValue()).isEmpty()
                ? setting.parse(scalar.getValue())
                : Optional.empty());
  }

  static ValueType<Boolean> truth() {
    return new ValueType<>(
        "true or false",
        scalar ->
            scalar.getTag().equals(Tag.BOOL)
                ? Optional.of(Boolean.parseBoolean(scalar.getValue()))
                : Optional.empty());
  }

  Optional<T> read(Node node, ScenarioProblems problems) {
    Optional<T> value = node instanceof ScalarNode scalar ? parser.apply(scalar) : Optional.empty();
    if (value.isEmpty()) {
      String hint =
          node instanceof ScalarNode scalar
              ? Spelling.hint(names, scalar.getValue()) + without(scalar.getValue())
              : "";
      problems.add(node, Messages.of(node), expected + hint);
    }
    return value;
  }

  /** Names an invisible character, since the value looks correct otherwise. */
  private static String without(String text) {
    return text.codePoints()
        .filter(
            each -> !VisibleText.isVisible(each) && Character.getType(each) != Character.CONTROL)
        .mapToObj(each -> String.format(Locale.ROOT, ", without the character U+%04X", each))
        .findFirst()
        .orElse("");
  }

  private static Optional<Long> number(ScalarNode scalar) {
    boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
    return plain ? ByteSize.wholeNumber(scalar.getValue()) : Optional.empty();
  }

  static Optional<Long> rate(String text) {
    return text.endsWith(PER_SECOND)
        ? ByteSize.wholeNumber(text.substring(0, text.length() - PER_SECOND.length()))
        : Optional.empty();
  }

  private static Optional<String> text(ScalarNode scalar) {
    return scalar.getTag().equals(Tag.STR) ? Optional.of(scalar.getValue()) : Optional.empty();
  }

  private static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          default -> Duration.ofHours(amount);
        });
  }
}
