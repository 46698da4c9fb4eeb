package io.quorate.scenario;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Shows values of a scenario file, and numbers, in messages, and names what may have been meant.
 */
final class ShownText {
  private static final int LONGEST = 60;

  private ShownText() {}

  /** What a value of a YAML file is: {@code 5}, {@code 'five'}, {@code a list}, ... */
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
    boolean number = scalar.getTag().equals(Tag.INT) || scalar.getTag().equals(Tag.FLOAT);
    boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
    return plain && (number || scalar.getTag().equals(Tag.BOOL))
        ? VisibleText.of(scalar.getValue(), LONGEST)
        : VisibleText.quoted(scalar.getValue());
  }

  /** The number as one may write it in a scenario: {@code 1_000_000}. */
  static String of(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', '_');
  }

  /** {@code one of a, b, c}, and which of them may have been meant. */
  static String oneOf(List<String> names, String found) {
    String all = names.stream().collect(Collectors.joining(", "));
    return (names.size() > 1 ? "one of " : "") + all + Spelling.hint(names, found);
  }
}
