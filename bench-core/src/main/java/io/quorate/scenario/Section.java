package io.quorate.scenario;

import io.quorate.VisibleText;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * A map of a scenario file, read key by key. The keys that are asked for are the keys that are
 * known: {@link #close} reports all others.
 */
final class Section {
  private final MappingNode map;
  private final ScenarioProblems problems;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  Section(MappingNode map, ScenarioProblems problems) {
    this.map = map;
    this.problems = problems;
    map.getValue().forEach(this::enter);
  }

  private void enter(NodeTuple entry) {
    Node key = entry.getKeyNode();
    if (!(key instanceof ScalarNode scalar)) {
      problems.add(key, Messages.of(key) + " as a key", "a name as a key");
      return;
    }
    NodeTuple first = entries.putIfAbsent(scalar.getValue(), entry);
    if (first != null) {
      int line = first.getKeyNode().getStartMark().orElseThrow().getLine() + 1;
      String found = "the key " + VisibleText.quoted(scalar.getValue()) + " again";
      problems.add(key, found, "each key once (it is in line " + line + " already)");
    }
  }

  /** Returns the node where the map starts. */
  Node node() {
    return map;
  }

  /** Returns whether the key exists. */
  boolean has(String key) {
    return entries.containsKey(key);
  }

  /** Returns the node of a key, as it is. */
  Optional<Node> optional(String key) {
    known.add(key);
    return Optional.ofNullable(entries.get(key)).map(NodeTuple::getValueNode);
  }

  /** Returns the node as {@link #optional(String)} does; reports a missing key. */
  Optional<Node> required(String key, String expected) {
    Optional<Node> node = optional(key);
    if (node.isEmpty()) {
      problems.add(map, "no key '" + key + "'", expected);
    }
    return node;
  }

  <T> Field<T> optional(String key, ValueType<T> kind) {
    return optional(key)
        .map(node -> Field.of(node, kind.read(node, problems)))
        .orElseGet(Field::absent);
  }

  <T> Field<T> required(String key, ValueType<T> kind) {
    return required(key, kind.expected())
        .map(node -> Field.of(node, kind.read(node, problems)))
        .orElseGet(Field::missing);
  }

  /** Returns the map of a key; empty, and reported, if the key does not exist or is not a map. */
  Optional<Section> section(String key, String expected) {
    return required(key, expected).flatMap(node -> of(node, expected, problems));
  }

  static Optional<Section> of(Node node, String expected, ScenarioProblems problems) {
    if (node instanceof MappingNode map) {
      return Optional.of(new Section(map, problems));
    }
    problems.add(node, Messages.of(node), expected);
    return Optional.empty();
  }

  /** Returns the node of an existing key's name. */
  Node key(String key) {
    return entries.get(key).getKeyNode();
  }

  /** Returns the names of the keys, in their order. */
  List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  /** Reports every key that was not asked for. */
  void close() {
    entries.forEach(
        (key, entry) -> {
          if (!known.contains(key)) {
            String found = "unknown key " + VisibleText.quoted(key);
            problems.add(entry.getKeyNode(), found, Messages.oneOf(List.copyOf(known), key));
          }
        });
  }
}
