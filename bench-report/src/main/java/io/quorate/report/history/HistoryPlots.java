// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.Named;
import io.quorate.VisibleText;
import io.quorate.report.history.HistoryEntry.RunKey;
import io.quorate.report.history.RunSeries.LevelChange;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.LabelScale;
import io.quorate.report.plot.draw.LabelScale.Label;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.report.plot.draw.Scale;
import io.quorate.scenario.Metric;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Plots series over runs: a plot for each metric of a step, with a line for each database. */
final class HistoryPlots {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int MAX_PLOTS = 60;
  private static final int MAX_NAME = 60;
  private static final int SHORT = 10;
  private static final int FEW_DAYS = 2;
  private static final double SECONDS_PER_DAY = 86_400;

  /** Ratio of the greatest to the least value from which an axis is logarithmic. */
  private static final double WIDE = 4;

  private static final float LEVEL_WIDTH = 2.5f;
  private static final double PALE = 0.45;

  /** What is across a plot. */
  enum By implements Named {
    COMMIT(HistoryEntry::commit),
    BUILD(HistoryEntry::build),
    DATE(entry -> Optional.of(time(entry.start())));

    private final Function<HistoryEntry, Optional<String>> text;

    By(Function<HistoryEntry, Optional<String>> text) {
      this.text = text;
    }

    /** Returns the commit if all runs have one, otherwise the date. */
    static By of(List<HistoryEntry> entries) {
      return entries.stream().allMatch(each -> each.commit().isPresent()) ? COMMIT : DATE;
    }

    /** Returns a label; a date as the day, or as the time if the runs cover a few days. */
    private String text(HistoryEntry entry, boolean days) {
      if (this == DATE) {
        String time = time(entry.start());
        return days ? time.substring(0, SHORT) : time.substring(SHORT + 1);
      }
      return VisibleText.of(text.apply(entry).map(RunSeries::shortened).orElse("-"), SHORT);
    }
  }

  /** The plots of a scenario. */
  private record Plots(String scenario, By by, Map<RunKey, Label> places) {
    static Plots of(String scenario, By by, List<RunSeries> series) {
      Map<RunKey, HistoryEntry> runs = new LinkedHashMap<>();
      series.stream()
          .flatMap(each -> each.entries().stream())
          .sorted(Comparator.comparing(HistoryEntry::start))
          .forEach(entry -> runs.putIfAbsent(entry.runKey(), entry));
      Map<RunKey, Label> places = new LinkedHashMap<>();
      Instant first = runs.values().iterator().next().start();
      boolean days =
          runs.values().stream()
              .anyMatch(run -> Duration.between(first, run.start()).toDays() >= FEW_DAYS);
      runs.forEach(
          (run, entry) ->
              places.put(
                  run,
                  new Label(
                      by == By.DATE
                          ? Duration.between(first, entry.start()).toSeconds() / SECONDS_PER_DAY
                          : places.size(),
                      by.text(entry, days),
                      when(entry))));
      return new Plots(scenario, by, places);
    }

    List<PlotSpec> plot(Metric metric, String group, List<RunSeries> series, String unit) {
      double[] all =
          series.stream().flatMapToDouble(each -> Arrays.stream(each.values())).sorted().toArray();
      Scale up =
          all[0] > 0 && all[all.length - 1] > WIDE * all[0]
              ? new LogScale()
              : new LinearScale(false);
      List<LineStyle> inks =
          LineStyle.of(
              series.stream().map(each -> each.database().replaceFirst("[, ].*", "")).toList());
      List<Line> lines = new ArrayList<>();
      for (int i = 0; i < series.size(); i++) {
        lines.addAll(lines(series.get(i), inks.get(i)));
      }
      String title =
          "%s: %s, %s"
              .formatted(
                  VisibleText.of(scenario, MAX_NAME),
                  metric.title(),
                  VisibleText.of(group, MAX_NAME));
      LinePlotSpec sketch =
          new LinePlotSpec(
              title,
              unit,
              "runs of %s by %s".formatted(VisibleText.of(scenario, MAX_NAME), by.id()),
              new LabelScale(List.copyOf(places.values())),
              up);
      return sketch.of(
          lines,
          title + " of each run" + (up instanceof LogScale ? ", on a logarithmic axis." : "."),
          line -> line.label().isEmpty() ? "" : AltText.of(line));
    }

