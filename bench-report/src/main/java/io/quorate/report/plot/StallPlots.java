// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.Evidence;
import io.quorate.report.doctor.Stall;
import io.quorate.report.doctor.StallAnalysis.Explanation;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.LabelScale;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.store.server.StallCause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Plots the stalls of the clients of a database, and their possible causes, on one axis of time.
 */
final class StallPlots {
  private static final double MILLIS_PER_SECOND = 1000;

  /** Most causes of a plot. */
  private static final int MOST = 6;

  /** Length at which the shortest event is visible, as a part of the time. */
  private static final double VISIBLE = 0.003;

  private static final float BROAD = 7;
  private static final double PALE = 0.35;

  private StallPlots() {}

  static List<RunPlots.Task> tasks(PlotData run) {
    List<RunPlots.Task> tasks = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      LineStyle ink = run.inks().get(i);
      Diagnosis diagnosis = run.diagnoses().get(database.id());
      if (diagnosis != null && !diagnosis.stalls().stalls().isEmpty()) {
        String id = database.id().replaceAll("[^A-Za-z0-9_-]", "-");
        sketches(database, ink, diagnosis)
            .forEach(
                sketch -> tasks.add(new RunPlots.Task("STALLS-" + id, PlotSection.STALLS, sketch)));
      }
    }
    return tasks;
  }

  private static List<PlotSpec> sketches(
      DatabaseSeries database, LineStyle ink, Diagnosis diagnosis) {
    Map<StallCause, List<Evidence>> causes = causes(diagnosis);
    double length = Math.max(1, database.seconds().rows());
    List<Line> lines = new ArrayList<>();
    List<LabelScale.Label> labels = new ArrayList<>();
    int row = causes.size();
    labels.add(new LabelScale.Label(row, "stalls", "stalls of the clients"));
    lines.add(
        line(
            database,
            ink.darker(PALE),
            row,
            diagnosis.stalls().stalls().stream().map(StallPlots::times).toList(),
            length));
    for (Map.Entry<StallCause, List<Evidence>> cause : causes.entrySet()) {
      row--;
      String id = cause.getKey().id().replace('-', ' ');
      labels.add(0, new LabelScale.Label(row, id, cause.getKey().words()));
      lines.add(
          line(
              database,
              ink,
              row,
              cause.getValue().stream()
                  .map(each -> new double[] {each.startMillis(), each.endMillis()})
                  .toList(),
              length));
    }
    LinePlotSpec sketch =
        new LinePlotSpec(
            "Stalls of " + database.name() + " and events that can explain them",
            "",
            // where steps are aligned, this is another axis than that of the other plots
            "seconds since %s first request".formatted(database.shifts().isEmpty() ? "the" : "its"),
            new LinearScale(true),
            new LabelScale(labels));
    return sketch
        .of(
            java.util.Optional.empty(),
            lines,
            new double[] {-0.005 * length, length * 1.005},
            new double[] {-0.6, causes.size() + 0.6},
            List.of(),
            "Stalls of the clients in the upper row, events in the others. "
                + String.join(" ", diagnosis.sentences()))
        .stream()
        .map(plot -> plot.withKeys(List.of()).withUpLabel(""))
        .toList();
  }

  private static double[] times(Stall stall) {
    return new double[] {stall.startMillis(), stall.endMillis()};
  }

  /**
   * Returns the evidence to show: of the causes that were found, then of the most frequent ones.
   */
  private static Map<StallCause, List<Evidence>> causes(Diagnosis diagnosis) {
    Map<StallCause, List<Evidence>> byCause =
        diagnosis.evidence().stream().collect(Collectors.groupingBy(Evidence::cause));
    Map<StallCause, List<Evidence>> shown = new LinkedHashMap<>();
    diagnosis.stalls().explanations().stream()
        .map(Explanation::cause)
        .forEach(cause -> shown.put(cause, byCause.get(cause)));
    byCause.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .filter(each -> !shown.containsKey(each.getKey()))
        .limit(Math.max(0, MOST - shown.size()))
        .toList()
        .forEach(each -> shown.put(each.getKey(), each.getValue()));
    return shown;
  }

  private static Line line(
      DatabaseSeries database, LineStyle ink, int row, List<double[]> times, double length) {
    List<double[]> points = new ArrayList<>();
    times.stream()
        .sorted((one, other) -> Double.compare(one[0], other[0]))
        .forEach(
            each -> {
              double start = each[0] / MILLIS_PER_SECOND - database.firstSecond();
              double end =
                  Math.max(
                      each[1] / MILLIS_PER_SECOND - database.firstSecond(),
                      start + VISIBLE * length);
              if (end >= 0 && start <= length) {
                points.add(new double[] {Math.max(0, start), row});
                points.add(new double[] {Math.min(length, end), row});
                points.add(new double[] {Math.min(length, end), Double.NaN});
              }
            });
    return Line.of("", ink, points).withWidth(BROAD);
  }
}
