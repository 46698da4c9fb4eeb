// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.util.List;
import java.util.stream.Stream;

/**
 * Marks the beginnings of steps with a thin line, and shows their numbers of clients or their rates
 * above the plot. Each database has a separate lane there, as the times of steps differ. A number
 * without enough space is left out.
 */
public final class StepLayer extends Layer {
  private static final long serialVersionUID = 1;
  private static final double LANE = 13;
  private static final double GAP = 3;
  private static final int FAINT = 90;

  private final transient List<Lane> lanes;
  private final transient Font font;

  /** The steps of a database. */
  public record Lane(LineStyle ink, List<Mark> steps) {}

  /**
   * The beginning of a step.
   *
   * @param second beginning, in seconds since the first request
   * @param load number of clients, requests per second in an open loop, or number of the phase
   */
  public record Mark(double second, long load, String unit) {
    static final String CLIENTS = "clients";
  }

  StepLayer(List<Lane> lanes, PlotFont typeface) {
    this.lanes = List.copyOf(lanes);
    this.font = typeface.size(10);
  }

  /** Returns the unit of some marks; clients only if all have it. */
  static String unit(Stream<Mark> marks) {
    return marks
        .map(Mark::unit)
        .filter(unit -> !unit.equals(Mark.CLIENTS))
        .findFirst()
        .orElse(Mark.CLIENTS);
  }

  double height() {
    return lanes.size() * LANE;
  }

  @Override
  void draw(Graphics2D canvas, Area area) {
    Shape clip = canvas.getClip();
    canvas.setClip(null);
    canvas.setFont(font);
    for (int i = 0; i < lanes.size(); i++) {
      lane(canvas, area, lanes.get(i), area.box().getMinY() - LANE * (lanes.size() - i));
    }
    if (!lanes.isEmpty()) {
      String heading = unit(lanes.stream().flatMap(lane -> lane.steps().stream()));
      canvas.setPaint(LineStyle.FAINT);
      canvas.drawString(
          heading,
          (float) (area.box().getMinX() - width(heading) - 2 * GAP),
          (float) (area.box().getMinY() - LANE * lanes.size() + LANE - GAP));
    }
    canvas.setClip(clip);
  }

  private void lane(Graphics2D canvas, Area area, Lane lane, double top) {
    Color color = lane.ink().color();
    double free = Double.NEGATIVE_INFINITY;
    for (Mark step : lane.steps()) {
      double x = area.x(step.second());
      canvas.setPaint(new Color(color.getRed(), color.getGreen(), color.getBlue(), FAINT));
      canvas.setStroke(new BasicStroke(0.8f));
      canvas.draw(new Line2D.Double(x, top + LANE, x, area.box().getMaxY()));
      canvas.setPaint(color);
      canvas.setStroke(new BasicStroke(2));
      canvas.draw(new Line2D.Double(x, top + 2, x, top + LANE - 1));
      String load = Long.toString(step.load());
      if (x >= free && x + GAP + width(load) <= area.box().getMaxX() + 2 * GAP) {
        canvas.setPaint(LineStyle.TEXT);
        canvas.drawString(load, (float) (x + GAP), (float) (top + LANE - GAP));
        free = x + width(load) + 2 * GAP;
      }
    }
  }

  private double width(String text) {
    return font.getStringBounds(text, LineStyle.TEXT_RENDERING).getWidth();
  }
}
