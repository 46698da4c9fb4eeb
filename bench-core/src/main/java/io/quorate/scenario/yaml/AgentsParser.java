package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import io.quorate.store.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the agents that run the members. */
final class AgentsParser {
  private static final String EXPECTED = ScenarioSchema.SCENARIO.property("agents").expected();
  private static final String USER = "an agent with a user name";
  private static final Set<Integer> SIZES = Set.of(1, 3, 5);

  private AgentsParser() {}

  /** Reads the agents in the order of the members; absent if the key does not exist. */
  static Field<List<Endpoint>> read(
      Section top, Field<Integer> members, ScenarioProblems problems) {
    Optional<Node> node = top.node("agents");
    if (node.isEmpty()) {
      return Field.of(Optional.empty(), node);
    }
    if (!(node.get() instanceof SequenceNode list)) {
      problems.add(node.get(), shown(node.get()), EXPECTED);
      return Field.of(Optional.empty(), node);
    }
    List<Endpoint> agents = new ArrayList<>();
    boolean secret = list.getValue().stream().anyMatch(AgentsParser::hasUser);
    for (Node item : list.getValue()) {
      Optional<Endpoint> agent = agent(item);
      if (agent.isEmpty()) {
        problems.add(item, secret ? USER : Messages.of(item), "HOST:PORT, such as 10.0.0.1:7300");
      } else if (agents.contains(agent.get())) {
        problems.add(item, "the agent " + agent.get() + " again", "each agent once");
      }
      agent.ifPresent(agents::add);
    }
    int count = list.getValue().size();
    if (!SIZES.contains(count)) {
      problems.add(list, count + (count == 1 ? " agent" : " agents"), EXPECTED);
    } else if (members.value().filter(asked -> asked != count).isPresent()) {
      String found = "%s members with %s agents".formatted(members.get(), count);
      problems.add(
          members.node().orElseThrow(), found, "as many agents as members, or no 'members'");
    }
    return Field.of(Optional.of(agents), node);
  }

  private static Optional<Endpoint> agent(Node node) {
    if (!(node instanceof ScalarNode scalar)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Endpoint.parse(scalar.getValue()));
    } catch (QuorateException wrong) {
      return Optional.empty();
    }
  }

  private static String shown(Node node) {
    return hasUser(node) ? USER : Messages.of(node);
  }

  /** Returns whether the value has a user name, so that it may hold a password and is not shown. */
  private static boolean hasUser(Node node) {
    return node instanceof ScalarNode scalar && Endpoint.hasUser(scalar.getValue());
  }
}
