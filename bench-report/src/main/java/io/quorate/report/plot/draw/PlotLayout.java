// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYItemRenderer;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;

/** A sketch laid out on paper of one size, on which text of 10 pixels is readable at 600 wide. */
public final class PlotLayout {
  static final int WIDTH = 760;
  static final int HEIGHT = 430;

  private static final int PNG_SCALE = 2;
  private static final int MAX_LABEL = 48;

  private final JFreeChart chart;

  public PlotLayout(PlotSpec sketch, PlotFont typeface) {
    XYPlot plot = new XYPlot();
    plot.setDomainAxis(axis(sketch.across(), typeface));
    plot.setRangeAxis(axis(sketch.up(), typeface));
    // without one there is no grid
    plot.setRenderer(new StandardXYItemRenderer());
    plot.setBackgroundPaint(LineStyle.PAPER);
    plot.setOutlineVisible(false);
    plot.setDomainGridlinesVisible(false);
    plot.setRangeGridlinePaint(LineStyle.GRID);
    plot.setRangeGridlineStroke(new BasicStroke(1));
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    StepLayer steps = new StepLayer(sketch.steps(), typeface);
    plot.setInsets(new RectangleInsets(8 + steps.height(), 6, 2, 22));
    plot.addAnnotation(steps, false);
    sketch.layers().forEach(layer -> plot.addAnnotation(layer, false));
    plot.setFixedLegendItems(keys(sketch));
    this.chart = new JFreeChart(null, null, plot, false);
    chart.setBackgroundPaint(LineStyle.PAPER);
    chart.setPadding(new RectangleInsets(8, 8, 8, 4));
    chart.addSubtitle(text(sketch.title(), typeface.size(15), new RectangleInsets(0, 6, 2, 6)));
    if (!sketch.keys().isEmpty()) {
      chart.addSubtitle(legend(plot, typeface));
    }
  }

  private static ScaledAxis axis(PlotSpec.Axis axis, PlotFont typeface) {
    return new ScaledAxis(axis.scale(), axis.label(), typeface, axis.range());
  }

  private static TextTitle text(String text, Font font, RectangleInsets padding) {
    TextTitle title = new TextTitle(text, font);
    title.setPaint(LineStyle.TEXT);
    title.setHorizontalAlignment(HorizontalAlignment.LEFT);

    title.setPosition(RectangleEdge.TOP);
    title.setPadding(padding);
    return title;
  }

  private static LegendTitle legend(XYPlot plot, PlotFont typeface) {
    LegendTitle legend = new LegendTitle(plot);
    legend.setItemFont(typeface.size(12));
    legend.setItemPaint(LineStyle.TEXT);
    legend.setPosition(RectangleEdge.TOP);
    legend.setHorizontalAlignment(HorizontalAlignment.LEFT);
    legend.setItemLabelPadding(new RectangleInsets(2, 2, 2, 14));
    legend.setFrame(BlockBorder.NONE);
    legend.setBackgroundPaint(LineStyle.PAPER);
    return legend;
  }

  private static LegendItemCollection keys(PlotSpec sketch) {
    LegendItemCollection items = new LegendItemCollection();
    for (PlotSpec.Key key : sketch.keys()) {
      boolean hollow = key.symbol() == PlotSpec.Key.Symbol.HOLLOW_MARK;
      boolean line = key.symbol() == PlotSpec.Key.Symbol.LINE;
      items.add(
          new LegendItem(
              shortened(key.label()),
              null,
              null,
              null,
              !line,
              hollow ? new Ellipse2D.Double(-4, -4, 8, 8) : new Rectangle2D.Double(-5, -5, 10, 10),
              !hollow,
              key.ink().color(),
              hollow,
              key.ink().color(),
              new BasicStroke(key.width()),
              line,
              new Line2D.Double(-12, 0, 12, 0),
              key.ink().stroke(key.width()),
              key.ink().color()));
    }
    return items;
  }

  private static String shortened(String label) {
    int end =
        label.offsetByCodePoints(0, Math.min(MAX_LABEL, label.codePointCount(0, label.length())));
    return end == label.length() ? label : label.substring(0, end) + "\u2026";
  }

  void draw(Graphics2D canvas) {
    chart.draw(canvas, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
  }

  /** Returns the plot as PNG, twice as many pixels across and up as the SVG has units. */
  public byte[] png() {
    BufferedImage image =
        new BufferedImage(PNG_SCALE * WIDTH, PNG_SCALE * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = image.createGraphics();
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    canvas.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    canvas.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    canvas.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    canvas.scale(PNG_SCALE, PNG_SCALE);
    draw(canvas);
    canvas.dispose();
    return PngFile.ofPlot(image);
  }

  /**
   * An axis of positions on a {@link Scale}, whose labels never overlap and do not depend on the
   * locale.
   */
  static final class ScaledAxis extends NumberAxis {
    private static final long serialVersionUID = 1;

    /** Width for a mark in pixels: for the widest label and a gap. */
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
}
