package io.quorate.report.plot.draw;

import io.quorate.results.RunEvent;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Marks the events of runs at the bottom of a plot over time: a row for each database, the first on
 * top. The width of a mark shows the duration of the event, but is at least {@value #MIN_WIDTH}
 * pixels.
 */
public final class EventLayer extends Layer {
  private static final long serialVersionUID = 1;
  private static final double ROW = 6;
  private static final double MIN_WIDTH = 1.5;

  /** Colors, the most important on top of the others, and the texts of the legend. */
  private static final Map<RunEvent.Kind, PlotSpec.Key> KEYS = new LinkedHashMap<>();

  static {
    KEYS.put(RunEvent.Kind.GC_PAUSE, key("GC pause of the load generator", 0x9e9e9e));
    KEYS.put(RunEvent.Kind.LOAD_GENERATOR_STALL, key("load generator stalled", 0x616161));
    KEYS.put(RunEvent.Kind.SERVER_LOG, key("server log", 0xe69f00));
    KEYS.put(RunEvent.Kind.NO_SUCCESS, key("no success", 0xc62828));
    KEYS.put(RunEvent.Kind.LEADER_CHANGE, key("new leader", 0x6a1b9a));
  }

  private final transient List<DatabaseSeries> databases;

  public EventLayer(List<DatabaseSeries> databases) {
    this.databases = List.copyOf(databases);
  }

  private static PlotSpec.Key key(String label, int rgb) {
    return new PlotSpec.Key(
        label, new LineStyle(new Color(rgb), List.of()), 1, PlotSpec.Key.Symbol.SQUARE);
  }

  public List<PlotSpec.Key> keys() {
    return kinds().map(KEYS::get).toList();
  }

  private Stream<RunEvent.Kind> kinds() {
    return Arrays.stream(RunEvent.Kind.values()).filter(kind -> count(kind) > 0);
  }

  private long count(RunEvent.Kind kind) {
    return databases.stream()
        .flatMap(database -> database.events().stream())
        .filter(event -> event.kind() == kind)
        .count();
  }

  /** Describes the marks for readers who cannot see them; empty if there are none. */
  public String words() {
    List<String> counts =
        kinds().map(kind -> KEYS.get(kind).label() + " " + AltText.number(count(kind))).toList();
    return counts.isEmpty()
        ? ""
        : " Events marked at the bottom: " + String.join(", ", counts) + ".";
  }

  @Override
  void draw(Graphics2D canvas, Area area) {
    for (RunEvent.Kind kind : KEYS.keySet()) {
      canvas.setPaint(KEYS.get(kind).ink().color());
      for (int i = 0; i < databases.size(); i++) {
        double top = area.box().getMaxY() - ROW * (databases.size() - i);
        for (RunEvent event : databases.get(i).events()) {
          if (event.kind() == kind) {
            mark(canvas, area, databases.get(i), event, top);
          }
        }
      }
    }
  }

  private static void mark(
      Graphics2D canvas, Area area, DatabaseSeries database, RunEvent event, double top) {
    double from = area.x(database.second(Math.floorDiv(event.startUnixNanos(), 1_000_000L)));
    double to = area.x(database.second(Math.floorDiv(event.endUnixNanos(), 1_000_000L)));
    double left = Math.max(area.box().getMinX(), from);
    double right = Math.min(area.box().getMaxX(), Math.max(to, from + MIN_WIDTH));
    if (right > left) {
      canvas.fill(new Rectangle2D.Double(left, top, right - left, ROW - 1));
    }
  }
}
