package io.quorate.scenario.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The keys of a cell, as nodes of the file of its matrix, so that a problem of a cell has the
 * position of what it was made from.
 */
final class CellOverlay {
  private static final String DATABASES = "databases";
  private static final Set<String> OF_SERVERS = Set.of("version", "settings");
  private static final int MAX_TITLE_LENGTH = 200;

  private final MappingNode root;
  private final Map<String, NodeTuple> keys;
  private final Map<String, NodeTuple> ofDatabase;
  private final Optional<Node> database;
  private final Map<String, String> coordinates;

  private CellOverlay(
      MappingNode root,
      Map<String, NodeTuple> keys,
      Map<String, NodeTuple> ofDatabase,
      Optional<Node> database,
      Map<String, String> coordinates) {
    this.root = root;
    this.keys = new LinkedHashMap<>(keys);
    this.ofDatabase = new LinkedHashMap<>(ofDatabase);
    this.database = database;
    this.coordinates = new LinkedHashMap<>(coordinates);
  }

  /** Returns a draft for each database of a file; one if they cannot be told. */
  static List<CellOverlay> of(MappingNode root) {
    Map<String, NodeTuple> keys = tuples(root);
    keys.remove("matrix");
    Node databases = keys.containsKey(DATABASES) ? keys.get(DATABASES).getValueNode() : root;
    List<CellOverlay> drafts = new ArrayList<>();
    if (databases instanceof SequenceNode list) {
      for (Node id : list.getValue()) {
        drafts.add(new CellOverlay(root, keys, Map.of(), Optional.of(id), Map.of()));
      }
    } else if (databases instanceof MappingNode map && map != root) {
      for (NodeTuple entry : map.getValue()) {
        Map<String, NodeTuple> own =
            entry.getValueNode() instanceof MappingNode given ? tuples(given) : Map.of();
        Optional<Node> id = Optional.of(entry.getKeyNode());
        drafts.add(new CellOverlay(root, keys, own, id, Map.of()));
      }
    }
    drafts.forEach(
        draft -> draft.coordinates.put(MatrixAxis.DATABASE, text(draft.database.orElseThrow())));
    return drafts.isEmpty()
        ? List.of(new CellOverlay(root, keys, Map.of(), Optional.empty(), Map.of()))
        : drafts;
  }

  private static Map<String, NodeTuple> tuples(MappingNode map) {
    Map<String, NodeTuple> tuples = new LinkedHashMap<>();
    map.getValue().forEach(tuple -> tuples.putIfAbsent(text(tuple.getKeyNode()), tuple));
    return tuples;
  }

  /** Returns this draft with a value of an axis. */
  CellOverlay with(MatrixAxis axis, String name, Node value) {
    CellOverlay next = new CellOverlay(root, keys, ofDatabase, database, coordinates);
    next.coordinates.put(axis.id(), name);
    switch (axis.place()) {
      case KEYS -> {
        if (value instanceof MappingNode map) {
          next.keys.putAll(tuples(map));
        } else if (value instanceof ScalarNode) {
          next.keys.put(axis.key(), tuple(axis.key(), value));
        }
      }
      case KEY -> next.keys.put(axis.key(), tuple(axis.key(), value));
      case VALUE_SIZE -> next.keys.put(axis.key(), tuple(axis.key(), map("size", value)));
      case LOAD -> {
        Node load = value instanceof ScalarNode ? map("clients", value) : value;
        next.keys.put(axis.key(), tuple(axis.key(), load));
      }
      case SERVERS -> next.ofDatabase.put(axis.key(), tuple(axis.key(), value));
    }
    return next;
  }

  /**
   * Returns this draft without the promise of reads where it is of no meaning, as nothing is read;
   * empty if there are followers to be asked and no followers.
   */
  Optional<CellOverlay> sensible() {
    if (is("routing", "followers") && isOfOneMember()) {
      return Optional.empty();
    }
    CellOverlay next = new CellOverlay(root, keys, ofDatabase, database, coordinates);
    boolean chosen = coordinates.containsKey(MatrixAxis.READS.id());
    if (chosen && readsNothing()) {
      next.keys.remove(MatrixAxis.READS.key());
      next.coordinates.remove(MatrixAxis.READS.id());
    }
    return Optional.of(next);
  }

  private boolean is(String key, String value) {
    return keys.containsKey(key) && text(keys.get(key).getValueNode()).equals(value);
  }

  private boolean isOfOneMember() {
    Section section = new Section(node(), ScenarioSchema.SCENARIO, new ScenarioProblems(""));
    return is("members", "1")
        || TopologyParser.read(section, new ScenarioProblems(""))
            .value()
            .filter(topology -> topology.members() == 1)
            .isPresent();
  }

  private boolean readsNothing() {
    Section section = new Section(node(), ScenarioSchema.SCENARIO, new ScenarioProblems(""));
    return MixSpec.read(section, new ScenarioProblems(""))
        .filter(given -> !given.mix().reads())
        .isPresent();
  }

  Map<String, String> coordinates() {
    return coordinates;
  }

  /** Returns the scenario of this cell as a map, its title followed by its coordinates. */
  MappingNode node() {
    Map<String, NodeTuple> all = new LinkedHashMap<>(keys);
    boolean ownLoad = !OF_SERVERS.containsAll(ofDatabase.keySet());
    if (ownLoad) {
      all.remove("load");
    }
    database.ifPresent(id -> all.put(DATABASES, tuple(DATABASES, databases(id))));
    NodeTuple title = all.get("title");
    if (title != null && title.getValueNode() instanceof ScalarNode line) {
      String full = line.getValue() + ": " + String.join(", ", coordinates.values());
      if (full.length() <= MAX_TITLE_LENGTH && line.getTag().equals(Tag.STR)) {
        all.put("title", new NodeTuple(title.getKeyNode(), scalar(full, line)));
      }
    }
    return map(List.copyOf(all.values()), root);
  }

  private Node databases(Node id) {
    if (ofDatabase.isEmpty()) {
      return new SequenceNode(
          Tag.SEQ, true, List.of(id), FlowStyle.FLOW, id.getStartMark(), id.getEndMark());
    }
    MappingNode own = map(List.copyOf(ofDatabase.values()), id);
    return map(List.of(new NodeTuple(id, own)), id);
  }

  /** Returns the text of a file of this cell. */
  static String text(MappingNode cell) {
    DumpSettings settings =
        DumpSettings.builder()
            .setSchema(YamlDocument.SCHEMA)
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(1_000)
            .build();
    return new Present(settings)
        .emitToString(new Serialize(settings).serializeOne(cell).iterator());
  }

  private static NodeTuple tuple(String key, Node value) {
    return new NodeTuple(scalar(key, value), value);
  }

  private static Node map(String key, Node value) {
    return map(List.of(tuple(key, value)), value);
  }

  private static MappingNode map(List<NodeTuple> tuples, Node at) {
    return new MappingNode(
        Tag.MAP, true, tuples, FlowStyle.BLOCK, at.getStartMark(), at.getEndMark());
  }

  private static Node scalar(String text, Node at) {
    return new ScalarNode(
        Tag.STR, true, text, ScalarStyle.PLAIN, at.getStartMark(), at.getEndMark());
  }

  private static String text(Node node) {
    return node instanceof ScalarNode scalar ? scalar.getValue() : "";
  }
}
