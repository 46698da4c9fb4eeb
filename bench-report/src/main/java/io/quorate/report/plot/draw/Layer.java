// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.annotations.AbstractXYAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;

/** A part of a plot that is drawn between its axes. */
abstract class Layer extends AbstractXYAnnotation {
  private static final long serialVersionUID = 1;

  /** The area between the axes, in pixels, which converts positions on the axes to pixels. */
  record Area(Rectangle2D box, ValueAxis across, ValueAxis up) {
    double x(double position) {
      return across.valueToJava2D(position, box, RectangleEdge.BOTTOM);
    }

    double y(double position) {
      return up.valueToJava2D(position, box, RectangleEdge.LEFT);
    }
  }

  abstract void draw(Graphics2D canvas, Area area);

  @Override
  public final void draw(
      Graphics2D canvas,
      XYPlot plot,
      Rectangle2D dataArea,
      ValueAxis domainAxis,
      ValueAxis rangeAxis,
      int rendererIndex,
      PlotRenderingInfo info) {
    draw(canvas, new Area(dataArea, domainAxis, rangeAxis));
  }

  /** Compares by identity. */
  @Override
  public final boolean equals(Object other) {
    return this == other;
  }

  @Override
  public final int hashCode() {
    return System.identityHashCode(this);
  }
}
