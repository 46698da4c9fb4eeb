// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.plot.draw.LineChart;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.PlotFont;
import io.quorate.report.plot.draw.PlotLayout;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.report.plot.draw.SvgFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The plots of a run. The same values give the same files in any locale, and the SVG files are the
 * same on any machine.
 *
 * @param drawn plots in the order of the page
 * @param absent sentences about omitted plots, with the reasons
 * @param unable sentence why this Java cannot draw plots; empty if it can
 */
public record RunPlots(List<Plot> drawn, List<String> absent, Optional<String> unable) {
  /**
   * System property that is false if no plots are wanted; drawing takes most of the time of a
   * report.
   */
  private static final String WANTED = "quorate.plots";

  /** Result with no plots and no reasons. */
  public static final RunPlots NONE = new RunPlots(List.of(), List.of(), Optional.empty());

  /**
   * Returns the plots that answer the question of a run: the card of a capacity, the plots by load
   * if there were several loads, otherwise latency by percentile, of watchers first.
   */
  public List<Plot> first(boolean search) {
    List<Plot> byLoad =
        drawn(
            RunPlot.THROUGHPUT_BY_CLIENTS,
            RunPlot.THROUGHPUT_BY_RATE,
            RunPlot.P99_BY_CLIENTS,
            RunPlot.P99_BY_RATE,
            RunPlot.LATENCY_BY_CLIENTS,
            RunPlot.LATENCY_BY_RATE);
    return search
        ? drawn(RunPlot.CAPACITY)
        : !byLoad.isEmpty()
            ? byLoad
            : drawn(RunPlot.WATCH_LATENCY_DISTRIBUTION_MS, RunPlot.LATENCY_DISTRIBUTION_MS);
  }

  /**
   * Returns at most six further plots that stand for all: throughput, p99 and latency by
   * percentile, heat maps (one of them is seen at a time), CPU and disk of the servers.
   */
  public List<List<Plot>> tiles(boolean search) {
    List<Plot> first = first(search);
    return Stream.of(
            drawn(RunPlot.AVG_THROUGHPUT),
            drawn(RunPlot.LATENCY_P99_MS),
            drawn(RunPlot.LATENCY_DISTRIBUTION_MS),
            drawn.stream()
                .filter(plot -> plot.name().startsWith(RunPlot.LATENCY_HEAT_MAP.fileName()))
                .toList(),
            drawn(RunPlot.AVG_CPU),
            drawn(RunPlot.SERVER_LOG_SYNC_MS, RunPlot.AVG_WRITE_BYTES_NUM_DELTA))
        .filter(tile -> !tile.isEmpty() && !first.containsAll(tile))
        .toList();
  }

  /** Returns whether another plot shows the same line in a band. */
  public boolean isInAnother(Plot plot) {
    return drawn.stream().anyMatch(each -> each.name().equals(plot.name() + "-ERROR-POINTS"));
  }

  private List<Plot> drawn(RunPlot... wanted) {
    return Stream.of(wanted)
        .flatMap(one -> drawn.stream().filter(plot -> plot.name().equals(one.fileName())))
        .toList();
  }

  /** Returns the few plots that stand for all of them next to a result table. */
  public List<Plot> essential() {
    return drawn.stream().filter(plot -> RunPlot.isEssential(plot.name())).toList();
  }

  /**
   * A plot to be drawn.
   *
   * @param name of its files, and the beginning of the ids in its SVG
   */
  public record Task(String name, PlotSection section, PlotSpec sketch) {
    static Task of(RunPlot plot, PlotSpec sketch) {
      String of =
          sketch
              .of()
              .map(database -> "-" + database.id().replaceAll("[^A-Za-z0-9_-]", "-"))
              .orElse("");
      return new Task(plot.fileName() + of, plot.section(), sketch);
    }
  }

  /** Returns the columns of the aggregated file that have plots, which have the columns' names. */
  public static List<String> columns() {
    return Arrays.stream(RunPlot.values())
        .filter(RunPlot::isOfAggregatedColumn)
        .map(RunPlot::fileName)
        .toList();
  }

  /**
   * Draws every plot with data.
   *
   * @param together whether plots of one database are left out
   * @param output receives name and content of the SVG and the PNG file of each plot
   */
  public static RunPlots draw(PlotData run, boolean together, BiConsumer<String, byte[]> output) {
    return draw(run, List.of(RunPlot.values()), List.of(), together, Optional.of(output));
  }

  /** Draws every plot with data, without files. */
  public static RunPlots draw(PlotData run) {
    return draw(run, List.of(RunPlot.values()), List.of(), false, Optional.empty());
  }

