// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.Color;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A complete description of a plot for drawing.
 *
 * @param of id of the only database of the plot, if there is only one
 * @param title title with the unit
 * @param description description for readers who cannot see it
 * @param steps steps; empty if x is not the time
 * @param layers layers, the lowest first
 */
public record PlotSpec(
    Optional<DatabaseSeries> of,
    String title,
    String description,
    Axis across,
    Axis up,
    List<StepLayer.Lane> steps,
    List<Layer> layers,
    List<Key> keys) {
  public PlotSpec withKeys(List<Key> others) {
    return new PlotSpec(of, title, description, across, up, steps, layers, others);
  }

  public PlotSpec withDescription(String words) {
    return new PlotSpec(of, title, words, across, up, steps, layers, keys);
  }

  /** Returns this plot with marks of events on top, and their kinds in the legend and the text. */
  public PlotSpec withEvents(EventLayer events) {
    if (events.keys().isEmpty()) {
      return this;
    }
    return new PlotSpec(
        of,
        title,
        description + events.words(),
        across,
        up,
        steps,
        concat(List.of(events.shade()), concat(layers, List.of(events))),
        concat(keys, events.keys()));
  }

  private static <T> List<T> concat(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  public PlotSpec withUpLabel(String label) {
    Axis named = new Axis(label, up.unit(), up.scale(), up.range());
    return new PlotSpec(of, title, description, across, named, steps, layers, keys);
  }

  /**
   * An axis.
   *
   * @param unit of a value; may be empty
   * @param range positions on the scale
   */
  public record Axis(String label, String unit, Scale scale, double[] range) {}

  /**
   * An entry of the legend.
   *
   * @param width width of a line, in pixels
   */
  public record Key(String label, LineStyle ink, float width, Symbol symbol) {
    /** The symbols before labels of the legend. */
    public enum Symbol {
      LINE,
      SQUARE,
      HOLLOW_MARK
    }

    static Key square(String label, Color color) {
      return new Key(label, new LineStyle(color, List.of()), 1, Symbol.SQUARE);
    }

    public static Key of(Line line) {
      return new Key(line.label(), line.ink(), Math.max(2, line.width()), Symbol.LINE);
    }
  }
}
