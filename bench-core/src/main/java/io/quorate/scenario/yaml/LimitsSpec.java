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

/** The limits of a scenario, as written in a file. */
record LimitsSpec(Map<SloLimit, Node> limits, Section section) {
  private static final String LIMIT = "a limit such as p99 < 50 ms";

  static LimitsSpec read(Section top) {
    LimitsSpec given = new LimitsSpec(new LinkedHashMap<>(), top);
    Optional<SequenceNode> items = top.items("limits");
    if (items.isEmpty()) {
      return given;
    }
    ScenarioSchema schema = top.schema("limits");
    List<Node> list = items.get().getValue();
    if (!schema.allowsItems(list.size())) {
      top.report(items.get(), "a list of " + Messages.of(list.size()), schema.expected());
    }
    list.stream().limit(schema.maxItems()).forEach(given::add);
    return given;
  }

  private void add(Node node) {
    Optional<String> text = text(node);
    if (text.isEmpty()) {
      section.report(node, Messages.of(node), LIMIT);
      return;
    }
    SloLimit.parse(text.get(), (found, expected) -> section.report(node, found, expected))
        .filter(limit -> limits.putIfAbsent(limit, node) != null)
        .ifPresent(
            limit -> section.report(node, "the limit '" + limit + "' again", "each limit once"));
  }

  /** Returns the text of a limit; YAML parses a limit with a colon and a blank as a map. */
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

  void check(OperationMix mix, Collection<LoadSpec> loads) {
    List<String> operations = mix.operations().stream().map(Operation::id).toList();
    int steps = loads.stream().mapToInt(LoadSpec::stepCount).min().orElse(Integer.MAX_VALUE);
    for (Map.Entry<SloLimit, Node> given : limits.entrySet()) {
      SloLimit limit = given.getKey();
      Optional<Operation> operation = limit.operation().filter(each -> !mix.has(each));
      if (operation.isPresent()) {
        String found = "a limit of " + operation.get() + ", which the scenario does not have";
        section.report(given.getValue(), found, Messages.oneOf(operations, operation.get().id()));
      }
      if (limit.step().orElse(1) > steps) {
        String have = steps == 1 ? "1 step" : steps + " steps";
        section.report(
            given.getValue(),
            "a limit of step " + limit.step().getAsInt() + ", but the load has " + have,
            steps == 1 ? "step 1, or no step" : "a step from 1 to " + steps);
      }
    }
  }
}
