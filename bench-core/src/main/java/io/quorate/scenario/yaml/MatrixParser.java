// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
 * Expands the matrix of a scenario file into its cells, and checks each of them. A scenario that is
 * repeated is a matrix whose only axis is its databases.
 */
record MatrixParser(MappingNode root, ScenarioProblems problems, Section top) {
  static final String KEY = "matrix";

  static final String REPEATS = "repeats";

  static final int MAX_CELLS = 500;

  private static final int MAX_VALUES = 100;
  private static final int MAX_ID_LENGTH = 80;
  private static final String AXES =
      ScenarioSchema.SCENARIO.property(KEY).property("axes").expected();
  private static final String DATABASES = "databases";
  static final int MAX_TITLE = 200;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._ -]{0,39}");

  static boolean isMatrix(Node root) {
    return tuples(root).containsKey(KEY);
  }

  /** Returns whether a file makes several runs of each database. */
  static boolean isRepeated(Node root, OptionalInt repeats) {
    return repeats.isPresent()
        ? repeats.getAsInt() > 1
        : Optional.ofNullable(tuples(root).get(REPEATS))
            .filter(entry -> !Messages.isText(entry.getValueNode(), "1"))
            .isPresent();
  }

  private record Value(String name, Node node) {}

  /**
   * Reads a file with a matrix, or one that is repeated; a problem that many cells have is reported
   * once.
   *
   * @param chosen databases of a file without a matrix; empty for those of the file
   * @param often number of repeats instead of that of the file
   */
  static Matrix parse(
      MappingNode root,
      String name,
      String source,
      double scale,
      List<Store> chosen,
      OptionalInt often,
      ScenarioProblems problems) {
    Section top = new Section(root, ScenarioSchema.SCENARIO, problems);
    return new MatrixParser(root, problems, top).read(name, source, scale, chosen, often);
  }

  private Matrix read(
      String name, String source, double scale, List<Store> chosen, OptionalInt often) {
    boolean isMatrix = top.has(KEY);
    Section matrix = isMatrix ? top.section(KEY) : top;
    Field<Integer> repeats = matrix.count(REPEATS);
    if (isMatrix && top.has(REPEATS)) {
      top.report(REPEATS, "the key 'repeats' with a matrix", "it in the matrix");
    }
    Optional<Section> axes =
        isMatrix
            ? matrix.node("axes").flatMap(node -> top.map(node, ScenarioSchema.ANY, AXES))
            : Optional.empty();
    Map<MatrixAxis, List<Value>> values = new LinkedHashMap<>();
    axes.ifPresent(section -> readAxes(section, values));
    List<Draft> drafts =
        isMatrix ? axes.map(section -> expand(section, values)).orElse(List.of()) : drafts(chosen);
    List<Matrix.Cell> cells = new ArrayList<>();
    for (Draft draft : drafts) {
      cell(cells.size() + 1, draft, scale).ifPresent(cells::add);
    }
    problems.throwIfAny();
    if (cells.isEmpty()) {
      top.report(axes.orElseThrow().node(), "a matrix without a cell", "values that go together");
      problems.throwIfAny();
    }
    List<String> names = new ArrayList<>(List.of(MatrixAxis.DATABASE));
    values.keySet().forEach(axis -> names.add(axis.id));
    return new Matrix(
        name,
        top.field("title", ValueType.text(top.schema("title"))).get(),
        top.field("description", ValueType.text(top.schema("description"))).effective().strip(),
        often.orElseGet(repeats::effective),
        scale,
        names,
        cells,
        source);
  }

  private void readAxes(Section axes, Map<MatrixAxis, List<Value>> values) {
    if (axes.keys().isEmpty()) {
      top.report(axes.node(), "no axis", AXES);
    }
    for (String id : axes.keys()) {
      Optional<MatrixAxis> axis = MatrixAxis.named(id);
      if (axis.isEmpty()) {
        String found = "unknown axis " + VisibleText.quoted(id);
        axes.report(id, found, Messages.oneOf(MatrixAxis.ids(), id));
      }
      axis.ifPresent(known -> values.put(known, values(known, axes.node(id).orElseThrow())));
    }
  }

  private List<Value> values(MatrixAxis axis, Node node) {
    List<Value> values = new ArrayList<>();
    if (node instanceof MappingNode map) {
      Section section = top.map(map, ScenarioSchema.ANY, AXES).orElseThrow();
      section.keys().forEach(name -> named(axis, section, name, values));
    } else if (node instanceof SequenceNode list && !axis.needsNames()) {
      list.getValue().forEach(each -> unnamed(axis, each, values));
    } else {
      top.report(node, Messages.of(node), axis.expected);
      return values;
    }
    if (values.isEmpty()) {
      top.report(node, "no value of the axis '" + axis.id + "'", axis.expected);
    } else if (values.size() > MAX_VALUES) {
      String found = Messages.of(values.size()) + " values of the axis '" + axis.id + "'";
      top.report(node, found, "at most " + MAX_VALUES);
      return values.subList(0, 1);
    }
    return values;
  }

  private void named(MatrixAxis axis, Section section, String name, List<Value> values) {
    Node node = section.node(name).orElseThrow();
    if (!NAME.matcher(name).matches()) {
      String expected = "at most 40 letters, digits, blanks, '.', '_' and '-', first no sign";
      section.report(name, "the name " + VisibleText.quoted(name), expected);
    }
    if (axis.isOfMaps() && top.map(node, ScenarioSchema.ANY, axis.expected).isEmpty()) {
      return;
    }
    if (axis.place == MatrixAxis.Place.KEYS && node instanceof MappingNode map) {
      Section keys = top.map(map, ScenarioSchema.ANY, axis.expected).orElseThrow();
      for (String fixed : List.of(KEY, "databases", "title", "description")) {
        if (keys.has(fixed)) {
          String found = "the key '" + fixed + "' in a value of an axis";
          keys.report(fixed, found, "it at the top of the file, once for all cells");
        }
      }
    }
    values.add(new Value(name, node));
  }

  private void unnamed(MatrixAxis axis, Node node, List<Value> values) {
    if (!(node instanceof ScalarNode scalar)) {
      top.report(node, Messages.of(node), axis.expected);
      return;
    }
    String text = scalar.getValue();
    String clients = text.equals("1") ? " client" : " clients";
    String name = VisibleText.of(axis == MatrixAxis.LOAD ? text + clients : text);
    if (values.stream().anyMatch(value -> value.name.equals(name))) {
      top.report(node, Messages.of(node) + " again", "each value once");
    }
    values.add(new Value(name, node));
  }

  /** Returns the valid cells, each once; none, and reported, if there are too many. */
  private List<Draft> expand(Section axes, Map<MatrixAxis, List<Value>> values) {
    List<Draft> drafts = drafts();
    for (Map.Entry<MatrixAxis, List<Value>> axis : values.entrySet()) {
      drafts =
          drafts.stream()
              .flatMap(
                  draft ->
                      axis.getValue().stream()
                          .map(value -> draft.with(axis.getKey(), value.name, value.node)))
              .toList();
      if (drafts.size() > 10 * MAX_CELLS) {
        return tooMany(axes, drafts.size());
      }
    }
    Set<Map<String, String>> seen = new HashSet<>();
    List<Draft> sensible =
        drafts.stream()
            .flatMap(draft -> draft.sensible().stream())
            .filter(draft -> seen.add(draft.coordinates))
            .toList();
    return sensible.size() > MAX_CELLS ? tooMany(axes, sensible.size()) : sensible;
  }

  private List<Draft> tooMany(Section axes, int count) {
    String found = "a matrix of " + Messages.of(count) + " cells or more";
    top.report(axes.node(), found, "at most " + MAX_CELLS);
    return List.of();
  }

  private Optional<Matrix.Cell> cell(int number, Draft draft, double scale) {
    MappingNode node = draft.node();
    String id = id(number, draft.coordinates);
    try {
      Scenario scenario = ScenarioParser.parse(node, id, text(node), scale, problems.ofSameFile());
      if (scenario.goals().capacity().isPresent()) {
        String with = top.has(KEY) ? "a matrix" : "repeats";
        problems.add(root, "the key 'capacity' with " + with, "one of them");
        return Optional.empty();
      }
      return Optional.of(new Matrix.Cell(id, draft.coordinates, scenario));
    } catch (InvalidScenarioException invalid) {
      problems.addAll(invalid.problems());
      return Optional.empty();
    }
  }

  private static String id(int number, Map<String, String> coordinates) {
    String words =
        String.join("-", coordinates.values())
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N}._]+", "-");
    String id = String.format(Locale.ROOT, "%03d-%s", number, words);
    return id.length() > MAX_ID_LENGTH ? id.substring(0, MAX_ID_LENGTH) : id;
  }

  /** Returns a draft for each of these databases, or for each of the file if there are none. */
  private List<Draft> drafts(List<Store> chosen) {
    List<Draft> all = drafts();
    List<Draft> drafts = new ArrayList<>();
    for (Store store : chosen) {
      all.stream()
          .filter(draft -> draft.isOf(store.id()))
          .findFirst()
          .or(() -> all.stream().filter(draft -> draft.isOf(store.base().id())).findFirst())
          .or(() -> all.stream().filter(draft -> draft.ofDatabase.isEmpty()).findFirst())
          .ifPresentOrElse(
              draft -> drafts.add(draft.of(store)),
              () ->
                  top.report(
                      top.node(DATABASES).orElse(root),
                      "no load for " + store,
                      "one of these databases, or a copy of the file with " + store));
    }
    return chosen.isEmpty() ? all : drafts;
  }

  private List<Draft> drafts() {
    Map<String, NodeTuple> keys = tuples(root);
    keys.remove(KEY);
    keys.remove(REPEATS);
    Draft none = new Draft(root, keys, Map.of(), Optional.empty(), Map.of());
    Optional<Node> databases =
        Optional.ofNullable(keys.get(DATABASES)).map(NodeTuple::getValueNode);
    if (databases.isPresent() && databases.get() instanceof SequenceNode list) {
      return list.getValue().isEmpty()
          ? List.of(none)
          : list.getValue().stream().map(id -> none.of(id, Map.of())).toList();
    }
    if (databases.isPresent() && databases.get() instanceof MappingNode map) {
      List<Draft> drafts =
          map.getValue().stream()
              .map(entry -> none.of(entry.getKeyNode(), tuples(entry.getValueNode())))
              .toList();
      requireDifferentNames(drafts);
      return drafts.isEmpty() ? List.of(none) : drafts;
    }
    return List.of(none);
  }

  private void requireDifferentNames(List<Draft> drafts) {
    Set<String> names = new HashSet<>();
    drafts.stream()
        .flatMap(draft -> Stream.ofNullable(draft.ofDatabase.get(DatabasesParser.NAME)))
        .map(NodeTuple::getValueNode)
        .filter(name -> !names.add(Messages.text(name)))
        .forEach(
            name ->
                top.report(name, "the name '" + Messages.text(name) + "' again", "each name once"));
  }

  static Map<String, NodeTuple> tuples(Node node) {
    Map<String, NodeTuple> tuples = new LinkedHashMap<>();
    if (node instanceof MappingNode map) {
      map.getValue().forEach(each -> tuples.putIfAbsent(Messages.text(each.getKeyNode()), each));
    }
    return tuples;
  }

  /**
   * The keys of a cell, as nodes of the file, so that a problem of a cell has a position in the
   * file.
   *
   * @param ofDatabase the keys of its database
   * @param database name of its database; empty if it cannot be determined
   */
  private record Draft(
      MappingNode root,
      Map<String, NodeTuple> keys,
      Map<String, NodeTuple> ofDatabase,
      Optional<Node> database,
      Map<String, String> coordinates) {
    private Draft {
      keys = new LinkedHashMap<>(keys);
      ofDatabase = new LinkedHashMap<>(ofDatabase);
      coordinates = new LinkedHashMap<>(coordinates);
    }

    private Draft of(Node id, Map<String, NodeTuple> own) {
      return new Draft(
          root, keys, own, Optional.of(id), Map.of(MatrixAxis.DATABASE, Messages.text(id)));
    }

    private boolean isOf(String id) {
      return id.equals(coordinates.get(MatrixAxis.DATABASE));
    }

    private Draft of(Store store) {
      return isOf(store.id()) ? this : of(scalar(store.id(), database.orElse(root)), ofDatabase);
    }

    private Draft copy() {
      return new Draft(root, keys, ofDatabase, database, coordinates);
    }

    Draft with(MatrixAxis axis, String name, Node value) {
      Draft next = copy();
      next.coordinates.put(axis.id, name);
      switch (axis.place) {
        case KEYS -> {
          if (value instanceof MappingNode map) {
            next.keys.putAll(tuples(map));
          } else if (value instanceof ScalarNode) {
            next.keys.put(axis.key, tuple(axis.key, value));
          }
        }
        case KEY -> next.keys.put(axis.key, tuple(axis.key, value));
        case VALUE_SIZE -> next.keys.put(axis.key, tuple(axis.key, map("size", value)));
        case LOAD -> {
          Node load = value instanceof ScalarNode ? map("clients", value) : value;
          next.keys.put(axis.key, tuple(axis.key, load));
        }
        case SERVERS -> next.ofDatabase.put(axis.key, tuple(axis.key, value));
      }
      return next;
    }

    Optional<Draft> sensible() {
      if (is("routing", "followers") && isOfOneMember()) {
        return Optional.empty();
      }
      Draft next = copy();
      boolean chosen = coordinates.containsKey(MatrixAxis.READS.id);
      if (chosen && readsNothing()) {
        next.keys.remove(MatrixAxis.READS.key);
        next.coordinates.remove(MatrixAxis.READS.id);
      }
      return Optional.of(next);
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
      return MixSpec.read(section()).filter(given -> !given.mix().reads()).isPresent();
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
      database.ifPresent(id -> all.put(DATABASES, tuple(DATABASES, databases(id))));
      NodeTuple title = all.get("title");
      if (title != null && title.getValueNode() instanceof ScalarNode line) {
        String full = line.getValue() + ": " + String.join(", ", coordinates.values());
        if (full.length() <= MAX_TITLE && line.getTag().equals(Tag.STR)) {
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
  }

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

  static NodeTuple tuple(String key, Node value) {
    return new NodeTuple(scalar(key, value), value);
  }

  private static Node map(String key, Node value) {
    return map(List.of(tuple(key, value)), value);
  }

  static MappingNode map(List<NodeTuple> tuples, Node at) {
    return new MappingNode(
        Tag.MAP, true, tuples, FlowStyle.BLOCK, at.getStartMark(), at.getEndMark());
  }

  static Node scalar(String text, Node at) {
    return new ScalarNode(
        Tag.STR, true, text, ScalarStyle.PLAIN, at.getStartMark(), at.getEndMark());
  }

  /** The axes that a matrix can have, and the parts of a scenario that they replace. */
  enum MatrixAxis {
    /** Any keys of a scenario. */
    CASE(
        "case",
        Place.KEYS,
        "",
        "a map of names to keys of a scenario, such as {small: {values: {size: 256}}}"),
    /** Keys of a scenario that describe its members and their zones; or the name of a topology. */
    TOPOLOGY(
        "topology",
        Place.KEYS,
        TopologyParser.KEY,
        "a list of topologies such as [sn-sz, mn-sz, mn-mz], or a map of names to keys of a"
            + " scenario, such as {one: {members: 1}}"),
    OPERATION("operation", Place.KEY, "operation", values("[put, get]")),
    READS("reads", Place.KEY, "reads", values("[linearizable, stale]")),
    TARGET("target", Place.KEY, "routing", values("[leader, followers]")),
    ON_FAILURE("on-failure", Place.KEY, "on-failure", values("[pinned, failover]")),
    VALUE_SIZE("value-size", Place.VALUE_SIZE, "values", values("[256, 1024]")),
    LOAD("load", Place.LOAD, "load", values("[1, 100]")),
    VERSION("version", Place.SERVERS, "version", values("[3.5.35, 3.6.16]")),
    CLIENT("client", Place.SERVERS, "client", values("[http2, jetcd]")),
    SETTINGS(
        "settings",
        Place.SERVERS,
        "settings",
        "a map of names to settings, such as {few: {snapshot-count: 1000}}");

    /** The axis of the databases, which a file lists outside its matrix. */
    static final String DATABASE = "database";

    /** The part of a scenario that a value of an axis replaces. */
    enum Place {
      /** All keys of the value. */
      KEYS,
      /** One key with this value. */
      KEY,
      /** The size of the values. */
      VALUE_SIZE,
      /** The load; a number is a number of clients. */
      LOAD,
      /** A key of the database. */
      SERVERS
    }

    /** The name of the axis in a file. */
    final String id;

    final Place place;

    /**
     * The key of a scenario or database that it replaces; empty if the value determines it. If
     * values can be maps of keys as well, the key of a value without a name.
     */
    final String key;

    final String expected;

    MatrixAxis(String id, Place place, String key, String expected) {
      this.id = id;
      this.place = place;
      this.key = key;
      this.expected = expected;
    }

    private static String values(String example) {
      return "a list of values such as " + example + ", or a map of names to values";
    }

    boolean isOfMaps() {
      return place == Place.KEYS || this == SETTINGS;
    }

    boolean needsNames() {
      return this == CASE || this == SETTINGS;
    }

    static List<String> ids() {
      return Arrays.stream(values()).map(axis -> axis.id).toList();
    }

    static Optional<MatrixAxis> named(String id) {
      return Arrays.stream(values()).filter(axis -> axis.id.equals(id)).findFirst();
    }
  }
}
