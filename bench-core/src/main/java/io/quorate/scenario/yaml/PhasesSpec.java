// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Loads with separate operations on the same data, as written in a file: phases one after the
 * other, or groups of clients side by side.
 *
 * @param phases phases, at least one
 * @param node node of all of them
 */
record PhasesSpec(List<Phase> phases, Section top, Node node) {
  static final String PHASES = "phases";
  static final String GROUPS = "groups";

  /** Keys of a scenario that each phase or group has instead. */
  private static final List<String> OF_EACH = List.of("operation", "mix", "load");

  /** Keys of a scenario that do not suit loads with separate operations. */
  private static final List<String> UNSUITABLE = List.of("faults", "capacity", "matrix");

  /**
   * A phase.
   *
   * @param parts its load, or those of its groups
   * @param length its length; empty for the length of the scenario
   */
  record Phase(List<Part> parts, Optional<RunLength> length) {
    private boolean isOfGroups() {
      return parts.size() > 1;
    }

    private RunLength length(RunLength whole) {
      return length.map(own -> own.scaled(whole.scale(), loads())).orElse(whole);
    }

    private List<LoadSpec> loads() {
      return parts.stream().map(Part::load).toList();
    }

    private List<Step> steps(RunLength whole) {
      List<Step> all =
          parts.stream()
              .flatMap(
                  part ->
                      part.load().steps(length(whole)).stream()
                          .map(step -> step.with(part.operations().shares())))
              .toList();
      return isOfGroups() ? List.of(Step.of(all)) : all;
    }
  }

  /** A load and its operations. */
  record Part(MixSpec.Operations operations, LoadSpec load) {}

  /** Reads phases or groups; empty if there are none, or some are wrong. */
  static Optional<PhasesSpec> read(Section top) {
    String key = top.has(PHASES) ? PHASES : GROUPS;
    if (!top.has(key)) {
      return Optional.empty();
    }
    if (top.has(PHASES) && top.has(GROUPS)) {
      top.report(GROUPS, "the key 'groups' together with 'phases'", "groups within a phase");
    }
    String with = "together with '" + key + "'";
    top.refuse(OF_EACH, with, "it in each of them");
    top.refuse(UNSUITABLE, with, "one of them");
    int before = top.problemCount();
    List<Phase> phases = new ArrayList<>();
    if (key.equals(GROUPS)) {
      phases.add(new Phase(groups(top), Optional.empty()));
      requireDuration(top);
    } else {
      sections(top, PHASES).forEach(each -> phase(each).ifPresent(phases::add));
    }
    return top.problemCount() > before
        ? Optional.empty()
        : Optional.of(new PhasesSpec(phases, top, top.key(key)));
  }

  private static Optional<Phase> phase(Section section) {
    Optional<RunLength> length = RunLength.read(section);
    if (!section.has(GROUPS)) {
      section.require("load");
      return part(section).map(part -> new Phase(List.of(part), length));
    }
    requireDuration(section);
    section.refuse(OF_EACH, "together with 'groups'", "it in each group");
    return Optional.of(new Phase(groups(section), length));
  }

  private static void requireDuration(Section section) {
    if (!section.has("duration")) {
      section.report(GROUPS, "groups without a duration", "duration, as they end together");
    }
  }

  private static List<Part> groups(Section section) {
    List<Part> parts = new ArrayList<>();
    for (Section each : sections(section, GROUPS)) {
      part(each).ifPresent(parts::add);
    }
    for (Part part : parts) {
      if (part.load().stepCount() > 1) {
        section.report(GROUPS, "a group with several steps", "one step in each group");
      }
      if (part.load().isOneShot()) {
        section.report(GROUPS, "a group with connections: per-request", "connections that stay");
      }
    }
    long operations =
        parts.stream().flatMap(part -> part.operations().nodes().keySet().stream()).count();
    long different =
        parts.stream()
            .flatMap(part -> part.operations().nodes().keySet().stream())
            .distinct()
            .count();
    if (different < operations) {
      section.report(
          GROUPS,
          "an operation in several groups",
          "each operation in one group, so that its latency is that of this group");
    }
    return parts;
  }

  private static List<Section> sections(Section section, String key) {
    ScenarioSchema items = section.schema(key).items();
    return section.items(key).map(SequenceNode::getValue).orElse(List.of()).stream()
        .flatMap(item -> section.map(item, items, items.expected()).stream())
        .toList();
  }

  private static Optional<Part> part(Section section) {
    Optional<MixSpec.Operations> operations = MixSpec.Operations.read(section);
    Optional<LoadSpec> load =
        section.has("load") ? LoadSpec.read(section.section("load")) : Optional.empty();
    return operations.flatMap(known -> load.map(given -> new Part(known, given)));
  }

  /** Returns the operations of all loads together. */
  MixSpec.Operations operations() {
    return MixSpec.Operations.together(
        parts().map(Part::operations).toList(), top.has(PHASES) ? "phases" : "groups");
  }

  /** Returns the load of a database, which has all of them. */
  LoadSpec load() {
    return new LoadSpec(
        false,
        List.of(1L),
        Collections.emptyList(),
        List.of(1),
        any -> new LoadModel.Closed(1, OptionalLong.empty()),
        top,
        node,
        Optional.empty(),
        Optional.of(this));
  }

  void check(RunLength whole) {
    phases.forEach(phase -> phase.loads().forEach(load -> load.check(phase.length.orElse(whole))));
  }

  boolean isOneShot() {
    return parts().anyMatch(part -> part.load().isOneShot());
  }

  boolean endsByTime(RunLength whole) {
    return phases.stream()
        .anyMatch(
            phase ->
                phase.loads().stream()
                    .anyMatch(load -> load.endsByTime(phase.length.orElse(whole))));
  }

  List<Step> steps(RunLength whole) {
    return phases.stream().flatMap(phase -> phase.steps(whole).stream()).toList();
  }

  int stepCount() {
    return phases.stream()
        .mapToInt(
            phase ->
                phase.isOfGroups() ? 1 : phase.loads().stream().mapToInt(LoadSpec::stepCount).sum())
        .sum();
  }

  private Stream<Part> parts() {
    return phases.stream().flatMap(phase -> phase.parts().stream());
  }
}
