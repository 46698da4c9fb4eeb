package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A map of a scenario file, with the part of the schema that defines its keys. Its creation reports
 * keys that are unknown, repeated or missing. A section also stands for a map that is missing, so
 * that its fields have their defaults, or that is not a map, so that all of its fields are wrong.
 */
final class Section {
  private final Node node;
  private final ScenarioSchema schema;
  private final ScenarioProblems problems;
  private final boolean present;
  private final boolean wrong;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

  /** Creates the section of a map that exists. */
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

  /** Returns the section of a value; empty, and reported, if it is not a map. */
  Optional<Section> map(Node value, ScenarioSchema its, String expected) {
    if (value instanceof MappingNode map) {
      return Optional.of(new Section(map, its, problems));
    }
    problems.add(value, Messages.of(value), expected);
    return Optional.empty();
  }

  /** Returns the section of a key; reports a value that is not a map. */
  Section section(String key) {
    ScenarioSchema inner = schema.property(key);
    if (!has(key)) {
      return new Section(node, inner, problems, false, wrong || isRequired(key));
    }
    Node at = entries.get(key).getValueNode();
    return map(at, inner, inner.expected())
        .orElseGet(() -> new Section(at, inner, problems, true, true));
  }

  /** Returns the section of a key that is needed here; reports that it is missing. */
  Section requiredSection(String key) {
    require(key);
    return has(key) ? section(key) : new Section(node, schema.property(key), problems, false, true);
  }

  /** Reports a missing key. */
  void require(String key) {
    if (!has(key)) {
      report(node, "no key '" + key + "'", schema.property(key).expected());
    }
  }

  /** Returns how many problems the file has so far. */
  int problemCount() {
    return problems.count();
  }

  /** Reports a problem of an existing key. */
  void report(String key, String found, String expected) {
    report(key(key), found, expected);
  }

  /** Reports a problem of a part of the file. */
  void report(Node at, String found, String expected) {
    problems.add(at, found, expected);
  }

  private boolean isRequired(String key) {
    return schema.required().contains(key);
  }

  /** Returns where the map starts; that of the map around it, if it is missing. */
  Node node() {
    return node;
  }

  /** Returns whether this is not a map, or a missing one that is needed: it was reported. */
  boolean wrong() {
    return wrong;
  }

  /** Returns the schema of the value of a key. */
  ScenarioSchema schema(String key) {
    return schema.property(key);
  }

  boolean has(String key) {
    return entries.containsKey(key);
  }

  /** Returns the value of a key as it is; empty if the key is missing. */
  Optional<Node> node(String key) {
    return Optional.ofNullable(entries.get(key)).map(NodeTuple::getValueNode);
  }

  /** Returns the node of an existing key's name. */
  Node key(String key) {
    return entries.get(key).getKeyNode();
  }

  /** Returns the names of the keys, in their order. */
  List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  /** Reads a whole number. */
  Field<Long> number(String key) {
    return field(key, ValueType.wholeNumber(schema(key)));
  }

  /** Reads a whole number that fits an {@code int}. */
  Field<Integer> count(String key) {
    return field(key, ValueType.count(schema(key)));
  }

  /** Reads a duration, such as {@code 30s}. */
  Field<Duration> duration(String key) {
    return field(key, ValueType.duration(schema(key)));
  }

  /** Reads a number of requests per second, such as {@code 1000/s}. */
  Field<Long> rate(String key) {
    return field(key, ValueType.rate(schema(key)));
  }

  /** Reads {@code true} or {@code false}. */
  Field<Boolean> truth(String key) {
    return field(key, ValueType.truth());
  }

  /** Reads one of a few names. */
  <T> Field<T> oneOf(String key, T[] values, Function<T, String> name) {
    return field(key, ValueType.oneOf(schema(key), List.of(values), name));
  }

  /** Reads a text that a function understands, which returns empty for a wrong one. */
  <T> Field<T> text(String key, Function<String, Optional<T>> parser) {
    return field(key, ValueType.text(schema(key).expected(), parser));
  }

  /** Reads a value of a type. */
  <T> Field<T> field(String key, ValueType<T> type) {
    Optional<Node> at = node(key);
    Optional<T> value = at.flatMap(given -> read(given, type));
    boolean bad = at.isPresent() ? value.isEmpty() : wrong || present && isRequired(key);
    return new Field<>(value, at, bad, schema(key).standard().flatMap(type.parser()), problems);
  }

  /** Reads a value of a type; empty, and reported, if it is wrong. */
  <T> Optional<T> read(Node value, ValueType<T> type) {
    return type.read(value, problems);
  }

  /** Returns a value without a default, which is wrong if it has a place but could not be read. */
  <T> Field<T> field(Optional<T> value, Optional<Node> at) {
    return new Field<>(value, at, at.isPresent() && value.isEmpty(), Optional.empty(), problems);
  }

  /** Reads a list of values of a type; reports a wrong number of them. */
  <T> Field<List<T>> list(String key, ValueType<T> type) {
    Optional<Node> at = node(key);
    ScenarioSchema its = schema(key);
    return field(at.flatMap(given -> list(given, its, its.expected(), type)), at);
  }

  /**
   * Returns the items of a list; empty if there is none, or it is not a list, which is reported.
   */
  Optional<SequenceNode> items(String key) {
    Optional<Node> node = node(key);
    if (node.isPresent() && !(node.get() instanceof SequenceNode)) {
      report(node.get(), Messages.of(node.get()), schema(key).expected());
    }
    return node.filter(SequenceNode.class::isInstance).map(SequenceNode.class::cast);
  }

  /** Returns the values of a list; empty, and reported, if it is wrong. */
  <T> Optional<List<T>> list(Node value, ScenarioSchema its, String expected, ValueType<T> type) {
    if (!(value instanceof SequenceNode list)) {
      report(value, Messages.of(value), expected);
      return Optional.empty();
    }
    int length = list.getValue().size();
    if (!its.allowsItems(length)) {
      report(value, "a list of " + Messages.of(length), expected);
      return Optional.empty();
    }
    List<T> values = new ArrayList<>();
    list.getValue().forEach(item -> read(item, type).ifPresent(values::add));
    return values.size() < length ? Optional.empty() : Optional.of(List.copyOf(values));
  }
}
