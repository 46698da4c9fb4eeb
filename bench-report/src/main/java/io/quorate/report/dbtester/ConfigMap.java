package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.TextFile;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * A map of a configuration of the reference, which ignores unknown keys. So do we, but {@link
 * #close} warns of them. A key that is not there, or has no value, is empty.
 */
final class ConfigMap {
  private static final long MAX_BYTES = 1 << 20;

  private final Path file;
  private final Node node;
  private final List<String> warnings;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Node> keys = new LinkedHashMap<>();
  private final Set<String> known = new HashSet<>();

  private ConfigMap(Path file, Node node, List<String> warnings) {
    this.file = file;
    this.node = node;
    this.warnings = warnings;
    if (!(node instanceof MappingNode map)) {
      throw wrong(node, described(node), "a map");
    }
    for (NodeTuple entry : map.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw wrong(entry.getKeyNode(), "a key that is no name", "a name");
      }
      if (keys.put(key.getValue(), key) != null) {
        warn(key, "the key '" + key.getValue() + "' again, of which the last one counts");
      }
      values.put(key.getValue(), entry.getValueNode());
    }
  }

  /**
   * Reads a YAML file.
   *
   * @param warnings to which warnings are added
   */
  static ConfigMap read(Path file, List<String> warnings) {
    String text = TextFile.read(file, MAX_BYTES, "a configuration of dbtester");
    LoadSettings settings =
        LoadSettings.builder().setSchema(new CoreSchema()).setBufferSize(text.length() + 2).build();
    try {
      Node root =
          new Compose(settings)
              .composeString(text)
              .orElseThrow(
                  () ->
                      new QuorateException(
                          file + ":1: found an empty file, expected a configuration"));
      return new ConfigMap(file, root, warnings);
    } catch (MarkedYamlEngineException broken) {
      String at = at(file, broken.getProblemMark());
      throw new QuorateException(
          at + "found broken YAML: " + VisibleText.of(broken.getProblem()), broken);
    } catch (YamlEngineException | NumberFormatException broken) {
      throw new QuorateException(
          file + ": found broken YAML: " + VisibleText.of("" + broken.getMessage()), broken);
    }
  }

  /** Returns the names of the keys, in their order. */
  List<String> names() {
    return List.copyOf(keys.keySet());
  }

  Optional<String> text(String name) {
    return value(name).map(this::text);
  }

  String requiredText(String name) {
    return text(name).orElseThrow(() -> missing(name));
  }

  List<String> texts(String name) {
    return list(name).stream().map(this::text).toList();
  }

  /** Returns a whole number; 0 if the key does not exist. */
  long integer(String name) {
    return value(name).map(this::integer).orElse(0L);
  }

  List<Long> integers(String name) {
    return list(name).stream().map(this::integer).toList();
  }

  ConfigMap map(String name) {
    return value(name)
        .map(value -> new ConfigMap(file, value, warnings))
        .orElseThrow(() -> missing(name));
  }

  List<ConfigMap> maps(String name) {
    return list(name).stream().map(each -> new ConfigMap(file, each, warnings)).toList();
  }

  /** Checks that a list that was read is not empty. */
  void requireSome(String what, String name, List<?> values) {
    if (values.isEmpty()) {
      throw wrong(name, "no " + what + " in " + name, "one or more");
    }
  }

  /**
   * Warns of every key that was not asked for.
   *
   * @param ignored known keys that nothing is done with
   */
  void close(String... ignored) {
    known.addAll(List.of(ignored));
    keys.forEach(
        (name, key) -> {
          if (!known.contains(name)) {
            warn(key, "the key '" + name + "', which the reference does not know and passes over");
          }
        });
  }

  /** Returns the failure to be thrown when a value is invalid. */
  QuorateException wrong(String name, String found, String expected) {
    return wrong(keys.getOrDefault(name, node), found, expected);
  }

  private QuorateException missing(String name) {
    return wrong(node, "no value of '" + name + "'", "one");
  }

  private QuorateException wrong(Node at, String found, String expected) {
    return new QuorateException(
        at(at) + "found " + VisibleText.of(found) + ", expected " + expected);
  }

  private void warn(Node at, String found) {
    warnings.add(at(at) + "found " + VisibleText.of(found));
  }

  private String at(Node at) {
    return at(file, at.getStartMark());
  }

  private static String at(Path file, Optional<Mark> at) {
    return file + at.map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
  }

  private Optional<Node> value(String name) {
    known.add(name);
    return Optional.ofNullable(values.get(name)).filter(value -> !value.getTag().equals(Tag.NULL));
  }

  private List<Node> list(String name) {
    Optional<Node> value = value(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!(value.get() instanceof SequenceNode sequence)) {
      throw wrong(value.get(), described(value.get()), "a list");
    }
    return sequence.getValue();
  }

  private String text(Node value) {
    if (!(value instanceof ScalarNode scalar)) {
      throw wrong(value, described(value), "a text");
    }
    return scalar.getValue();
  }

  private long integer(Node value) {
    String digits = text(value).replace("_", "");
    if (!digits.matches("\\d{1,18}")) {
      throw wrong(value, described(value), "a whole number of 0 or more");
    }
    return Long.parseLong(digits);
  }

  private static String described(Node node) {
    if (node instanceof ScalarNode scalar) {
      return "'" + scalar.getValue() + "'";
    }
    return node instanceof MappingNode ? "a map" : "a list";
  }
}
