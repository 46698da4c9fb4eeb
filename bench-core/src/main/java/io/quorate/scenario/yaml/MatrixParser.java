package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Expands the matrix of a scenario file into its cells, and checks each of them. */
final class MatrixParser {
  /** Key of the section that makes a file a matrix. */
  static final String KEY = "matrix";

  static final int MAX_CELLS = 500;

  private static final int MAX_VALUES = 100;
  private static final int MAX_ID_LENGTH = 80;
  private static final String AXES =
      ScenarioSchema.SCENARIO.property(KEY).property("axes").expected();
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._ -]{0,39}");

  private final MappingNode root;
  private final ScenarioProblems problems;

  private MatrixParser(MappingNode root, ScenarioProblems problems) {
    this.root = root;
    this.problems = problems;
  }

  /** Returns whether a file has a matrix. */
  static boolean isMatrix(Node root) {
    return root instanceof MappingNode map
        && map.getValue().stream()
            .anyMatch(entry -> entry.getKeyNode() instanceof ScalarNode key && isKey(key));
  }

  private static boolean isKey(ScalarNode key) {
    return key.getValue().equals(KEY);
  }

  /** A value of an axis, with its name. */
  private record Value(String name, Node node) {}

  /**
   * Reads a file with a matrix.
   *
   * @throws InvalidScenarioException with these and all earlier problems; one that many cells have
   *     is told once
   */
  static Matrix parse(
      MappingNode root, String name, String source, double scale, ScenarioProblems problems) {
    return new MatrixParser(root, problems).read(name, source, scale);
  }

  private Matrix read(String name, String source, double scale) {
    Section top = new Section(root, ScenarioSchema.SCENARIO, problems);
    Section matrix = top.section(KEY);
    Field<Integer> repeats = matrix.count("repeats");
    Optional<Section> axes =
        matrix.node("axes").flatMap(node -> Section.of(node, ScenarioSchema.ANY, AXES, problems));
    Map<MatrixAxis, List<Value>> values = new LinkedHashMap<>();
    axes.ifPresent(section -> readAxes(section, values));
    List<CellOverlay> drafts = axes.map(section -> expand(section, values)).orElse(List.of());
    List<Matrix.Cell> cells = new ArrayList<>();
    for (CellOverlay draft : drafts) {
      cell(cells.size() + 1, draft, scale).ifPresent(cells::add);
    }
    problems.throwIfAny();
    if (cells.isEmpty()) {
      String found = "a matrix without a cell";
      problems.add(axes.orElseThrow().node(), found, "values that go together");
      problems.throwIfAny();
    }
    List<String> names = new ArrayList<>(List.of(MatrixAxis.DATABASE));
    values.keySet().forEach(axis -> names.add(axis.id()));
    return new Matrix(
        name,
        top.field("title", ValueType.text(top.schema("title"))).get(),
        top.field("description", ValueType.text(top.schema("description"))).effective().strip(),
        repeats.effective(),
        scale,
        names,
        cells,
        source);
  }

  private void readAxes(Section axes, Map<MatrixAxis, List<Value>> values) {
    if (axes.keys().isEmpty()) {
      problems.add(axes.node(), "no axis", AXES);
    }
    for (String id : axes.keys()) {
      Optional<MatrixAxis> axis = MatrixAxis.named(id);
      if (axis.isEmpty()) {
        String found = "unknown axis " + VisibleText.quoted(id);
        problems.add(axes.key(id), found, Messages.oneOf(MatrixAxis.ids(), id));
      }
      Node node = axes.node(id).orElseThrow();
      axis.ifPresent(known -> values.put(known, values(known, node)));
    }
  }

  private List<Value> values(MatrixAxis axis, Node node) {
    List<Value> values = new ArrayList<>();
    if (node instanceof MappingNode map) {
      Section section = new Section(map, ScenarioSchema.ANY, problems);
      section.keys().forEach(name -> named(axis, section, name, values));
    } else if (node instanceof SequenceNode list && !axis.needsNames()) {
      list.getValue().forEach(each -> unnamed(axis, each, values));
    } else {
      problems.add(node, Messages.of(node), axis.expected());
      return values;
    }
    if (values.isEmpty()) {
      problems.add(node, "no value of the axis '" + axis.id() + "'", axis.expected());
    } else if (values.size() > MAX_VALUES) {
      String found = Messages.of(values.size()) + " values of the axis '" + axis.id() + "'";
      problems.add(node, found, "at most " + MAX_VALUES);
      return values.subList(0, 1);
    }
    return values;
  }

  private void named(MatrixAxis axis, Section section, String name, List<Value> values) {
    Node node = section.node(name).orElseThrow();
    if (!NAME.matcher(name).matches()) {
      String expected = "at most 40 letters, digits, blanks, '.', '_' and '-', first no sign";
      problems.add(section.key(name), "the name " + VisibleText.quoted(name), expected);
    }
    if (axis.isOfMaps()
        && Section.of(node, ScenarioSchema.ANY, axis.expected(), problems).isEmpty()) {
      return;
    }
    if (axis.place() == MatrixAxis.Place.KEYS && node instanceof MappingNode map) {
      Section keys = new Section(map, ScenarioSchema.ANY, problems);
      for (String fixed : List.of(KEY, "databases", "title", "description")) {
        if (keys.has(fixed)) {
          String found = "the key '" + fixed + "' in a value of an axis";
          problems.add(keys.key(fixed), found, "it at the top of the file, once for all cells");
        }
      }
    }
    values.add(new Value(name, node));
  }

  private void unnamed(MatrixAxis axis, Node node, List<Value> values) {
    if (!(node instanceof ScalarNode scalar)) {
      problems.add(node, Messages.of(node), axis.expected());
      return;
    }
    String text = scalar.getValue();
    String name = VisibleText.of(axis == MatrixAxis.LOAD ? clients(text) : text);
    if (values.stream().anyMatch(value -> value.name.equals(name))) {
      problems.add(node, Messages.of(node) + " again", "each value once");
    }
    values.add(new Value(name, node));
  }

  private static String clients(String count) {
    return count.equals("1") ? "1 client" : count + " clients";
  }

  /** Returns the cells that make sense, each once; none, and reported, if they are too many. */
  private List<CellOverlay> expand(Section axes, Map<MatrixAxis, List<Value>> values) {
    List<CellOverlay> drafts = CellOverlay.of(root);
    for (Map.Entry<MatrixAxis, List<Value>> axis : values.entrySet()) {
      List<CellOverlay> next = new ArrayList<>();
      for (CellOverlay draft : drafts) {
        axis.getValue()
            .forEach(value -> next.add(draft.with(axis.getKey(), value.name, value.node)));
      }
      drafts = next;
      if (drafts.size() > 10 * MAX_CELLS) {
        return tooMany(axes, drafts.size());
      }
    }
    List<CellOverlay> sensible = new ArrayList<>();
    Set<Map<String, String>> seen = new HashSet<>();
    for (CellOverlay draft : drafts) {
      draft.sensible().filter(each -> seen.add(each.coordinates())).ifPresent(sensible::add);
    }
    return sensible.size() > MAX_CELLS ? tooMany(axes, sensible.size()) : sensible;
  }

  private List<CellOverlay> tooMany(Section axes, int count) {
    problems.add(
        axes.node(),
        "a matrix of " + Messages.of(count) + " cells or more",
        "at most " + MAX_CELLS);
    return List.of();
  }

  /** Returns a cell; empty if it cannot be run, which is reported. */
  private Optional<Matrix.Cell> cell(int number, CellOverlay draft, double scale) {
    MappingNode node = draft.node();
    String id = id(number, draft.coordinates());
    ScenarioProblems own = problems.ofSameFile();
    try {
      Scenario scenario = ScenarioParser.parse(node, id, CellOverlay.text(node), scale, own);
      if (scenario.capacity().isPresent()) {
        problems.add(root, "the key 'capacity' with a matrix", "one of them");
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
}
