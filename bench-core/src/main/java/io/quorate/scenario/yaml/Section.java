// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A map of a scenario file, with the part of the schema that defines its keys. Its creation reports
 * keys that are unknown, repeated or missing. A section can also represent a missing map, whose
 * fields have their defaults, or a value that is not a map, whose fields are all wrong. Methods of
 * this package that read or check report problems, and return empty for wrong values.
 */
final class Section {
  private final Node node;
  private final ScenarioSchema schema;
  private final ScenarioProblems problems;
  private final boolean present;
  private final boolean wrong;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

  Section(MappingNode map, ScenarioSchema schema, ScenarioProblems problems) {
    this(map, schema, problems, true, false);
    map.getValue().forEach(this::enter);
    schema.required().forEach(this::require);
    List<String> known = schema.keys();
    entries.forEach(
        (key, entry) -> {
          if (!known.isEmpty() && !known.contains(key)) {
            String found = "unknown key " + VisibleText.quoted(key);
            problems.add(entry.getKeyNode(), found, Messages.oneOf(known, key));
          }
        });
  }

  private Section(
      Node node, ScenarioSchema schema, ScenarioProblems problems, boolean present, boolean wrong) {
    this.node = node;
    this.schema = schema;
    this.problems = problems;
    this.present = present;
    this.wrong = wrong;
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

  Optional<Section> map(Node value, ScenarioSchema its, String expected) {
    if (value instanceof MappingNode map) {
      return Optional.of(new Section(map, its, problems));
    }
    problems.add(value, Messages.of(value), expected);
    return Optional.empty();
  }

  Section section(String key) {
    ScenarioSchema inner = schema.property(key);
    if (!has(key)) {
      return new Section(node, inner, problems, false, wrong || isRequired(key));
    }
    Node at = entry(key).getValueNode();
    return map(at, inner, inner.expected())
        .orElseGet(() -> new Section(at, inner, problems, true, true));
  }

  Section requiredSection(String key) {
    require(key);
    return has(key) ? section(key) : new Section(node, schema.property(key), problems, false, true);
  }

  void require(String key) {
    if (!has(key)) {
      report(node, "no key '" + key + "'", schema.property(key).expected());
    }
  }

  int problemCount() {
    return problems.count();
  }

  void report(String key, String found, String expected) {
    report(key(key), found, expected);
  }

  void report(Node at, String found, String expected) {
    problems.add(at, found, expected);
  }

  /** Reports each of some keys that the map has, and what it stands with or without. */
  void refuse(List<String> keys, String with, String expected) {
    keys.stream()
        .filter(this::has)
        .forEach(key -> report(key, "the key '" + key + "' " + with, expected));
  }

  private boolean isRequired(String key) {
    return schema.required().contains(key);
  }

  /** Returns the node of the map; if it is missing, the node of the enclosing map. */
  Node node() {
    return node;
  }

  /** Returns whether this is not a map, or a required map is missing; both were reported. */
  boolean wrong() {
    return wrong;
  }

  ScenarioSchema schema(String key) {
    return schema.property(key);
  }

  boolean has(String key) {
    return entries.containsKey(key);
  }

  Optional<Node> node(String key) {
    return Optional.ofNullable(entries.get(key)).map(NodeTuple::getValueNode);
  }

  Node key(String key) {
    return entry(key).getKeyNode();
  }

  private NodeTuple entry(String key) {
    return Objects.requireNonNull(entries.get(key));
  }

  List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  Field<Long> number(String key) {
    return field(key, ValueType.wholeNumber(schema(key)));
  }

  Field<Integer> count(String key) {
    return field(key, ValueType.count(schema(key)));
  }

  Field<Integer> size(String key) {
    return field(key, ValueType.size(schema(key)));
  }

  Field<Duration> duration(String key) {
    return field(key, ValueType.duration(schema(key)));
  }

  Field<Long> rate(String key) {
    return field(key, ValueType.rate(schema(key)));
  }

  Field<Boolean> truth(String key) {
    return field(key, ValueType.truth());
  }

  <T> Field<T> oneOf(String key, T[] values, Function<T, String> name) {
    return field(key, ValueType.oneOf(schema(key), List.of(values), name));
  }

  /** Reads a text with a parser that returns empty for a wrong text. */
  <T> Field<T> text(String key, Function<String, Optional<T>> parser) {
    return field(key, ValueType.text(schema(key).expected(), parser));
  }

  <T> Field<T> field(String key, ValueType<T> type) {
    Optional<Node> at = node(key);
    Optional<T> value = at.flatMap(given -> read(given, type));
    boolean bad = at.isPresent() ? value.isEmpty() : wrong || present && isRequired(key);
    return new Field<>(value, at, bad, schema(key).standard().flatMap(type.parser()), problems);
  }

  <T> Optional<T> read(Node value, ValueType<T> type) {
    return type.read(value, problems);
  }

  /** Returns a value without a default; it is wrong if it has a node but could not be read. */
  <T> Field<T> field(Optional<T> value, Optional<Node> at) {
    return new Field<>(value, at, at.isPresent() && value.isEmpty(), Optional.empty(), problems);
  }

  <T> Field<List<T>> list(String key, ValueType<T> type) {
    Optional<Node> at = node(key);
    ScenarioSchema its = schema(key);
    return field(at.flatMap(given -> list(given, its, its.expected(), type)), at);
  }

  Optional<SequenceNode> items(String key) {
    Optional<Node> node = node(key);
    if (node.isPresent() && !(node.get() instanceof SequenceNode)) {
      report(node.get(), Messages.of(node.get()), schema(key).expected());
    }
    return node.filter(SequenceNode.class::isInstance)
        .map(SequenceNode.class::cast)
        .filter(list -> requireLength(list, schema(key), schema(key).expected()));
  }

  private boolean requireLength(SequenceNode list, ScenarioSchema its, String expected) {
    int length = list.getValue().size();
    boolean allowed = its.allowsItems(length);
    if (!allowed) {
      report(list, "a list of " + Messages.of(length), expected);
    }
    return allowed;
  }

  <T> Optional<List<T>> list(Node value, ScenarioSchema its, String expected, ValueType<T> type) {
    if (!(value instanceof SequenceNode list)) {
      report(value, Messages.of(value), expected);
      return Optional.empty();
    }
    if (!requireLength(list, its, expected)) {
      return Optional.empty();
    }
    List<T> values = new ArrayList<>();
    list.getValue().forEach(item -> read(item, type).ifPresent(values::add));
    return values.size() < list.getValue().size()
        ? Optional.empty()
        : Optional.of(List.copyOf(values));
  }
}
