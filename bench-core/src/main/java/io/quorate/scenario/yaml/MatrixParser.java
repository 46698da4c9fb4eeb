// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Maintenance;
import io.quorate.store.Store;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Expands the matrix of a scenario file into its cells, and checks each of them. A scenario that is
 * repeated is a matrix whose only axis is its databases.
 */
record MatrixParser(MappingNode root, ScenarioProblems problems, Section top) {
  static final String KEY = "matrix";

  static final String REPEATS = "repeats";

  static final int MAX_CELLS = 1_000;

  private static final int MAX_VALUES = 100;
  private static final int MAX_ID_LENGTH = 80;
  private static final String AXES =
      ScenarioSchema.SCENARIO.property(KEY).property("axes").expected();
  static final String DATABASES = "databases";
  static final int MAX_TITLE = 200;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._ -]{0,39}");

  static boolean isMatrix(Node root) {
    return DerivedNodes.tuples(root).containsKey(KEY);
  }

  /** Returns whether a file makes several runs of each database. */
  static boolean isRepeated(Node root, OptionalInt repeats) {
    return repeats.isPresent()
        ? repeats.getAsInt() > 1
        : Optional.ofNullable(DerivedNodes.tuples(root).get(REPEATS))
            .filter(entry -> !Messages.isText(entry.getValueNode(), "1"))
            .isPresent();
  }

  private record Value(String name, Node node) {}

  /**
   * Reads a file with a matrix, or one that is repeated; a problem that many cells have is reported
   * once.
   *
   * @param chosen databases of a file without a matrix, or versions of a database of a matrix;
   *     empty for those of the file
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
    List<CellDraft> ofFile = isMatrix ? ofVersions(chosen, values) : drafts(chosen);
    List<CellDraft> drafts =
        isMatrix ? axes.map(section -> expand(section, ofFile, values)).orElse(List.of()) : ofFile;
    Set<Maintenance> possible = EnumSet.noneOf(Maintenance.class);
    drafts.forEach(each -> possible.addAll(each.maintenance()));
    List<Matrix.Cell> cells = new ArrayList<>();
    for (CellDraft each : drafts) {
      CellDraft draft = isMatrix ? each.without(possible) : each;
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
  private List<CellDraft> expand(
      Section axes, List<CellDraft> ofFile, Map<MatrixAxis, List<Value>> values) {
    List<CellDraft> drafts = ofFile;
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
    List<CellDraft> sensible =
        drafts.stream()
            .flatMap(draft -> draft.sensible().stream())
            .filter(draft -> seen.add(draft.coordinates()))
            .toList();
    return sensible.size() > MAX_CELLS ? tooMany(axes, sensible.size()) : sensible;
  }

  private List<CellDraft> tooMany(Section axes, int count) {
    String found = "a matrix of " + Messages.of(count) + " cells or more";
    top.report(axes.node(), found, "at most " + MAX_CELLS);
    return List.of();
  }

  private Optional<Matrix.Cell> cell(int number, CellDraft draft, double scale) {
    MappingNode node = draft.node();
    String id = id(number, draft.coordinates());
    try {
      Scenario scenario =
          ScenarioParser.parse(node, id, DerivedNodes.text(node), scale, problems.ofSameFile());
      if (scenario.goals().capacity().isPresent()) {
        String with = top.has(KEY) ? "a matrix" : "repeats";
        problems.add(root, "the key 'capacity' with " + with, "one of them");
        return Optional.empty();
      }
      return Optional.of(new Matrix.Cell(id, draft.coordinates(), scenario));
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

  /**
   * Returns the drafts of a matrix. If all chosen databases are versions of one of the file, which
   * does not name them, they become its axis of versions.
   */
  private List<CellDraft> ofVersions(List<Store> chosen, Map<MatrixAxis, List<Value>> values) {
    List<CellDraft> all = drafts();
    Set<String> bases = chosen.stream().map(each -> each.base().id()).collect(Collectors.toSet());
    List<CellDraft> same =
        all.stream().filter(each -> bases.stream().anyMatch(each::isOf)).toList();
    boolean named =
        chosen.stream().anyMatch(store -> all.stream().anyMatch(it -> it.isOf(store.id())));
    if (bases.size() != 1 || same.isEmpty() || named) {
      return all;
    }
    values.put(
        MatrixAxis.VERSION,
        chosen.stream()
            .map(each -> each.id().replaceFirst(".*@", ""))
            .map(version -> new Value(version, DerivedNodes.scalar(version, root)))
            .toList());
    return same;
  }

  /** Returns a draft for each of these databases, or for each of the file if there are none. */
  private List<CellDraft> drafts(List<Store> chosen) {
    List<CellDraft> all = drafts();
    List<CellDraft> drafts = new ArrayList<>();
    for (Store store : chosen) {
      all.stream()
          .filter(draft -> draft.isOf(store.id()))
          .findFirst()
          .or(() -> all.stream().filter(draft -> draft.isOf(store.base().id())).findFirst())
          .or(() -> all.stream().filter(draft -> draft.ofDatabase().isEmpty()).findFirst())
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

  private List<CellDraft> drafts() {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(root);
    keys.remove(KEY);
    keys.remove(REPEATS);
    CellDraft none = new CellDraft(root, keys, Map.of(), Optional.empty(), Map.of());
    Optional<Node> databases =
        Optional.ofNullable(keys.get(DATABASES)).map(NodeTuple::getValueNode);
    if (databases.isPresent() && databases.get() instanceof SequenceNode list) {
      return list.getValue().isEmpty()
          ? List.of(none)
          : list.getValue().stream().map(id -> none.of(id, Map.of())).toList();
    }
    if (databases.isPresent() && databases.get() instanceof MappingNode map) {
      List<CellDraft> drafts =
          map.getValue().stream()
              .map(entry -> none.of(entry.getKeyNode(), DerivedNodes.tuples(entry.getValueNode())))
              .toList();
      requireDifferentNames(drafts);
      return drafts.isEmpty() ? List.of(none) : drafts;
    }
    return List.of(none);
  }

  private void requireDifferentNames(List<CellDraft> drafts) {
    Set<String> names = new HashSet<>();
    drafts.stream()
        .flatMap(draft -> Stream.ofNullable(draft.ofDatabase().get(DatabasesParser.NAME)))
        .map(NodeTuple::getValueNode)
        .filter(name -> !names.add(Messages.text(name)))
        .forEach(
            name ->
                top.report(name, "the name '" + Messages.text(name) + "' again", "each name once"));
  }
}
