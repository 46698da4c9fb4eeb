// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A sketch of a plot of lines.
 *
 * @param title title without the unit
 * @param unit unit of the values; may be empty
 */
public record LinePlotSpec(String title, String unit, String acrossLabel, Scale across, Scale up) {
  /**
   * Completes the sketch with these lines, on axes that cover them; empty if the lines are empty.
   *
   * @param what sentence about the content of the plot
   * @param words returns a sentence about each line
   */
  public List<PlotSpec> of(List<Line> lines, String what, Function<Line, String> words) {
    double[] across = range(this.across, lines.stream().map(Line::x));
    String description = sentences(what, lines, words);
    return of(Optional.empty(), lines, across, upRange(lines), List.of(), description);
  }

  public static String sentences(String what, List<Line> lines, Function<Line, String> words) {
    return Stream.concat(Stream.of(what), lines.stream().filter(line -> !line.isEmpty()).map(words))
        .collect(Collectors.joining(" "));
  }

  /**
   * Completes the sketch with these lines; empty if the lines are empty.
   *
   * @param of id of the only database of the plot, if there is only one
   * @param steps steps; empty if x is not the time
   */
  public List<PlotSpec> of(
      Optional<DatabaseSeries> of,
      List<Line> lines,
      double[] acrossRange,
      double[] upRange,
      List<StepLayer.Lane> steps,
      String description) {
    List<Line> placed =
        lines.stream().map(line -> line.on(across, up)).filter(line -> !line.isEmpty()).toList();
    if (placed.isEmpty()) {
      return List.of();
    }
    return List.of(
        new PlotSpec(
            of,
            unit.isEmpty() ? title : title + " (" + unit + ")",
            description,
            new PlotSpec.Axis(acrossLabel, "", across, acrossRange),
            new PlotSpec.Axis(unit.isEmpty() ? title : unit, unit, up, upRange),
            steps,
            List.of(new LineLayer(placed)),
            placed.stream().map(PlotSpec.Key::of).toList()));
  }

  public double[] upRange(List<Line> lines) {
    return range(up, lines.stream().flatMap(line -> Stream.of(line.y(), line.low(), line.high())));
  }

  private static double[] range(Scale scale, Stream<double[]> values) {
    double[] shown =
        values
            .flatMapToDouble(Arrays::stream)
            .filter(value -> !Double.isNaN(scale.position(value)))
            .toArray();
    return shown.length == 0
        ? scale.range(1, 1)
        : scale.range(
            DoubleStream.of(shown).min().getAsDouble(), DoubleStream.of(shown).max().getAsDouble());
  }
}