    private List<Line> lines(RunSeries series, LineStyle ink) {
      double[] across =
          series.entries().stream()
              .mapToDouble(each -> Objects.requireNonNull(places.get(each.runKey())).at())
              .toArray();
      String name = VisibleText.of(series.name(), MAX_NAME);
      if (series.points().isEmpty()) {
        return List.of(new Line(name, ink, across, series.values()));
      }
      double[] levels = series.levels();
      double[] changes = new double[across.length];
      boolean[] pending = new boolean[across.length];
      Arrays.fill(changes, Double.NaN);
      for (LevelChange change : series.changes()) {
        changes[change.point().index()] = change.point().after();
        pending[change.point().index()] = change.isPending();
      }
      return List.of(
          new Line(name, ink.lighter(PALE), across, series.values()),
          new Line("", ink, across, levels).partOf(name, "mean").withWidth(LEVEL_WIDTH),
          new Line("", ink.darker(PALE), across, changes)
              .partOf(name, "changed to")
              .withWidth(LEVEL_WIDTH)
              .withMarks()
              .withHollow(pending));
    }
  }

  /**
   * The plots of a history.
   *
   * @param left number of plots that are left out, as there are too many
   * @param zero titles of metrics that are always 0 at some place, and have no plot there
   */
  record Drawn(RunPlots plots, int left, List<String> zero) {}

  private record Place(String scenario, String group, Metric metric) {}

  /** Least number of runs of a series for plots, as fewer show no course. */
  static final int LEAST_RUNS = 3;

  private HistoryPlots() {}

  /** Draws the plots; those with changes first if there are too many, none of one or two runs. */
  static Drawn draw(RunHistory history, By by) {
    if (history.longest() < LEAST_RUNS) {
      return new Drawn(RunPlots.NONE, 0, List.of());
    }
    Map<String, List<RunSeries>> scenarios = new LinkedHashMap<>();
    Map<Place, List<RunSeries>> all = new LinkedHashMap<>();
    for (RunSeries series : history.series()) {
      scenarios.computeIfAbsent(series.scenario(), any -> new ArrayList<>()).add(series);
      all.computeIfAbsent(
              new Place(series.scenario(), series.row().group(), series.metric()),
              any -> new ArrayList<>())
          .add(series);
    }
    List<String> zero =
        all.entrySet().stream()
            .filter(each -> isZero(each.getValue()))
            .map(each -> each.getKey().metric.title())
            .distinct()
            .toList();
    all.values().removeIf(HistoryPlots::isZero);
    Map<String, Plots> plots = new LinkedHashMap<>();
    scenarios.forEach((scenario, series) -> plots.put(scenario, Plots.of(scenario, by, series)));
    List<Place> shown =
        Stream.concat(
                all.entrySet().stream()
                    .filter(each -> isChanged(each.getValue()))
                    .map(Map.Entry::getKey),
                all.keySet().stream())
            .distinct()
            .limit(MAX_PLOTS)
            .toList();
    List<RunPlots.Task> tasks = new ArrayList<>();
    all.forEach(
        (place, series) -> {
          if (shown.contains(place)) {
            Objects.requireNonNull(plots.get(place.scenario))
                .plot(place.metric, place.group, series, unit(place.metric))
                .forEach(
                    plot ->
                        tasks.add(
                            new RunPlots.Task(
                                "history-" + (tasks.size() + 1), section(place.metric), plot)));
          }
        });
    return new Drawn(RunPlots.draw(tasks), all.size() - shown.size(), zero);
  }

  private static boolean isZero(List<RunSeries> series) {
    return series.stream().allMatch(each -> Arrays.stream(each.values()).allMatch(v -> v == 0));
  }

  private static boolean isChanged(List<RunSeries> series) {
    return series.stream().anyMatch(each -> !each.points().isEmpty());
  }

  private static String unit(Metric metric) {
    return metric == Metric.THROUGHPUT ? "requests/s" : metric.unit();
  }

  private static PlotSection section(Metric metric) {
    return metric.isOfMachines()
        ? PlotSection.SERVERS
        : metric.isTime()
            ? PlotSection.LATENCY
            : metric.isCount() ? PlotSection.ERRORS : PlotSection.THROUGHPUT;
  }

  /** Returns when a run began, its commit and its build. */
  static String when(HistoryEntry entry) {
    return time(entry.start())
        + entry
            .commit()
            .map(id -> ", commit " + VisibleText.of(RunSeries.shortened(id), MAX_NAME))
            .orElse("")
        + entry.build().map(id -> ", build " + VisibleText.of(id, MAX_NAME)).orElse("");
  }

  /** Returns a time in UTC, to the minute. */
  static String time(Instant time) {
    return MINUTE.format(time);
  }
}
