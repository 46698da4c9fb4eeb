package io.quorate.scenario.yaml;

import io.quorate.scenario.OperationMix;
import io.quorate.scenario.SloLimit;
import io.quorate.store.Operation;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The limits of a scenario as a file gives them.
 *
 * @param limits with where they stand
 */
record LimitsSpec(Map<SloLimit, Node> limits) {

  private static final String LIMIT = "a limit such as p99 < 50 ms";

  /** Reads the limits; reports those that are wrong. */
  static LimitsSpec read(Section top, ScenarioProblems problems) {
    LimitsSpec given = new LimitsSpec(new LinkedHashMap<>());
    Optional<SequenceNode> items = top.items("limits");
    if (items.isEmpty()) {
      return given;
    }
    ScenarioSchema schema = top.schema("limits");
    List<Node> list = items.get().getValue();
    if (!schema.allowsItems(list.size())) {
      problems.add(items.get(), "a list of " + Messages.of(list.size()), schema.expected());
    }
    list.stream().limit(schema.maxItems()).forEach(each -> given.add(each, problems));
    return given;
  }

  private void add(Node node, ScenarioProblems problems) {
    Optional<String> text = text(node);
    if (text.isEmpty()) {
      problems.add(node, Messages.of(node), LIMIT);
      return;
    }
    SloLimit.parse(text.get(), (found, expected) -> problems.add(node, found, expected))
        .ifPresent(
            limit -> {
              if (limits.putIfAbsent(limit, node) != null) {
                problems.add(node, "the limit '" + limit + "' again", "each limit once");
              }
            });
  }

  /** Returns the text of a limit; to YAML, one with a colon and a blank is a map. */
  private static Optional<String> text(Node node) {
    if (node instanceof ScalarNode scalar) {
      return Optional.of(scalar.getValue());
    }
    if (node instanceof MappingNode map && map.getValue().size() == 1) {
      NodeTuple entry = map.getValue().get(0);
      if (entry.getKeyNode() instanceof ScalarNode key
          && entry.getValueNode() instanceof ScalarNode value) {
        return Optional.of(key.getValue() + ": " + value.getValue());
      }
    }
    return Optional.empty();
  }

  /** Reports limits of an operation or a step that the scenario does not have. */
  void check(OperationMix mix, Collection<LoadSpec> loads, ScenarioProblems problems) {
    List<String> operations = mix.operations().stream().map(Operation::id).toList();
    int steps = loads.stream().mapToInt(LoadSpec::stepCount).min().orElse(Integer.MAX_VALUE);
    limits.forEach(
        (limit, node) -> {
          limit
              .operation()
              .filter(operation -> !mix.has(operation))
              .ifPresent(
                  other ->
                      problems.add(
                          node,
                          "a limit of " + other + ", which the scenario does not have",
                          Messages.oneOf(operations, other.id())));
          if (limit.step().orElse(1) > steps) {
            problems.add(
                node,
                "a limit of step " + limit.step().getAsInt() + ", but the load has " + steps(steps),
                steps == 1 ? "step 1, or no step" : "a step from 1 to " + steps);
          }
        });
  }

  private static String steps(int count) {
    return count == 1 ? "1 step" : count + " steps";
  }
}
