// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Formats values of a scenario file and numbers for messages, and suggests corrections. */
final class Messages {
  private static final int MAX_LENGTH = 60;

  /** Matches numbers as users write them; some of these are not numbers in YAML. */
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9][0-9_,.]*");

  private Messages() {}

  /** Describes a value of a YAML file: {@code 5}, {@code 'five'}, {@code a list}, ... */
  static String of(Node node) {
    if (node instanceof MappingNode) {
      return "a map";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    ScalarNode scalar = (ScalarNode) node;
    if (scalar.getTag().equals(Tag.NULL)) {
      return "nothing";
    }
    String value = scalar.getValue();
    boolean other = isNumberOrBoolean(scalar);
    if (scalar.getScalarStyle() == ScalarStyle.PLAIN) {
      return other ? VisibleText.of(value, MAX_LENGTH) : VisibleText.quoted(value);
    }
    // in quotes it is always a text
    return (other ? "the text " : "") + VisibleText.quoted(value);
  }

  private static boolean isNumberOrBoolean(ScalarNode scalar) {
    Tag tag = YamlDocument.SCHEMA.getScalarResolver().resolve(scalar.getValue(), true);
    return NUMBER.matcher(scalar.getValue()).matches()
        || tag.equals(Tag.INT)
        || tag.equals(Tag.FLOAT)
        || tag.equals(Tag.BOOL);
  }

  /** Returns the number as it may be written in a scenario: {@code 1_000_000}. */
  static String of(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', '_');
  }

  /** Returns the text of a scalar; empty for a map or a list. */
  static String text(Node node) {
    return node instanceof ScalarNode scalar ? scalar.getValue() : "";
  }

  static boolean isText(Node node, String expected) {
    return node instanceof ScalarNode scalar && scalar.getValue().equals(expected);
  }

  /** Returns {@code one of a, b, c}, with a suggestion of the intended name. */
  static String oneOf(List<String> names, String found) {
    String all = names.stream().collect(Collectors.joining(", "));
    return (names.size() > 1 ? "one of " : "") + all + Spelling.hint(names, found);
  }

  /** Returns {@code a, b or c}. */
  static String either(List<String> names) {
    int last = names.size() - 1;
    return names.size() < 2
        ? String.join("", names)
        : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }
}