  /**
   * Draws the plots of the reference: of the columns that its configuration lists, and by key.
   *
   * @param output receives name and content of the SVG and the PNG file of each plot
   */
  public static RunPlots draw(
      PlotData run, List<String> columns, BiConsumer<String, byte[]> output) {
    List<RunPlot> plots = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String column : columns.stream().distinct().toList()) {
      RunPlot.ofColumn(column).ifPresentOrElse(plots::add, () -> others.add(column));
    }
    Arrays.stream(RunPlot.values())
        .filter(plot -> plot.section() == PlotSection.KEYS)
        .forEach(plots::add);
    return draw(run, plots, others, false, Optional.of(output));
  }

  /** Draws plots without files. */
  public static RunPlots draw(List<Task> tasks) {
    return draw(typeface -> drawn(tasks, "", List.of(), typeface, Optional.empty()));
  }

  /**
   * Draws plots.
   *
   * @param output receives name and content of the SVG and the PNG file of each plot
   */
  public static RunPlots draw(List<Task> tasks, BiConsumer<String, byte[]> output) {
    return draw(typeface -> drawn(tasks, "", List.of(), typeface, Optional.of(output)));
  }

  /** Returns whether pictures are wanted, and this Java can draw text. */
  public static boolean isPossible() {
    RunPlots tried = draw(any -> new RunPlots(List.of(), List.of("drawn"), Optional.empty()));
    return tried.unable.isEmpty() && !tried.absent.isEmpty();
  }

  /** Draws with the font; draws nothing if that is not wanted, or this Java cannot draw text. */
  private static RunPlots draw(Function<PlotFont, RunPlots> drawing) {
    if (System.getProperty(WANTED, "true").equals("false")) {
      return NONE;
    }
    try {
      return drawing.apply(PlotFont.load());
    } catch (IOException | LinkageError | InternalError unable) {
      String wayOut = "a Java with java.desktop and, on Debian, the package libfreetype6 can";
      String why = "No plots: this Java cannot draw text (" + unable + "); " + wayOut + ".";
      return new RunPlots(List.of(), List.of(why), Optional.of(why));
    }
  }

  private static RunPlots draw(
      PlotData run,
      List<RunPlot> plots,
      List<String> others,
      boolean together,
      Optional<BiConsumer<String, byte[]>> output) {
    if (run.databases().isEmpty()) {
      String none = "No plots: no database has a complete, readable run with a successful request.";
      return new RunPlots(List.of(), List.of(none), Optional.empty());
    }
    return draw(typeface -> draw(run, plots, others, together, typeface, output));
  }

  private static RunPlots draw(
      PlotData run,
      List<RunPlot> plots,
      List<String> others,
      boolean together,
      PlotFont typeface,
      Optional<BiConsumer<String, byte[]>> output) {
    List<Task> tasks = new ArrayList<>();
    Map<RunPlot.Source, List<String>> missing = new EnumMap<>(RunPlot.Source.class);
    for (RunPlot plot : plots) {
      List<PlotSpec> sketches = plot.sketches(run);
      sketches.stream()
          .filter(sketch -> !together || sketch.of().isEmpty())
          .forEach(sketch -> tasks.add(Task.of(plot, sketch)));
      if (sketches.isEmpty() && plot.source().isOf(run)) {
        missing.computeIfAbsent(plot.source(), any -> new ArrayList<>()).add(plot.fileName());
      }
    }
    for (String column : others) {
      TimePlots.column(run, column, column, "", new LinearScale(false))
          .forEach(sketch -> tasks.add(new Task(column, PlotSection.SERVERS, sketch)));
    }
    tasks.addAll(FaultPlots.tasks(run));
    tasks.addAll(StallPlots.tasks(run));
    List<String> absent = new ArrayList<>();
    missing.forEach(
        (source, names) ->
            absent.add("No " + String.join(", ", names) + ": " + source.withoutIt() + "."));
    String note =
        run.missing().isEmpty() ? "" : " Not shown: " + String.join(", ", run.missing()) + ".";
    return drawn(tasks, note, absent, typeface, output);
  }

  /**
   * Draws one plot after the other. Java measures text wrongly, now and then, if several threads do
   * so at the same time: {@code FileFontStrike.getFontMetrics} shows others an unfinished value.
   */
  private static RunPlots drawn(
      List<Task> tasks,
      String note,
      List<String> absent,
      PlotFont typeface,
      Optional<BiConsumer<String, byte[]>> output) {
    return new RunPlots(
        tasks.stream().map(task -> drawn(task, note, typeface, output)).toList(),
        absent,
        Optional.empty());
  }

  private static Plot drawn(
      Task task, String note, PlotFont typeface, Optional<BiConsumer<String, byte[]>> output) {
    PlotSpec sketch = task.sketch().withDescription(task.sketch().description() + note);
    PlotLayout sheet = new PlotLayout(sketch, typeface);
    Plot plot =
        new Plot(
            task.name(),
            task.section(),
            sketch.title(),
            sketch.description(),
            SvgFile.text(task.name(), sketch, sheet),
            LineChart.of(sketch));
    output.ifPresent(
        files -> {
          files.accept(task.name() + ".svg", plot.svg().getBytes(StandardCharsets.UTF_8));
          files.accept(task.name() + ".png", sheet.png());
        });
    return plot;
  }
}
