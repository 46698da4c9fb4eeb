// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Nodes of scenarios that are derived from a file. They have the positions of the nodes of the file
 * that they come from, so that problems name these.
 */
final class DerivedNodes {
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
    return new ScalarNode(
        Tag.STR, true, text, ScalarStyle.PLAIN, at.getStartMark(), at.getEndMark());
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
