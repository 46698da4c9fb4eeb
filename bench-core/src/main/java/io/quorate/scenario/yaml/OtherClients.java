// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/**
 * The option {@code --clients} with the file of a scenario: all of its databases have these numbers
 * of clients instead of those of the file, with a connection for each client.
 *
 * @param numbers a number, or several separated by commas, of which each is a step
 */
record OtherClients(String numbers) {
  private static final String OPTION = "--" + ScenarioOptions.CLIENTS;
  private static final String CONNECTIONS = "connections";

  /** Returns the text of a valid file with these clients. */
  String text(String fileName, MappingNode root) {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(root);
    keys.computeIfPresent("title", (key, title) -> DerivedNodes.tuple(key, title(title)));
    keys.computeIfPresent(
        "load", (key, load) -> DerivedNodes.tuple(key, load(load.getValueNode())));
    keys.computeIfPresent(
        "databases", (key, all) -> DerivedNodes.tuple(key, databases(all.getValueNode())));
    String text = DerivedNodes.text(DerivedNodes.map(List.copyOf(keys.values()), root));
    try {
      ScenarioReader.read(fileName, text, 1);
    } catch (InvalidScenarioException wrong) {
      throw new QuorateException(
          wrong.problems().stream()
              .map(each -> problem(each.found(), each.expected()).getMessage())
              .distinct()
              .collect(Collectors.joining("\n")),
          wrong);
    }
    return text;
  }

  static QuorateException problem(String found, String expected) {
    return new QuorateException("%s: found %s, expected %s".formatted(OPTION, found, expected));
  }

  private Node title(NodeTuple title) {
    String line = Messages.text(title.getValueNode());
    String more = " (%s %s)".formatted(OPTION, numbers);
    boolean fits = !line.endsWith(more) && line.length() + more.length() <= MatrixParser.MAX_TITLE;
    return DerivedNodes.scalar(fits ? line + more : line, title.getValueNode());
  }

  private Node databases(Node node) {
    if (!(node instanceof MappingNode)) {
      return node;
    }
    Map<String, NodeTuple> databases = DerivedNodes.tuples(node);
    databases.replaceAll(
        (id, own) ->
            DatabasesParser.SERVERS.containsAll(DerivedNodes.tuples(own.getValueNode()).keySet())
                ? own
                : DerivedNodes.tuple(id, load(own.getValueNode())));
    return DerivedNodes.map(List.copyOf(databases.values()), node);
  }

  /** Replaces the numbers of clients and connections; a limit, for example, stays. */
  private Node load(Node node) {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(node);
    if (keys.containsKey("rate") || keys.containsKey("rates")) {
      throw problem("a load of a rate", "a scenario with clients: leave the option out");
    }
    keys.keySet().removeAll(List.of("clients", "steps"));
    if (keys.containsKey(CONNECTIONS)
        && !Messages.isText(keys.get(CONNECTIONS).getValueNode(), "per-request")) {
      keys.remove(CONNECTIONS);
    }
    String line = ScenarioOptions.steps("steps", ScenarioOptions.CLIENTS, numbers);
    Node own = YamlDocument.root(line, new ScenarioProblems(OPTION)).orElseThrow();
    List<NodeTuple> all = new ArrayList<>(DerivedNodes.tuples(own).values());
    all.addAll(keys.values());
    return DerivedNodes.map(all, node);
  }
}
