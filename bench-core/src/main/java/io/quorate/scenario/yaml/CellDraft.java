// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.FaultPlan;
import io.quorate.store.Maintenance;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The keys of a cell, as nodes of the file, so that a problem of a cell has a position in the file.
 *
 * @param ofDatabase the keys of its database
 * @param database name of its database; empty if it cannot be determined
 */
record CellDraft(
    MappingNode root,
    Map<String, NodeTuple> keys,
    Map<String, NodeTuple> ofDatabase,
    Optional<Node> database,
    Map<String, String> coordinates) {
  CellDraft {
    keys = new LinkedHashMap<>(keys);
    ofDatabase = new LinkedHashMap<>(ofDatabase);
    coordinates = new LinkedHashMap<>(coordinates);
  }

  CellDraft of(Node id, Map<String, NodeTuple> own) {
    return new CellDraft(
        root, keys, own, Optional.of(id), Map.of(MatrixAxis.DATABASE, Messages.text(id)));
  }

  boolean isOf(String id) {
    return id.equals(coordinates.get(MatrixAxis.DATABASE));
  }

  CellDraft of(Store store) {
    return isOf(store.id())
        ? this
        : of(DerivedNodes.scalar(store.id(), database.orElse(root)), ofDatabase);
  }

  private CellDraft copy() {
    return new CellDraft(root, keys, ofDatabase, database, coordinates);
  }

  CellDraft with(MatrixAxis axis, String name, Node value) {
    CellDraft next = copy();
    next.coordinates.put(axis.id, name);
    switch (axis.place) {
      case KEYS -> {
        if (value instanceof MappingNode map) {
          next.keys.putAll(DerivedNodes.tuples(map));
        } else if (value instanceof ScalarNode) {
          next.keys.put(axis.key, DerivedNodes.tuple(axis.key, value));
        }
      }
      case KEY -> next.keys.put(axis.key, DerivedNodes.tuple(axis.key, value));
      case VALUE_SIZE ->
          next.keys.put(axis.key, DerivedNodes.tuple(axis.key, DerivedNodes.map("size", value)));
      case LOAD -> {
        Node load = value instanceof ScalarNode ? DerivedNodes.map("clients", value) : value;
        next.keys.put(axis.key, DerivedNodes.tuple(axis.key, load));
      }
      case SERVERS -> next.ofDatabase.put(axis.key, DerivedNodes.tuple(axis.key, value));
    }
    return next;
  }

  Optional<CellDraft> sensible() {
    if ((is("routing", "followers") || is("routing", "non-voter")) && isOfOneMember()) {
      return Optional.empty();
    }
    CellDraft next = copy();
    boolean chosen = coordinates.containsKey(MatrixAxis.CONSISTENCY.id);
    if (chosen && readsNothing()) {
      next.keys.remove(MatrixAxis.CONSISTENCY.key);
      next.coordinates.remove(MatrixAxis.CONSISTENCY.id);
    }
    return Optional.of(next);
  }

  /** Returns the maintenance that its store has requests for. */
  Set<Maintenance> maintenance() {
    return Stream.ofNullable(coordinates.get(MatrixAxis.DATABASE))
        .flatMap(id -> Stores.byId(id).stream())
        .flatMap(store -> Stores.servers(store).kinds().stream().limit(1))
        .findFirst()
        .map(kind -> kind.protocol().maintenance())
        .orElse(Set.of());
  }

  /**
   * Returns this draft without the maintenance of {@code faults: inject} that its store has no
   * request for, but that of another cell has.
   */
  CellDraft without(Set<Maintenance> possible) {
    NodeTuple faults = keys.get(FaultsSpec.KEY);
    if (faults == null || !(faults.getValueNode() instanceof MappingNode map)) {
      return this;
    }
    Map<String, NodeTuple> section = DerivedNodes.tuples(map);
    NodeTuple inject = section.get(FaultsSpec.INJECT);
    if (inject == null || !(inject.getValueNode() instanceof SequenceNode list)) {
      return this;
    }
    Set<Maintenance> own = maintenance();
    List<Node> left =
        list.getValue().stream()
            .filter(
                node ->
                    FaultPlan.Kind.parse(Messages.text(node))
                        .flatMap(kind -> kind.fault().maintenance())
                        .filter(each -> possible.contains(each) && !own.contains(each))
                        .isEmpty())
            .toList();
    if (left.isEmpty()) {
      return this;
    }
    Node injected =
        new SequenceNode(
            Tag.SEQ, true, left, FlowStyle.FLOW, list.getStartMark(), list.getEndMark());
    section.put(FaultsSpec.INJECT, new NodeTuple(inject.getKeyNode(), injected));
    CellDraft next = copy();
    next.keys.put(
        FaultsSpec.KEY,
        new NodeTuple(faults.getKeyNode(), DerivedNodes.map(List.copyOf(section.values()), map)));
    return next;
  }

  private boolean is(String key, String value) {
    return keys.containsKey(key) && Messages.isText(keys.get(key).getValueNode(), value);
  }

  private boolean isOfOneMember() {
    return is("members", "1")
        || TopologyParser.read(section())
            .value()
            .filter(topology -> topology.members() == 1)
            .isPresent();
  }

  private boolean readsNothing() {
    return MixSpec.read(section(), Optional.empty())
        .filter(given -> !given.mix().reads())
        .isPresent();
  }

  private Section section() {
    return new Section(node(), ScenarioSchema.SCENARIO, new ScenarioProblems(""));
  }

  MappingNode node() {
    Map<String, NodeTuple> all = new LinkedHashMap<>(keys);
    boolean ownLoad = !DatabasesParser.SERVERS.containsAll(ofDatabase.keySet());
    if (ownLoad) {
      all.remove("load");
    }
    database.ifPresent(
        id ->
            all.put(
                MatrixParser.DATABASES, DerivedNodes.tuple(MatrixParser.DATABASES, databases(id))));
    NodeTuple title = all.get("title");
    if (title != null && title.getValueNode() instanceof ScalarNode line) {
      String full = line.getValue() + ": " + String.join(", ", coordinates.values());
      if (full.length() <= MatrixParser.MAX_TITLE && line.getTag().equals(Tag.STR)) {
        all.put("title", new NodeTuple(title.getKeyNode(), DerivedNodes.scalar(full, line)));
      }
    }
    return DerivedNodes.map(List.copyOf(all.values()), root);
  }

  private Node databases(Node id) {
    if (ofDatabase.isEmpty()) {
      return new SequenceNode(
          Tag.SEQ, true, List.of(id), FlowStyle.FLOW, id.getStartMark(), id.getEndMark());
    }
    MappingNode own = DerivedNodes.map(List.copyOf(ofDatabase.values()), id);
    return DerivedNodes.map(List.of(new NodeTuple(id, own)), id);
  }
}
