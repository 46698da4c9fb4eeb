package io.quorate.report.plot.draw;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickUnit;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** An axis of positions on a {@link Scale}, whose labels never touch and know no locale. */
final class ScaledAxis extends NumberAxis {
  private static final long serialVersionUID = 1;

  /** Width for a mark in pixels: that of the widest label, and a gap. */
  private static final double PIXELS_PER_MARK_ACROSS = 64;

  private static final double PIXELS_PER_MARK_UP = 34;

  private final transient Scale scale;

  ScaledAxis(Scale scale, String label, PlotFont typeface, double[] range) {
    super(label);
    this.scale = scale;
    setRange(range[0], range[1]);
    setLabelFont(typeface.size(12));
    setTickLabelFont(typeface.size(11));
    setLabelPaint(LineStyle.TEXT);
    setTickLabelPaint(LineStyle.TEXT);
    setAxisLinePaint(LineStyle.FAINT);
    setTickMarkPaint(LineStyle.FAINT);
  }

  @Override
  public List<NumberTick> refreshTicks(
      Graphics2D canvas, AxisState state, Rectangle2D area, RectangleEdge edge) {
    boolean across = RectangleEdge.isTopOrBottom(edge);
    double marks =
        across ? area.getWidth() / PIXELS_PER_MARK_ACROSS : area.getHeight() / PIXELS_PER_MARK_UP;
    TextAnchor anchor = across ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
    return scale
        .marks(getRange().getLowerBound(), getRange().getUpperBound(), (int) Math.max(2, marks))
        .stream()
        .map(mark -> new NumberTick(mark.position(), mark.label(), anchor, TextAnchor.CENTER, 0))
        .toList();
  }

  @Override
  protected double estimateMaximumTickLabelHeight(Graphics2D canvas) {
    return getTickLabelFont().getSize2D();
  }

  @Override
  protected double estimateMaximumTickLabelWidth(Graphics2D canvas, TickUnit unit) {
    return PIXELS_PER_MARK_ACROSS;
  }
}
