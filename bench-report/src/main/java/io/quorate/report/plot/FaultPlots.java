// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageCurve;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.EventLayer;
import io.quorate.report.plot.draw.EventLayer.Kind;
import io.quorate.report.plot.draw.EventLayer.Mark;
import io.quorate.report.plot.draw.EventLayer.Span;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.report.plot.draw.Scale;
import io.quorate.results.FaultRecord;
import io.quorate.results.RunEvent;
import io.quorate.scenario.FaultPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** Plots the course of all injections of each fault. */
final class FaultPlots {
  private static final double MS_PER_SECOND = 1000;
  private static final double NANOS_PER_SECOND = 1e9;

  private static final Set<RunEvent.Kind> SHOWN =
      EnumSet.of(RunEvent.Kind.LEADER_CHANGE, RunEvent.Kind.NO_SUCCESS, RunEvent.Kind.SERVER_LOG);

  private static final float THIN = 1.2f;

  private FaultPlots() {}

  static List<RunPlots.Task> tasks(PlotData run) {
    List<FaultPlan.Kind> kinds =
        run.faults().values().stream()
            .flatMap(each -> each.byKind().keySet().stream())
            .distinct()
            .sorted(Comparator.comparing(FaultPlan.Kind::fault))
            .toList();
    List<RunPlots.Task> tasks = new ArrayList<>();
    for (FaultPlan.Kind kind : kinds) {
      String name = "FAULT-" + kind.toString().toUpperCase(Locale.ROOT).replace(' ', '-');
      add(
          tasks,
          name + "-THROUGHPUT",
          course(run, kind, "throughput", "requests/s", false, OutageCurve::acknowledged));
      add(tasks, name + "-P99-MS", course(run, kind, "p99", "ms", true, OutageCurve::p99Ms));
      add(
          tasks,
          name + "-ERRORS",
          course(run, kind, "failed or unknown", "requests/s", false, OutageCurve::errors));
    }
    return tasks;
  }

  private static void add(List<RunPlots.Task> tasks, String name, List<PlotSpec> sketches) {
    sketches.forEach(each -> tasks.add(new RunPlots.Task(name, PlotSection.FAULTS, each)));
  }

  private static List<Outage> outages(PlotData run, DatabaseSeries of, FaultPlan.Kind kind) {
    return Optional.ofNullable(run.faults().get(of.id()))
        .map(FaultFigures::byKind)
        .map(kinds -> kinds.get(kind))
        .orElse(List.of());
  }

  private static List<PlotSpec> course(
      PlotData run,
      FaultPlan.Kind kind,
      String what,
      String unit,
      boolean log,
      Function<OutageCurve, double[]> values) {
    List<Line> lines = new ArrayList<>();
    List<List<Mark>> marks = new ArrayList<>();
    double end = 0;
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      List<Outage> outages = outages(run, database, kind);
      List<Mark> row = new ArrayList<>();
      for (int number = 0; number < outages.size(); number++) {
        OutageCurve curve = outages.get(number).curve();
        Line line =
            new Line(
                    number == 0 ? database.name() : "",
                    run.inks().get(i),
                    curve.seconds(),
                    values.apply(curve))
                .withWidth(THIN);
        lines.add(number == 0 ? line : line.partOf(database.name(), "injection " + (number + 1)));
        row.addAll(marks(database, outages.get(number)));
        FaultRecord fault = outages.get(number).fault();
        end = Math.max(end, (fault.endNanos() - fault.startNanos()) / NANOS_PER_SECOND);
      }
      marks.add(row);
    }
    if (lines.stream().flatMapToDouble(each -> DoubleStream.of(each.y())).noneMatch(y -> y > 0)) {
      return List.of();
    }
    Scale up = log ? new LogScale() : new LinearScale(false);
    EventLayer events = new EventLayer(marks, List.of(new Span(0, end)));
    return new LinePlotSpec(
            kind + ": " + what, unit, "seconds since the fault", new LinearScale(true), up)
            .of(
                lines,
                "All injections of "
                    + kind
                    + ", by 250 ms; the fault lasts "
                    + AltText.number(end)
                    + " s.",
                line -> line.label().isEmpty() ? "" : AltText.of(line))
            .stream()
            .map(
                plot ->
                    plot.withKeys(
                        plot.keys().stream().filter(key -> !key.label().isEmpty()).toList()))
            .map(plot -> plot.withEvents(events))
            .toList();
  }

  /** Returns what happened near an injection. */
  private static List<Mark> marks(DatabaseSeries database, Outage outage) {
    FaultRecord fault = outage.fault();
    long origin = fault.startUnixNanos();
    double[] shown = outage.curve().seconds();
    List<Mark> marks = new ArrayList<>();
    outage.elected().ifPresent(time -> marks.add(instant(Kind.LEADER_CHANGE, time)));
    if (outage.serving().ended()) {
      marks.add(instant(Kind.ALL_SERVE, outage.serving()));
    }
    for (RunEvent event : database.events()) {
      double start = (event.startUnixNanos() - origin) / NANOS_PER_SECOND;
      if (SHOWN.contains(event.kind())
          && shown.length > 0
          && start >= shown[0]
          && start <= shown[shown.length - 1]) {
        marks.add(Mark.of(event, origin));
      }
    }
    return marks;
  }

  private static Mark instant(Kind kind, OutageTime time) {
    double second = time.ms() / MS_PER_SECOND;
    return new Mark(kind, new Span(second, second));
  }
}
