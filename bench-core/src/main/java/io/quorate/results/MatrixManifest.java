package io.quorate.results;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.JsonFields;
import io.quorate.format.JsonFile;
import io.quorate.format.JsonText;
import io.quorate.results.manifest.ManifestReader;
import io.quorate.results.manifest.SuiteVersion;
import io.quorate.scenario.Matrix;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plan of a matrix of runs: {@code matrix.json}, written before the first run and never
 * changed. What became of a run is in the manifest of its database.
 *
 * @param name of the scenario file
 * @param scale what part of the requests of each cell is made
 * @param repeats how often each cell is run
 * @param axes in their order
 * @param cells in their order
 * @param options of the command line with which its runs are made, by name
 * @param text of the scenario file
 */
public record MatrixManifest(
    String name,
    String title,
    String description,
    Instant start,
    SuiteVersion suite,
    double scale,
    int repeats,
    List<String> axes,
    List<Cell> cells,
    Map<String, String> options,
    String text) {
  private static final int FORMAT_VERSION = 1;
  private static final int MOST_REPEATS = 1_000;
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_TEXT = 1 << 20;

  public MatrixManifest {
    axes = List.copyOf(axes);
    cells = List.copyOf(cells);
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * A cell.
   *
   * @param id names its scenario file and the directory of its runs
   * @param coordinates its value on each axis that means something to it
   */
  public record Cell(String id, Map<String, String> coordinates) {
    public Cell {
      coordinates = Collections.unmodifiableMap(new LinkedHashMap<>(coordinates));
    }

    /** Returns its values in words, such as {@code etcd, put, leader, 256}. */
    public String label() {
      return String.join(", ", coordinates.values());
    }
  }

  /** Creates the plan of a matrix that begins now. */
  public static MatrixManifest of(Matrix matrix, Instant start, Map<String, String> options) {
    return new MatrixManifest(
        matrix.name(),
        matrix.title(),
        matrix.description(),
        start,
        SuiteVersion.ofThisBuild(),
        matrix.scale(),
        matrix.repeats(),
        matrix.axes(),
        matrix.cells().stream().map(cell -> new Cell(cell.id(), cell.coordinates())).toList(),
        options,
        matrix.source());
  }

  void write(Path file) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("formatVersion", FORMAT_VERSION);
    root.put("name", name);
    root.put("title", title);
    root.put("description", description);
    root.put("start", start.toString());
    ObjectNode by = root.putObject("suite");
    suite.version().ifPresent(version -> by.put("version", version));
    suite.commit().ifPresent(commit -> by.put("commit", commit));
    by.put("dirty", suite.dirty());
    root.put("scale", scale);
    root.put("repeats", repeats);
    axes.forEach(root.putArray("axes")::add);
    ArrayNode all = root.putArray("cells");
    for (Cell cell : cells) {
      ObjectNode one = all.addObject();
      one.put("id", cell.id());
      cell.coordinates().forEach(one.putObject("coordinates")::put);
    }
    options.forEach(root.putObject("options")::put);
    root.put("text", text);
    AtomicFile.write(file, JsonText.of(root));
  }

  /**
   * Reads a plan.
   *
   * @throws QuorateException with every problem of the file, by line and column
   */
  static MatrixManifest read(Path file) {
    JsonFields root = JsonFile.fields(file);
    root.requireFormatVersion(FORMAT_VERSION);
    List<Cell> cells = new ArrayList<>();
    for (JsonFields cell : root.objects("cells")) {
      String id = cell.text("id", LONGEST_NAME);
      if (!id.matches("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]*")) {
        cell.problem("id", "the name of a file");
      }
      cells.add(new Cell(id, cell.object("coordinates").allTexts()));
    }
    MatrixManifest manifest =
        new MatrixManifest(
            root.text("name", LONGEST_NAME),
            root.text("title"),
            root.text("description"),
            root.instant("start"),
            ManifestReader.suite(root.object("suite")),
            root.number("scale"),
            (int) root.between1And(MOST_REPEATS, "repeats"),
            root.texts("axes"),
            cells,
            root.object("options").allTexts(),
            root.text("text", LONGEST_TEXT));
    if (!(manifest.scale > 0 && manifest.scale <= 1)) {
      root.problem("scale", "a number above 0 and at most 1");
    }
    root.throwIfBroken();
    return manifest;
  }
}
