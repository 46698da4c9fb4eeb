package io.quorate.report.plot;

import io.quorate.QuorateException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plots of a run. The same figures give the same files, on any machine and in any locale.
 *
 * @param drawn in the order of the page
 * @param absent why which plots are left out, as sentences
 */
public record RunPlots(List<Plot> drawn, List<String> absent) {
  public RunPlots {
    drawn = List.copyOf(drawn);
    absent = List.copyOf(absent);
  }

  /** Takes a file that is ready. */
  @FunctionalInterface
  public interface Output {
    /**
     * @param name with its ending
     */
    void file(String name, byte[] content);
  }

  private record Task(String name, PlotSection section, Sketch sketch) {
    static Task of(RunPlot plot, Sketch sketch) {
      String of =
          sketch
              .of()
              .map(database -> "-" + database.id().replaceAll("[^A-Za-z0-9_-]", "-"))
              .orElse("");
      return new Task(plot.fileName() + of, plot.section(), sketch);
    }
  }

  /** The columns of the aggregated file of which there are plots, which are named as they are. */
  public static List<String> columns() {
    return Arrays.stream(RunPlot.values())
        .filter(RunPlot::isOfAggregatedColumn)
        .map(RunPlot::fileName)
        .toList();
  }

  /**
   * Draws every plot for which there is something to draw.
   *
   * @param output is given the SVG and the PNG file of each, by several threads
   */
  public static RunPlots draw(PlottedRun run, Output output) {
    return draw(run, List.of(RunPlot.values()), List.of(), output);
  }

  /**
   * Draws the plots that the reference draws: those of the columns that its configuration lists,
   * and those by key.
   *
   * @param output is given the SVG and the PNG file of each, by several threads
   */
  public static RunPlots draw(PlottedRun run, List<String> columns, Output output) {
    List<RunPlot> plots = new ArrayList<>();
    List<Task> others = new ArrayList<>();
    for (String column : columns.stream().distinct().toList()) {
      Optional<RunPlot> known = RunPlot.ofColumn(column);
      known.ifPresent(plots::add);
      if (known.isEmpty()) {
        TimePlots.column(run, column, column, "", new LinearScale(false))
            .forEach(sketch -> others.add(new Task(column, PlotSection.SERVERS, sketch)));
      }
    }
    Arrays.stream(RunPlot.values())
        .filter(plot -> plot.section() == PlotSection.KEYS)
        .forEach(plots::add);
    return draw(run, plots, others, output);
  }

  private static RunPlots draw(
      PlottedRun run, List<RunPlot> plots, List<Task> others, Output output) {
    List<Task> tasks = new ArrayList<>();
    Map<RunPlot.Source, List<String>> missing = new EnumMap<>(RunPlot.Source.class);
    for (RunPlot plot : plots) {
      List<Sketch> sketches = plot.sketches(run);
      sketches.forEach(sketch -> tasks.add(Task.of(plot, sketch)));
      if (sketches.isEmpty()) {
        missing.computeIfAbsent(plot.source(), any -> new ArrayList<>()).add(plot.fileName());
      }
    }
    tasks.addAll(others);
    List<String> absent = new ArrayList<>();
    missing.forEach(
        (source, names) ->
            absent.add("No " + String.join(", ", names) + ": " + source.withoutIt() + "."));
    Typeface typeface;
    try {
      typeface = Typeface.load();
    } catch (QuorateException noText) {
      return new RunPlots(List.of(), List.of("No plots: " + noText.getMessage() + "."));
    }
    String note =
        run.missing().isEmpty() ? "" : " Not shown: " + String.join(", ", run.missing()) + ".";
    return new RunPlots(
        tasks.parallelStream().map(task -> drawn(task, note, typeface, output)).toList(), absent);
  }

  private static Plot drawn(Task task, String note, Typeface typeface, Output output) {
    Sketch sketch = task.sketch().withDescription(task.sketch().description() + note);
    Sheet sheet = new Sheet(sketch, typeface);
    String svg = SvgFile.text(task.name(), sketch, sheet);
    output.file(task.name() + ".svg", svg.getBytes(StandardCharsets.UTF_8));
    output.file(task.name() + ".png", PngFile.bytes(sheet));
    return new Plot(task.name(), task.section(), sketch.title(), sketch.description(), svg);
  }
}
