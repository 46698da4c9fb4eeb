package io.quorate.report.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The axes of a matrix and what is compared along them. An axis with one value only is none.
 *
 * @param axes with at least two values, in their order
 * @param compared the axis whose values are the rows of a table: that of the topologies if there is
 *     one, or else that of versions, settings, databases, targets, or the last one; empty if there
 *     is not an axis
 */
record MatrixLayout(List<String> axes, Optional<String> compared) {
  /** Axes along which one thing is done in several ways; the first one is compared first. */
  private static final List<String> WAYS =
      List.of("topology", "version", "settings", "database", "target", "reads");

  static MatrixLayout of(MatrixResults results) {
    List<String> axes =
        results.manifest().axes().stream()
            .filter(axis -> values(results.cells(), axis).size() > 1)
            .toList();
    Optional<String> way = WAYS.stream().filter(axes::contains).findFirst();
    return new MatrixLayout(axes, way.or(() -> axes.stream().reduce((one, other) -> other)));
  }

  List<String> ways() {
    return WAYS.stream().filter(axes::contains).toList();
  }

  static List<String> values(List<CellResult> cells, String axis) {
    return cells.stream()
        .map(cell -> cell.coordinates().get(axis))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** Returns the cells by all of their coordinates that count, but those of some axes. */
  Map<List<String>, List<CellResult>> groups(List<CellResult> cells, List<String> without) {
    return cells.stream()
        .collect(
            Collectors.groupingBy(
                cell -> rest(cell, without), LinkedHashMap::new, Collectors.toList()));
  }

  List<String> rest(CellResult cell, List<String> without) {
    return axes.stream()
        .filter(axis -> !without.contains(axis))
        .map(axis -> cell.coordinates().get(axis))
        .filter(Objects::nonNull)
        .toList();
  }
}
