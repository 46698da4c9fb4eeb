// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Replaces the names that keys and values had in earlier versions by those that they have now, and
 * adds a hint for each. A file with both names of a key has a problem.
 */
record OlderNames(ScenarioProblems problems) {
  /** The names of keys, by the key of their map and their older name. */
  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry(".limits", "thresholds"),
          Map.entry("capacity.limits", "thresholds"),
          Map.entry(".gate", "fail-on"),
          Map.entry(".reads", "consistency"),
          Map.entry("load.limit", "max-rate"),
          Map.entry("load.outstanding", "max-in-flight"),
          Map.entry("keys.order", "distribution"),
          Map.entry("keys.hot-set", "hotspot"),
          Map.entry("axes.case", "variant"),
          Map.entry("axes.reads", "consistency"),
          Map.entry("axes.target", "routing"),
          Map.entry("axes.value-size", "values"));

  /** The renamed value of each place that has one. */
  private static final Map<String, RenamedValue> VALUES =
      Map.of(
          "thresholds", RenamedValue.of("shed", "dropped"),
          "capacity.thresholds", RenamedValue.of("shed", "dropped"),
          "load.arrivals", RenamedValue.of("uniform", "constant"),
          "keys.distribution", RenamedValue.of("hot-set", "hotspot"));

  /** Place of maps of names to keys of a scenario. */
  private static final String VARIANTS = "variants";

  private static final Set<String> AXES_OF_VARIANTS = Set.of("variant", "topology");
  private static final String AXES = "axes";
  private static final String LOAD = "load";
  private static final String TOP = "";

  /** A value with its older name, which may stand within a text. */
  private record RenamedValue(String older, String name, Pattern word) {
    static RenamedValue of(String older, String name) {
      return new RenamedValue(older, name, Pattern.compile("(?<![\\w-])" + older + "(?![\\w-])"));
    }
  }

  static Node renamed(Node root, ScenarioProblems problems) {
    return new OlderNames(problems).node(root, TOP);
  }

  private Node node(Node node, String place) {
    if (node instanceof MappingNode map) {
      List<NodeTuple> entries =
          map.getValue().stream()
              .filter(entry -> !isRepeated(entry.getKeyNode(), map, place))
              .map(entry -> entry(entry, place))
              .toList();
      return new MappingNode(
          map.getTag(), true, entries, map.getFlowStyle(), map.getStartMark(), map.getEndMark());
    }
    if (node instanceof SequenceNode list) {
      List<Node> items = list.getValue().stream().map(item -> node(item, place)).toList();
      return new SequenceNode(
          list.getTag(),
          true,
          new ArrayList<>(items),
          list.getFlowStyle(),
          list.getStartMark(),
          list.getEndMark());
    }
    return node instanceof ScalarNode scalar ? value(scalar, place) : node;
  }

  private NodeTuple entry(NodeTuple entry, String place) {
    Node key = entry.getKeyNode();
    String older = Messages.text(key);
    String name = KEYS.getOrDefault(place + "." + older, older);
    Node value = node(entry.getValueNode(), place(place, name));
    if (name.equals(older)) {
      return new NodeTuple(key, value);
    }
    hint(key, older, name);
    return new NodeTuple(DerivedNodes.scalar(name, key), value);
  }

  /** Returns, and reports, whether a map has a key by its older name and its name. */
  private boolean isRepeated(Node key, MappingNode map, String place) {
    String older = Messages.text(key);
    String name = KEYS.get(place + "." + older);
    if (name == null || !DerivedNodes.tuples(map).containsKey(name)) {
      return false;
    }
    problems.add(
        key,
        "the key '%s' together with '%s'".formatted(older, name),
        "only '%s': '%s' is its older name".formatted(name, older));
    return true;
  }

  private Node value(ScalarNode scalar, String place) {
    RenamedValue renamed = VALUES.get(place);
    if (renamed == null) {
      return scalar;
    }
    Matcher word = renamed.word().matcher(scalar.getValue());
    if (!word.find()) {
      return scalar;
    }
    hint(scalar, renamed.older(), renamed.name());
    return DerivedNodes.scalar(word.replaceAll(renamed.name()), scalar);
  }

  private void hint(Node at, String older, String name) {
    problems.hint(at, "'%s' is now called '%s'".formatted(older, name));
  }

  /** Returns the place of the value of a key: the keys that lead to it in a scenario of one run. */
  private static String place(String of, String key) {
    return switch (of) {
      case TOP -> key;
      case VARIANTS -> TOP;
      case "databases" -> LOAD;
      case "matrix" -> key.equals(AXES) ? AXES : of + "." + key;
      case AXES -> AXES_OF_VARIANTS.contains(key) ? VARIANTS : key.equals(LOAD) ? "databases" : key;
      default -> of + "." + key;
    };
  }
}
