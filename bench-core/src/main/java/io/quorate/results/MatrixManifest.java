// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.scenario.Matrix;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plan of a matrix of runs: {@code matrix.json}, written before the first run and never
 * changed. The outcome of a run is in the manifest of its database.
 *
 * @param name name of the scenario file
 * @param scale part of the requests of each cell that is sent
 * @param options command-line options of its runs, by name
 */
@FormatVersion(1)
public record MatrixManifest(
    String name,
    String title,
    String description,
    Instant start,
    BuildInfo suite,
    double scale,
    int repeats,
    List<String> axes,
    List<Cell> cells,
    Map<String, String> options,
    String text) {
  /** Option of a sequential comparison, which runs pairs until its gate is decided. */
  public static final String UNTIL = "until";

  private static final int MAX_REPEATS = 100;
  private static final Map<String, String> OLDER_AXES =
      Map.of(
          "case", "variant", "reads", "consistency", "target", "routing", "value-size", "values");

  public MatrixManifest {
    axes = axes.stream().map(MatrixManifest::axis).toList();
    cells = List.copyOf(cells);
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    if (!(scale > 0 && scale <= 1) || repeats < 1 || repeats > MAX_REPEATS) {
      throw new IllegalArgumentException(
          "found scale %s and %d repeats, expected a scale above 0 and at most 1, and 1 to %d repeats"
              .formatted(scale, repeats, MAX_REPEATS));
    }
  }

  /** Returns the name of an axis, which earlier versions may have called otherwise. */
  private static String axis(String name) {
    return OLDER_AXES.getOrDefault(name, name);
  }

  /**
   * A cell.
   *
   * @param id name of its scenario file and of the directory of its runs
   * @param coordinates value of the cell on each axis that applies to it
   */
  public record Cell(String id, Map<String, String> coordinates) {
    public Cell {
      if (!id.matches("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]*")) {
        throw new IllegalArgumentException("id: found '" + id + "', expected the name of a file");
      }
      Map<String, String> named = new LinkedHashMap<>();
      coordinates.forEach((name, value) -> named.put(axis(name), value));
      coordinates = Collections.unmodifiableMap(named);
    }

    /** Returns its values in words, such as {@code etcd, put, leader, 256}. */
    public String label() {
      return String.join(", ", coordinates.values());
    }
  }

  public static MatrixManifest of(Matrix matrix, Instant start, Map<String, String> options) {
    return new MatrixManifest(
        matrix.name(),
        matrix.title(),
        matrix.description(),
        start,
        BuildInfo.ofThisBuild(),
        matrix.scale(),
        matrix.repeats(),
        matrix.axes(),
        matrix.cells().stream().map(cell -> new Cell(cell.id(), cell.coordinates())).toList(),
        options,
        matrix.source());
  }

  /** Returns whether its runs are pairs that are repeated until the gate is decided. */
  public boolean isSequential() {
    return options.containsKey(UNTIL);
  }

  MatrixManifest withRepeats(int number) {
    return new MatrixManifest(
        name, title, description, start, suite, scale, number, axes, cells, options, text);
  }

  /** Returns this plan with other options. */
  public MatrixManifest withOptions(Map<String, String> others) {
    return new MatrixManifest(
        name, title, description, start, suite, scale, repeats, axes, cells, others, text);
  }
}
