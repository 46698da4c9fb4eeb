package io.quorate.report.plot.draw;

import io.quorate.results.RunEvent;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
    KEYS.put(RunEvent.Kind.FAULT, PlotSpec.Key.square("fault", new Color(0xffcdd2)));
    KEYS.put(
        RunEvent.Kind.GC_PAUSE,
        PlotSpec.Key.square("GC pause of the load generator", new Color(0x9e9e9e)));
    KEYS.put(
        RunEvent.Kind.LOAD_GENERATOR_STALL,
        PlotSpec.Key.square("load generator stalled", new Color(0x616161)));
    KEYS.put(RunEvent.Kind.SERVER_LOG, PlotSpec.Key.square("server log", new Color(0xe69f00)));
    KEYS.put(RunEvent.Kind.NO_SUCCESS, PlotSpec.Key.square("no success", new Color(0xc62828)));
    KEYS.put(RunEvent.Kind.LEADER_CHANGE, PlotSpec.Key.square("new leader", new Color(0x6a1b9a)));
  }

  private final transient List<DatabaseSeries> databases;

  public EventLayer(List<DatabaseSeries> databases) {
    this.databases = List.copyOf(databases);
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

  /** Returns the marks of each kind, the most important last. */
  List<LineChart.Marks> marks(double shortest) {
    return KEYS.keySet().stream()
        .filter(kind -> count(kind) > 0)
        .map(
            kind ->
                new LineChart.Marks(
                    KEYS.get(kind).label(),
                    LineChart.hex(KEYS.get(kind).ink()),
                    databases.size(),
                    spans(kind, shortest)))
        .toList();
  }

  /** Returns row, start and end of each mark; marks that are closer than the shortest are one. */
  private List<List<BigDecimal>> spans(RunEvent.Kind kind, double shortest) {
    List<List<BigDecimal>> spans = new ArrayList<>();
    for (int row = 0; row < databases.size(); row++) {
      DatabaseSeries database = databases.get(row);
      double from = Double.NaN;
      double to = Double.NaN;
      for (RunEvent event :
          database.events().stream()
              .filter(each -> each.kind() == kind)
              .sorted(Comparator.comparingLong(RunEvent::startUnixNanos))
              .toList()) {
        double start = second(database, event.startUnixNanos());
        double end = second(database, event.endUnixNanos());
        if (start - to <= shortest) {
          to = Math.max(to, end);
        } else {
          add(spans, row, from, to);
          from = start;
          to = end;
        }
      }
      add(spans, row, from, to);
    }
    return spans;
  }

  private static void add(List<List<BigDecimal>> spans, int row, double from, double to) {
    if (!Double.isNaN(from)) {
      spans.add(List.of(BigDecimal.valueOf(row), LineChart.place(from), LineChart.place(to)));
    }
  }

  private static double second(DatabaseSeries database, long unixNanos) {
    return database.second(Math.floorDiv(unixNanos, 1_000_000L));
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
    double from = area.x(second(database, event.startUnixNanos()));
    double to = area.x(second(database, event.endUnixNanos()));
    double left = Math.max(area.box().getMinX(), from);
    double right = Math.min(area.box().getMaxX(), Math.max(to, from + MIN_WIDTH));
    if (right > left) {
      canvas.fill(new Rectangle2D.Double(left, top, right - left, ROW - 1));
    }
  }
}
