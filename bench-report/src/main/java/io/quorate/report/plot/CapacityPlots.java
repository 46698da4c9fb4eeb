// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.plot.CapacitySeries.Curve;
import io.quorate.report.plot.CapacitySeries.Point;
import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.results.capacity.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Plots the trials below and above the found capacities. */
final class CapacityPlots {
  private static final double NANOS_PER_MS = 1e6;
  private static final double PALE = 0.45;
  private static final double PALER = 0.25;
  private static final float WIDE = 2;

  /** Width of a line whose only point has a large mark. */
  private static final float WIDEST = 3;

  private static final String SPOILED = "hollow: invalid trial";
  private static final LineStyle LIMIT = new LineStyle(LineStyle.FAINT, List.of(6f, 4f));

  private CapacityPlots() {}

  static List<PlotSpec> card(PlotData run) {
    CapacitySeries capacity = run.capacity();
    List<Line> named = new ArrayList<>();
    List<Line> lines = new ArrayList<>();
    for (Curve curve : capacity.curves()) {
      LineStyle ink = ink(run, curve);
      Line p99 =
          line(curve, curve.label(), ink, CapacityPlots::p99Ms)
              .withWidth(WIDE)
              .withMarks()
              .withBand(values(curve, Point::p99LowMs), values(curve, Point::p99HighMs));
      named.add(p99);
      lines.add(
          line(curve, "", ink.lighter(PALER).dashed(2f, 2f), row -> ms(row.latencies().p999Nanos()))
              .partOf(curve.label(), "p99.9"));
      lines.add(
          line(curve, "", ink.lighter(PALE), row -> ms(row.latencies().p50Nanos()))
              .partOf(curve.label(), "p50"));
      lines.add(p99);
      lines.add(atCapacity(curve, ink).partOf(curve.label(), "at the capacity"));
    }
    limits(capacity, lines).forEach(named::add);
    LinePlotSpec sketch =
        new LinePlotSpec(
            capacity.ofClients()
                ? "Capacity, and latency by clients"
                : "Capacity, and latency by offered load",
            "ms",
            across(capacity),
            new LinearScale(true),
            new LogScale());
    String what =
        ("Response time (ms, logarithmic axis): p99 with its 95% confidence interval, pale "
                + "p50, dotted p99.9; a large dot at the capacity. "
                + hollow(capacity))
            .strip();
    List<PlotSpec.Key> keys = keys(capacity, named);
    return sketch.of(lines, what, CapacityPlots::words).stream()
        .map(drawn -> drawn.withUpLabel("ms: p99 with interval, pale p50, dotted p99.9"))
        .map(drawn -> drawn.withKeys(keys))
        .toList();
  }

  private static String words(Line line) {
    return line.label().isEmpty()
        ? ""
        : line.hasBand() ? AltText.ofIntervals(line) : AltText.ofPoints(line);
  }

  private static List<PlotSpec.Key> keys(CapacitySeries capacity, List<Line> lines) {
    List<PlotSpec.Key> keys = new ArrayList<>();
    lines.stream().filter(line -> !line.isEmpty()).map(PlotSpec.Key::of).forEach(keys::add);
    if (isAnySpoiled(capacity)) {
      keys.add(
          new PlotSpec.Key(
              SPOILED,
              new LineStyle(LineStyle.FAINT, List.of()),
              2,
              PlotSpec.Key.Symbol.HOLLOW_MARK));
    }
    return keys;
  }

  private static boolean isAnySpoiled(CapacitySeries capacity) {
    return capacity.curves().stream()
        .flatMap(curve -> curve.points().stream())
        .anyMatch(Point::spoiled);
  }

  /** Returns a sentence about the meaning of hollow marks; empty if there are none. */
  private static String hollow(CapacitySeries capacity) {
    return isAnySpoiled(capacity)
        ? "A hollow mark is an invalid trial: the load generator or other processes were at fault. "
        : "";
  }

