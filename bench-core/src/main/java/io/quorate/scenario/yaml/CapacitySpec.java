// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The capacity search of a scenario, as written in a file.
 *
 * @param limits limits of the search; empty for the limits of the scenario
 * @param preloadBytes sizes with which the search is repeated, ascending
 * @param unit what sends the requests; empty for none
 */
record CapacitySpec(
    Section top,
    LimitsSpec<SloLimit> limits,
    Field<CapacityGoal.Search> search,
    Field<CapacityGoal.Load> load,
    List<Long> preloadBytes,
    Optional<CapacityGoal.Unit> unit) {
  static final String KEY = "capacity";

  static Optional<CapacitySpec> read(Section top) {
    ScenarioSchema schema = top.schema(KEY);
    return top.node(KEY)
        .flatMap(node -> top.map(node, schema, schema.expected()))
        .map(
            given ->
                new CapacitySpec(
                    top,
                    LimitsSpec.read(given),
                    given.oneOf("search", CapacityGoal.Search.values(), CapacityGoal.Search::id),
                    given.oneOf("load", CapacityGoal.Load.values(), CapacityGoal.Load::id),
                    preloads(given),
                    unit(given)));
  }

  private static Optional<CapacityGoal.Unit> unit(Section section) {
    if (!section.has("unit")) {
      return Optional.empty();
    }
    Section unit = section.section("unit");
    Field<String> name = unit.field("name", ValueType.line(unit.schema("name")));
    Field<Duration> every = unit.duration("every");
    return name.value()
        .flatMap(known -> every.value().map(time -> new CapacityGoal.Unit(known, time)));
  }

  private static List<Long> preloads(Section section) {
    Optional<SequenceNode> items = section.items("preload");
    if (items.isEmpty()) {
      return List.of();
    }
    ValueType<Long> size =
        ValueType.text(CapacityGoal.PreloadSizes.SIZE, CapacityGoal.PreloadSizes::bytes);
    List<Long> sizes =
        items.get().getValue().stream().flatMap(at -> section.read(at, size).stream()).toList();
    if (sizes.isEmpty() || !CapacityGoal.PreloadSizes.isAscending(sizes)) {
      section.report(
          items.get(), "sizes that are not ascending", CapacityGoal.PreloadSizes.ASCENDING);
    }
    return sizes;
  }

  /** Reports a search that does not suit the scenario, or has no limits. */
  void check(
      Optional<OperationMix> mix,
      boolean watched,
      boolean grows,
      LimitsSpec<SloLimit> ofScenario,
      Collection<LoadSpec> loads) {
    mix.ifPresent(known -> limits.check(known, loads, SloLimit::operation, SloLimit::step));
    Scenario.obstacleToSearch(mix.filter(OperationMix::removesEachKey).isPresent(), watched, grows)
        .ifPresent(
            found -> top.report(KEY, "the key 'capacity' with " + found, "a scenario without it"));
    loads.forEach(load -> load.refuseRamp("a capacity search"));
    Map<SloLimit, Node> chosen = chosen(ofScenario);
    if (chosen.isEmpty()) {
      top.report(KEY, "a search without thresholds", top.schema(KEY).expected());
    }
    chosen.forEach(
        (limit, node) ->
            ServiceLevel.obstacle(limit)
                .ifPresent(
                    expected -> top.report(node, "the threshold '" + limit + "'", expected)));
  }

  CapacityGoal goal(LimitsSpec<SloLimit> ofScenario) {
    return new CapacityGoal(
        chosen(ofScenario).keySet().stream()
            .flatMap(limit -> ServiceLevel.of(limit).stream())
            .toList(),
        search.effective(),
        load.effective(),
        preloadBytes,
        unit,
        Optional.empty());
  }

  private Map<SloLimit, Node> chosen(LimitsSpec<SloLimit> ofScenario) {
    return limits.limits().isEmpty() ? ofScenario.limits() : limits.limits();
  }
}
