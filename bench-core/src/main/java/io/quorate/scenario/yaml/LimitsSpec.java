// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.GateRule;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.SloLimit;
import io.quorate.store.Operation;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The limits of a scenario, or the rules of its gate, as written in a file.
 *
 * @param word word for one of them
 * @param limits values in their order, each with its place in the file
 */
record LimitsSpec<T>(String word, Map<T, Node> limits, Section section) {
  static LimitsSpec<SloLimit> read(Section top) {
    return read(top, "thresholds", "threshold", "a threshold such as p99 < 50 ms", SloLimit::parse);
  }

  static LimitsSpec<GateRule> readGate(Section top) {
    return read(top, "fail-on", "rule", "a rule such as p99 <= +10%", GateRule::parse);
  }

  /** Parses one text; the consumer receives what was found and what was expected. */
  private interface Parser<T> {
    Optional<T> parse(String text, BiConsumer<String, String> problem);
  }

  private static <T> LimitsSpec<T> read(
      Section top, String key, String word, String expected, Parser<T> parser) {
    LimitsSpec<T> given = new LimitsSpec<>(word, new LinkedHashMap<>(), top);
    Optional<SequenceNode> items = top.items(key);
    if (items.isEmpty()) {
      return given;
    }
    items.get().getValue().forEach(node -> given.add(node, expected, parser));
    return given;
  }

  private void add(Node node, String expected, Parser<T> parser) {
    Optional<String> text = text(node);
    if (text.isEmpty()) {
      section.report(node, Messages.of(node), expected);
      return;
    }
    parser
        .parse(text.get(), (found, right) -> section.report(node, found, right))
        .filter(limit -> limits.putIfAbsent(limit, node) != null)
        .ifPresent(
            limit ->
                section.report(
                    node, "the %s '%s' again".formatted(word, limit), "each " + word + " once"));
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

  /** Reports limits of operations or steps that the scenario does not have. */
  void check(
      OperationMix mix,
      Collection<LoadSpec> loads,
      Function<T, Optional<Operation>> operations,
      Function<T, OptionalInt> step) {
    List<String> ids = mix.operations().stream().map(Operation::id).toList();
    int steps = loads.stream().mapToInt(LoadSpec::stepCount).min().orElse(Integer.MAX_VALUE);
    for (Map.Entry<T, Node> given : limits.entrySet()) {
      T limit = given.getKey();
      Optional<Operation> operation = operations.apply(limit).filter(each -> !mix.has(each));
      if (operation.isPresent()) {
        String found =
            "a " + word + " of " + operation.get() + ", which the scenario does not have";
        section.report(given.getValue(), found, Messages.oneOf(ids, operation.get().id()));
      }
      if (step.apply(limit).orElse(1) > steps) {
        String have = steps == 1 ? "1 step" : steps + " steps";
        section.report(
            given.getValue(),
            "a " + word + " of step " + step.apply(limit).getAsInt() + ", but the load has " + have,
            steps == 1 ? "step 1, or no step" : "a step from 1 to " + steps);
      }
    }
  }
}
