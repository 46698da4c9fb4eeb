// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import io.quorate.network.Topology;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a file with the zones of a cluster: the key {@code topology} of a scenario, alone. */
public final class TopologyFile {
  private static final ScenarioSchema SCHEMA = ScenarioSchema.SCENARIO.only(TopologyParser.KEY);

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @throws InvalidScenarioException with all problems of its content
   * @throws QuorateException if it cannot be read
   */
  public static Topology read(Path file) {
    String text = ScenarioReader.text(new ScenarioFile(file, file.toString()));
    ScenarioProblems problems = new ScenarioProblems(file.toString());
    Optional<Topology> topology =
        YamlDocument.root(text, problems).flatMap(root -> topology(root, problems));
    problems.throwIfAny();
    return topology.orElseThrow();
  }

  private static Optional<Topology> topology(Node root, ScenarioProblems problems) {
    if (root instanceof MappingNode map) {
      return TopologyParser.read(new Section(map, SCHEMA, problems)).value();
    }
    problems.add(root, Messages.of(root), "a map with the key 'topology'");
    return Optional.empty();
  }
}
