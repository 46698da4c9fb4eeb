package io.quorate.report.plot.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.List;

/**
 * A heat map: the number of requests that ended in a time and took so long. The colours are eight
 * of viridis, evenly bright steps that people with any colour vision order alike, light for few;
 * each stands for about as many times the one before.
 */
public final class HeatLayer extends Layer {
  private static final long serialVersionUID = 1;
  private static final int[] VIRIDIS = {
    0xfde725, 0xa0da39, 0x4ac16d, 0x1fa187, 0x277f8e, 0x365c8d, 0x46327e, 0x440154
  };

  /** Tolerance of positions, in pixels. */
  private static final double SAME_PLACE = 0.5;

  private final transient HeatMap map;

  public HeatLayer(HeatMap map) {
    this.map = map;
  }

  /** The numbers of requests of a colour. */
  public record Level(Color color, String label) {}

  /** Returns the colours that occur at most, with the numbers of requests. */
  public List<Level> levels() {
    List<Level> levels = new ArrayList<>();
    for (int level = 0; level < VIRIDIS.length; level++) {
      long from = (long) Math.ceil(limit(level) - 1e-9);
      long to = (long) Math.ceil(limit(level + 1) - 1e-9) - 1;
      if (to >= from) {
        String label = from == to ? LinearScale.count(from) : LinearScale.count(from) + "+";
        levels.add(new Level(new Color(VIRIDIS[level]), label));
      }
    }
    return levels;
  }

  private double limit(int level) {
    return Math.pow(map.most() + 1.0, level / (double) VIRIDIS.length);
  }

  private int level(long count) {
    int level = VIRIDIS.length - 1;
    while (level > 0 && count < limit(level) - 1e-9) {
      level--;
    }
    return level;
  }

  @Override
  void draw(Graphics2D canvas, Area area) {
    Object before = canvas.getRenderingHint(RenderingHints.KEY_ANTIALIASING);
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
    double height =
        Math.abs(area.y(map.fromPosition(map.rows())) - area.y(map.fromPosition(0))) / map.rows();
    canvas.setStroke(
        new BasicStroke((float) height + 0.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL));
    for (int level = 0; level < VIRIDIS.length; level++) {
      Path2D cells = cells(area, level);
      if (cells.getCurrentPoint() != null) {
        canvas.setPaint(new Color(VIRIDIS[level]));
        canvas.draw(cells);
      }
    }
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, before);
  }

  /**
   * Returns the cells of a level; neighbours of the same colour are one thick line, which keeps the
   * file small.
   */
  private Path2D cells(Area area, int level) {
    Path2D cells = new Path2D.Double();
    for (int row = 0; row < map.rows(); row++) {
      double y = area.y(map.fromPosition(row + 0.5));
      double start = Double.NaN;
      double end = Double.NaN;
      for (HeatMap.Column column : map.columns()) {
        long count = column.counts()[row];
        if (count > 0 && level(count) == level) {
          double from = area.x(column.from());
          if (Double.isNaN(end) || from - end > SAME_PLACE) {
            add(cells, start, end, y);
            start = from;
          }
          end = Math.max(from + 1, area.x(column.to()));
        }
      }
      add(cells, start, end, y);
    }
    return cells;
  }

  private static void add(Path2D cells, double start, double end, double y) {
    if (!Double.isNaN(start)) {
      cells.moveTo(start, y);
      cells.lineTo(end, y);
    }
  }
}
