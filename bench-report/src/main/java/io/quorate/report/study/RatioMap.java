// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A heat map of the ratios of two sides of a grid. Only cells whose ratio is decided have a color;
 * the others are gray, whatever their ratio is.
 *
 * @param sentence how many cells differ, of those that are compared with enough runs
 * @param differing cells that differ, each in words
 */
public record RatioMap(String title, String sentence, List<Panel> panels, List<String> differing) {
  /** Ratio, as a change, from which on a color is full. */
  private static final double FULL = 0.3;

  private static final double LEAST_OPACITY = 0.25;

  /** A map of two axes. */
  public record Panel(String name, List<String> columns, List<Line> lines) {}

  /** A row of a map; cells that were not measured are empty. */
  public record Line(String name, List<Place> cells) {}

  /**
   * A cell of a map.
   *
   * @param ratio text of the ratio, or {@code -} if it is not compared with enough runs
   * @param change ratio minus 1; positive is better
   * @param decided whether the sides differ
   * @param words ratio with its interval and verdict
   */
  public record Place(
      String panel,
      String row,
      String column,
      String ratio,
      double change,
      boolean decided,
      String words) {
    static Place none(String panel, String row, String column) {
      return new Place(panel, row, column, "", 0, false, "not measured");
    }

    /** Returns the name of its color: {@code better}, {@code worse}, or {@code even} for gray. */
    public String color() {
      return !decided ? "even" : change > 0 ? "better" : "worse";
    }

    /** Returns the opacity of its color, from 0 to 1. */
    public double opacity() {
      // a difference from a rate of 0 has no ratio
      double size = change <= -1 ? 1 : Math.min(1, Math.abs(Math.log1p(change)) / Math.log1p(FULL));
      return Math.round(100 * (LEAST_OPACITY + (1 - LEAST_OPACITY) * size)) / 100.0;
    }

    String text() {
      return (panel.isEmpty() ? "" : panel + ", ") + row + ", " + column + ": " + words;
    }
  }

  static RatioMap of(String title, List<Place> places) {
    long compared = places.stream().filter(each -> !each.ratio.equals("-")).count();
    String cells =
        NumberFormats.count(compared, compared == places.size() ? "cell" : "compared cell");
    Map<String, List<Place>> byPanel = new LinkedHashMap<>();
    places.forEach(each -> byPanel.computeIfAbsent(each.panel, key -> new ArrayList<>()).add(each));
    List<Place> differing = places.stream().filter(Place::decided).toList();
    return new RatioMap(
        title,
        "%s of %s %s."
            .formatted(
                differing.isEmpty() ? "None" : differing.size(),
                cells,
                differing.size() > 1 ? "differ" : "differs"),
        byPanel.entrySet().stream().map(each -> panel(each.getKey(), each.getValue())).toList(),
        differing.stream().map(Place::text).toList());
  }

  private static Panel panel(String name, List<Place> places) {
    List<String> columns = places.stream().map(Place::column).distinct().toList();
    Map<String, Map<String, Place>> lines =
        places.stream()
            .collect(
                Collectors.groupingBy(
                    Place::row,
                    LinkedHashMap::new,
                    Collectors.toMap(Place::column, each -> each, (one, other) -> one)));
    return new Panel(
        name,
        columns,
        lines.entrySet().stream()
            .map(
                line ->
                    new Line(
                        line.getKey(),
                        columns.stream()
                            .map(
                                column ->
                                    line.getValue()
                                        .getOrDefault(
                                            column, Place.none(name, line.getKey(), column)))
                            .toList()))
            .toList());
  }
}