  private static List<Line> limits(CapacitySeries capacity, List<Line> lines) {
    double[] loads =
        lines.stream().flatMapToDouble(line -> DoubleStream.of(line.x())).sorted().toArray();
    List<Line> limits = new ArrayList<>();
    if (loads.length > 0) {
      double[] across = {loads[0], loads[loads.length - 1]};
      capacity
          .limits()
          .forEach(
              limit -> {
                double ms = limit.baseNumber().doubleValue();
                limits.add(new Line(limit.toString(), LIMIT, across, new double[] {ms, ms}));
              });
    }
    lines.addAll(limits);
    return limits;
  }

  static List<PlotSpec> achieved(PlotData run) {
    CapacitySeries capacity = run.capacity();
    if (capacity.ofClients()) {
      return List.of();
    }
    List<Line> lines = new ArrayList<>();
    for (Curve curve : capacity.curves()) {
      lines.add(line(curve, curve.label(), ink(run, curve), CapacityPlots::achieved).withMarks());
    }
    double most = lines.stream().flatMapToDouble(line -> DoubleStream.of(line.x())).max().orElse(0);
    if (most == 0) {
      return List.of();
    }
    lines.add(
        new Line("all that is offered", LIMIT, new double[] {0, most}, new double[] {0, most}));
    return byLoad(
        capacity,
        "Achieved by offered load",
        "requests/s",
        lines,
        "Requests that succeeded by requests that were offered. ");
  }

  private static List<PlotSpec> byLoad(
      CapacitySeries capacity, String title, String unit, List<Line> lines, String what) {
    return new LinePlotSpec(
            title, unit, across(capacity), new LinearScale(true), new LinearScale(false))
        .of(lines, (what + hollow(capacity)).strip(), AltText::ofPoints).stream()
            .map(drawn -> drawn.withKeys(keys(capacity, lines)))
            .toList();
  }

  static List<PlotSpec> processors(PlotData run) {
    CapacitySeries capacity = run.capacity();
    List<Line> lines = new ArrayList<>();
    for (Curve curve : capacity.curves()) {
      LineStyle ink = ink(run, curve);
      lines.add(
          line(curve, curve.label() + ", servers", ink, row -> row.serverCores().orElse(Double.NaN))
              .withMarks());
      lines.add(
          line(
                  curve,
                  curve.label() + ", load generator",
                  ink.lighter(PALE).dashed(4f, 3f),
                  TrialRow::loadGeneratorCores)
              .withMarks());
    }
    return byLoad(
        capacity,
        "CPU cores by offered load",
        "processors",
        lines,
        "CPU cores used by all servers of a database and by the load generator. ");
  }

  private static String across(CapacitySeries capacity) {
    return capacity.ofClients() ? "clients" : "requests/s offered";
  }

  private static LineStyle ink(PlotData run, Curve curve) {
    LineStyle ink = run.inks().get(curve.database());
    return curve.number() == 0 ? ink : ink.darker(Math.min(0.8, 0.35 * curve.number()));
  }

  private static Line atCapacity(Curve curve, LineStyle ink) {
    double[] ms =
        curve.points().stream()
            .filter(point -> curve.known() && point.load() == curve.capacity())
            .mapToDouble(point -> point.median(CapacityPlots::p99Ms))
            .toArray();
    double[] load = DoubleStream.of(ms).map(any -> curve.capacity()).toArray();
    return new Line("", ink, load, ms).withWidth(WIDEST).withMarks();
  }

  private static Line line(
      Curve curve, String label, LineStyle ink, ToDoubleFunction<TrialRow> figure) {
    boolean[] spoiled = new boolean[curve.points().size()];
    for (int i = 0; i < spoiled.length; i++) {
      spoiled[i] = curve.points().get(i).spoiled();
    }
    return new Line(
            label, ink, values(curve, Point::load), values(curve, point -> point.median(figure)))
        .withHollow(spoiled);
  }

  private static double p99Ms(TrialRow row) {
    return ms(row.latencies().p99Nanos());
  }

  private static double ms(OptionalLong nanos) {
    return nanos.isPresent() ? nanos.getAsLong() / NANOS_PER_MS : Double.NaN;
  }

  private static double achieved(TrialRow row) {
    boolean known = row.measuredSeconds() > 0 && row.succeededPerSecond() > 0;
    return known ? row.succeededPerSecond() : Double.NaN;
  }

  private static double[] values(Curve curve, ToDoubleFunction<Point> figure) {
    return curve.points().stream().mapToDouble(figure).toArray();
  }
}
