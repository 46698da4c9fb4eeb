package io.quorate.scenario;

import io.quorate.store.Operation;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The capacity search of a scenario as a file gives it.
 *
 * @param at where it stands
 * @param limits of its own; none for those of the scenario
 */
record GivenCapacity(Node at, GivenLimits limits, Field<Effort> search) {
  /** Key of the section. */
  static final String KEY = "capacity";

  private static final String EXPECTED = "a map such as {limits: [p99 <= 20 ms, errors = 0]}";

  /** How long a search takes. */
  enum Effort {
    FULL,
    QUICK
  }

  private static final ValueKind<Effort> EFFORT =
      ValueKind.oneOf(List.of(Effort.values()), effort -> effort.name().toLowerCase(Locale.ROOT));

  /** Reads it; empty if there is none, or it is wrong, which is reported. */
  static Optional<GivenCapacity> read(Section top, ScenarioProblems problems) {
    Optional<Section> section =
        top.optional(KEY).flatMap(node -> Section.of(node, EXPECTED, problems));
    return section.map(
        given -> {
          GivenCapacity capacity =
              new GivenCapacity(
                  top.key(KEY),
                  GivenLimits.read(given, problems),
                  given.optional("search", EFFORT));
          given.close();
          return capacity;
        });
  }

  /** Reports a search that cannot be made of a scenario, or has no limits to search within. */
  void check(
      Optional<OperationMix> mix,
      boolean watched,
      GivenLimits ofScenario,
      Collection<GivenLoad> loads,
      ScenarioProblems problems) {
    mix.ifPresent(known -> limits.check(known, loads, problems));
    Scenario.obstacleToSearch(mix.filter(known -> known.has(Operation.DELETE)).isPresent(), watched)
        .ifPresent(
            found -> problems.add(at, "the key 'capacity' with " + found, "a scenario without it"));
    GivenLimits chosen = chosen(ofScenario);
    if (chosen.limits().isEmpty()) {
      problems.add(at, "a search without limits", EXPECTED);
    }
    chosen
        .limits()
        .forEach(
            (limit, node) ->
                RequestLimit.obstacle(limit)
                    .ifPresent(
                        expected -> problems.add(node, "the limit '" + limit + "'", expected)));
  }

  /** Returns the search, once it is checked. */
  CapacityGoal goal(GivenLimits ofScenario) {
    return new CapacityGoal(
        chosen(ofScenario).limits().keySet().stream()
            .flatMap(limit -> RequestLimit.of(limit).stream())
            .toList(),
        search.value().filter(Effort.QUICK::equals).isPresent());
  }

  private GivenLimits chosen(GivenLimits ofScenario) {
    return limits.limits().isEmpty() ? ofScenario : limits;
  }
}
