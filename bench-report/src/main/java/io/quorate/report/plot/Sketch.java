package io.quorate.report.plot;

import java.util.List;
import java.util.Optional;

/**
 * A complete description of a plot for drawing.
 *
 * @param of the database that it is about, if it is about one only
 * @param title with the unit
 * @param description for those who cannot see it
 * @param steps empty if x is not the time
 * @param layers the lowest first
 */
record Sketch(
    Optional<PlottedDatabase> of,
    String title,
    String description,
    Axis across,
    Axis up,
    List<StepLayer.Lane> steps,
    List<Layer> layers,
    List<Key> keys) {
  Sketch {
    steps = List.copyOf(steps);
    layers = List.copyOf(layers);
    keys = List.copyOf(keys);
  }

  Sketch withDescription(String words) {
    return new Sketch(of, title, words, across, up, steps, layers, keys);
  }

  Sketch withUpLabel(String label) {
    Axis named = new Axis(label, up.scale(), up.range());
    return new Sketch(of, title, description, across, named, steps, layers, keys);
  }

  /**
   * An axis.
   *
   * @param range positions on the scale
   */
  record Axis(String label, Scale scale, double[] range) {}

  /**
   * An entry of the legend.
   *
   * @param line whether it is a line, and not a filled square
   */
  record Key(String label, Ink ink, float width, boolean line) {
    static Key of(Line line) {
      return new Key(line.label(), line.ink(), Math.max(2, line.width()), true);
    }
  }
}
