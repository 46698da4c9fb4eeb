package io.quorate.scenario.yaml;

import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ServiceLevel;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The capacity search of a scenario as a file gives it.
 *
 * @param at where it stands
 * @param limits of its own; none for those of the scenario
 * @param preloadBytes sizes with which the search is repeated, ascending
 */
record CapacitySpec(
    Node at,
    LimitsSpec limits,
    Field<Effort> search,
    Field<CapacityGoal.Load> load,
    List<Long> preloadBytes) {
  /** Key of the section. */
  static final String KEY = "capacity";

  /** The effort of a search: a quick one takes less time and is less exact. */
  enum Effort {
    FULL,
    QUICK
  }

  /** Reads it; empty if there is none, or it is wrong, which is reported. */
  static Optional<CapacitySpec> read(Section top, ScenarioProblems problems) {
    Optional<Section> section =
        top.node(KEY).flatMap(node -> Section.of(node, top.schema(KEY), problems));
    return section.map(
        given ->
            new CapacitySpec(
                top.key(KEY),
                LimitsSpec.read(given, problems),
                given.oneOf(
                    "search", Effort.values(), effort -> effort.name().toLowerCase(Locale.ROOT)),
                given.oneOf("load", CapacityGoal.Load.values(), CapacityGoal.Load::id),
                preloads(given, problems)));
  }

  private static List<Long> preloads(Section section, ScenarioProblems problems) {
    Optional<SequenceNode> items = section.items("preload");
    if (items.isEmpty()) {
      return List.of();
    }
    List<Long> sizes = new ArrayList<>();
    for (Node each : items.get().getValue()) {
      Optional<Long> bytes =
          each instanceof ScalarNode scalar
              ? CapacityGoal.PreloadSizes.bytes(scalar.getValue())
              : Optional.empty();
      bytes.ifPresentOrElse(
          sizes::add, () -> problems.add(each, Messages.of(each), CapacityGoal.PreloadSizes.SIZE));
    }
    if (sizes.isEmpty() || !CapacityGoal.PreloadSizes.isAscending(sizes)) {
      problems.add(
          items.get(), "sizes that are not ascending", CapacityGoal.PreloadSizes.ASCENDING);
    }
    return sizes;
  }

  /** Reports a search that cannot be made of a scenario, or has no limits to search within. */
  void check(
      Optional<OperationMix> mix,
      boolean watched,
      LimitsSpec ofScenario,
      Collection<LoadSpec> loads,
      ScenarioProblems problems) {
    mix.ifPresent(known -> limits.check(known, loads, problems));
    Scenario.obstacleToSearch(mix.filter(known -> known.has(Operation.DELETE)).isPresent(), watched)
        .ifPresent(
            found -> problems.add(at, "the key 'capacity' with " + found, "a scenario without it"));
    LimitsSpec chosen = chosen(ofScenario);
    if (chosen.limits().isEmpty()) {
      problems.add(at, "a search without limits", ScenarioSchema.SCENARIO.property(KEY).expected());
    }
    chosen
        .limits()
        .forEach(
            (limit, node) ->
                ServiceLevel.obstacle(limit)
                    .ifPresent(
                        expected -> problems.add(node, "the limit '" + limit + "'", expected)));
  }

  /** Returns the search, once it is checked. */
  CapacityGoal goal(LimitsSpec ofScenario) {
    return new CapacityGoal(
        chosen(ofScenario).limits().keySet().stream()
            .flatMap(limit -> ServiceLevel.of(limit).stream())
            .toList(),
        search.effective() == Effort.QUICK,
        load.effective(),
        preloadBytes);
  }

  private LimitsSpec chosen(LimitsSpec ofScenario) {
    return limits.limits().isEmpty() ? ofScenario : limits;
  }
}
