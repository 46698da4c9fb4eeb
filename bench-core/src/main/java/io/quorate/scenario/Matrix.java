package io.quorate.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A scenario file with a {@code matrix}: many scenarios, each with another value on some axis.
 *
 * @param name the file name without {@code .yaml}: names the directory of its results
 * @param title one line, heads the report
 * @param description what it is for, may be empty
 * @param repeats how often each cell is run: all cells once, then all again
 * @param scale as of its scenarios
 * @param axes in the order of the file, the databases first
 * @param cells in the order of the axes, the last one fastest
 * @param source the text of the file
 */
public record Matrix(
    String name,
    String title,
    String description,
    int repeats,
    double scale,
    List<String> axes,
    List<Cell> cells,
    String source) {
  public Matrix of(List<Cell> chosen) {
    return new Matrix(name, title, description, repeats, scale, axes, chosen, source);
  }

  /**
   * A cell of a matrix: a scenario of one database, and where it stands.
   *
   * @param id names the directory of its runs; begins with its number
   * @param coordinates its value on each axis, in the order of the axes; without those that mean
   *     nothing to it
   * @param scenario whose source is the text of a separate file
   */
  public record Cell(String id, Map<String, String> coordinates, Scenario scenario) {
    public Cell {
      coordinates = Collections.unmodifiableMap(new LinkedHashMap<>(coordinates));
    }
  }
}
