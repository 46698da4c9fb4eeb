package io.quorate.scenario;

import java.util.List;

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
    List<MatrixCell> cells,
    String source) {
  public Matrix {
    axes = List.copyOf(axes);
    cells = List.copyOf(cells);
  }

  /** Returns this matrix with some of its cells only. */
  public Matrix of(List<MatrixCell> chosen) {
    return new Matrix(name, title, description, repeats, scale, axes, chosen, source);
  }

  /** Returns the number of runs: each cell as often as it is repeated. */
  public int runs() {
    return cells.size() * repeats;
  }
}
