// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Nodes of scenarios that are derived from a file. They have the positions of the nodes of the file
 * that they come from, so that problems name these.
 */
final class DerivedNodes {
  private static final Pattern AMOUNT = Pattern.compile("([0-9_]+)((?:/s)?)");

  private DerivedNodes() {}

  /** Returns the keys of a map, each once; none of another node. */
  static Map<String, NodeTuple> tuples(Node node) {
    Map<String, NodeTuple> tuples = new LinkedHashMap<>();
    if (node instanceof MappingNode map) {
      map.getValue().forEach(each -> tuples.putIfAbsent(Messages.text(each.getKeyNode()), each));
    }
    return tuples;
  }

  /** Returns a key and its value, at the position of the value. */
  static NodeTuple tuple(String key, Node value) {
    return new NodeTuple(scalar(key, value), value);
  }

  /** Returns a map with one key. */
  static Node map(String key, Node value) {
    return map(List.of(tuple(key, value)), value);
  }

  /** Returns a map at the position of another node. */
  static MappingNode map(List<NodeTuple> tuples, Node at) {
    return new MappingNode(
        Tag.MAP, true, tuples, FlowStyle.BLOCK, at.getStartMark(), at.getEndMark());
  }

  /** Returns a text at the position of another node. */
  static Node scalar(String text, Node at) {
    return scalar(Tag.STR, text, at);
  }

  private static Node scalar(Tag tag, String text, Node at) {
    return new ScalarNode(tag, true, text, ScalarStyle.PLAIN, at.getStartMark(), at.getEndMark());
  }

  /** Returns a node with other whole numbers and rates, each below one of some keys. */
  static Node multiplied(Node node, List<String> keys, BigDecimal factor) {
    return multiplied(node, keys, factor, false);
  }

  private static Node multiplied(Node node, List<String> keys, BigDecimal factor, boolean isBelow) {
    if (node instanceof MappingNode map) {
      return map(
          tuples(map).entrySet().stream()
              .map(
                  each ->
                      new NodeTuple(
                          each.getValue().getKeyNode(),
                          multiplied(
                              each.getValue().getValueNode(),
                              keys,
                              factor,
                              keys.contains(each.getKey()))))
              .toList(),
          map);
    } else if (node instanceof SequenceNode list) {
      List<Node> items =
          list.getValue().stream().map(each -> multiplied(each, keys, factor, isBelow)).toList();
      return new SequenceNode(
          Tag.SEQ, true, items, list.getFlowStyle(), list.getStartMark(), list.getEndMark());
    }
    Matcher amount = AMOUNT.matcher(Messages.text(node));
    if (!isBelow || !amount.matches()) {
      return node;
    }
    String unit = amount.group(2);
    BigDecimal product =
        factor
            .multiply(new BigDecimal(amount.group(1).replace("_", "")))
            .setScale(0, RoundingMode.HALF_EVEN);
    return scalar(unit.isEmpty() ? Tag.INT : Tag.STR, product.toPlainString() + unit, node);
  }

  /** Returns the text of a file with this scenario. */
  static String text(MappingNode scenario) {
    DumpSettings settings =
        DumpSettings.builder()
            .setSchema(YamlDocument.SCHEMA)
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(1_000)
            .build();
    return new Present(settings)
        .emitToString(new Serialize(settings).serializeOne(scenario).iterator());
  }
}
