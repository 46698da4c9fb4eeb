// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.network.NamedTopology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The axes of a matrix and the comparisons along them. Axes with only one value do not count.
 *
 * @param axes axes with at least two values, in their order
 * @param compared axis whose values are the rows of a table: topologies if this axis exists,
 *     otherwise versions, settings, databases, targets, or the last axis; empty without axes
 */
record MatrixLayout(List<String> axes, Optional<String> compared) {
  static final String TOPOLOGY = "topology";
  static final String ROUTING = "routing";

  /** Axes that compare several ways of doing the same work; the first one is preferred. */
  private static final List<String> WAYS =
      List.of(TOPOLOGY, "version", "settings", "database", ROUTING, "consistency");

  static MatrixLayout of(MatrixResults results) {
    List<String> axes =
        results.manifest().axes().stream()
            .filter(axis -> values(results.cells(), axis).size() > 1)
            .toList();
    Optional<String> way = WAYS.stream().filter(axes::contains).findFirst();
    return new MatrixLayout(axes, way.or(() -> axes.stream().reduce((one, other) -> other)));
  }

  boolean isCompared(String axis) {
    return compared.filter(axis::equals).isPresent();
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

  /** Returns a value of an axis in words: {@code 3 members, 1 zone} for {@code mn-sz}. */
  static String words(String axis, String value) {
    return VisibleText.of(
        Optional.of(value)
            .filter(any -> axis.equals(TOPOLOGY))
            .flatMap(NamedTopology::byId)
            .map(NamedTopology::words)
            .orElse(value));
  }

  /** Returns the cells by their coordinates in words, without the given axes. */
  Map<List<String>, List<CellResult>> groups(List<CellResult> cells, List<String> without) {
    return cells.stream()
        .collect(
            Collectors.groupingBy(
                cell -> rest(cell, without), LinkedHashMap::new, Collectors.toList()));
  }

  List<String> rest(CellResult cell, List<String> without) {
    return axes.stream()
        .filter(axis -> !without.contains(axis))
        .filter(cell.coordinates()::containsKey)
        .map(axis -> words(axis, Objects.requireNonNull(cell.coordinates().get(axis))))
        .toList();
  }
}
