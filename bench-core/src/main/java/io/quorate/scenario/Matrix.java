// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A scenario file with a {@code matrix}: many scenarios that differ in their values on some axes.
 *
 * @param name file name without {@code .yaml}, which is the name of the directory of its results
 * @param title heading of the report, one line
 * @param description purpose of the matrix; may be empty
 * @param repeats how often each cell is run: all cells once, then all again
 * @param axes axes in the order of the file, the databases first
 * @param cells cells in the order of the axes; the last axis varies fastest
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
   * A cell of a matrix: a scenario of one database, with its values on the axes.
   *
   * @param id name of the directory of its runs; begins with its number
   * @param coordinates value of the cell on each axis that applies to it, in the order of the axes
   * @param scenario scenario, whose source is the text of a separate file
   */
  public record Cell(String id, Map<String, String> coordinates, Scenario scenario) {
    public Cell {
      coordinates = Collections.unmodifiableMap(new LinkedHashMap<>(coordinates));
    }
  }
}
