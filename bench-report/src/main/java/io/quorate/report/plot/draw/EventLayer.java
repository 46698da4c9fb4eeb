// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.results.RunEvent;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Marks events at the bottom of a plot over time: a row for each database, the first on top. The
 * width of a mark shows the duration of the event, but is at least {@value #MIN_WIDTH} pixels.
 * Faults are shaded over the whole height, below the lines.
 */
public final class EventLayer extends Layer {
  private static final long serialVersionUID = 1;
  private static final double ROW = 6;
  private static final double MIN_WIDTH = 1.5;

  /** Part of the time from which on a lane of marks shows nothing but that there are many. */
  private static final double CROWDED = 0.3;

  /** Pixels between two marks below which they are drawn as one. */
  private static final double MIN_GAP = 1;

  /** Colors, the most important on top of the others, and the texts of the legend. */
  private static final Map<Kind, PlotSpec.Key> KEYS = new LinkedHashMap<>();

  static {
    KEYS.put(Kind.FAULT, PlotSpec.Key.square("fault", new Color(0xb0b0b0)));
    KEYS.put(
        Kind.GC_PAUSE, PlotSpec.Key.square("GC pause of the load generator", new Color(0x9e9e9e)));
    KEYS.put(
        Kind.LOAD_GENERATOR_STALL,
        PlotSpec.Key.square("load generator stalled", new Color(0x616161)));
    KEYS.put(Kind.PROCESS_STOPPED, PlotSpec.Key.square("process stopped", new Color(0x795548)));
    KEYS.put(Kind.SERVER_LOG, PlotSpec.Key.square("server log", new Color(0x78909c)));
    KEYS.put(Kind.NO_SUCCESS, PlotSpec.Key.square("no success", new Color(0xc62828)));
    KEYS.put(Kind.ALL_SERVE, PlotSpec.Key.square("all members serve", new Color(0x2e7d32)));
    KEYS.put(Kind.LEADER_CHANGE, PlotSpec.Key.square("new leader", new Color(0x6a1b9a)));
  }

  private final transient List<List<Mark>> rows;
  private final transient List<Span> shaded;

  /** Kinds of marks, in the order of the legend. */
  public enum Kind {
    LOAD_GENERATOR_STALL,
    GC_PAUSE,
    NO_SUCCESS,
    LEADER_CHANGE,
    ALL_SERVE,
    FAULT,
    PROCESS_STOPPED,
    SERVER_LOG;

    static Kind of(RunEvent.Kind kind) {
      return valueOf(kind.name());
    }
  }

  /** A part of the axis, in seconds. */
  public record Span(double from, double to) {}

  /** An event. */
  public record Mark(Kind kind, Span span) {
    /**
     * Returns the mark of an event.
     *
     * @param originUnixNanos time at which the axis begins
     */
    public static Mark of(RunEvent event, long originUnixNanos) {
      return new Mark(
          Kind.of(event.kind()),
          new Span(
              (event.startUnixNanos() - originUnixNanos) / 1e9,
              (event.endUnixNanos() - originUnixNanos) / 1e9));
    }
  }

  /**
   * Creates a layer.
   *
   * @param rows marks of each database
   * @param shaded parts of the axis that are shaded
   */
  public EventLayer(List<List<Mark>> rows, List<Span> shaded) {
    this.rows = List.copyOf(rows);
    this.shaded = List.copyOf(shaded);
  }

  /** Creates a layer over the time of a run, with its faults shaded. */
  public EventLayer(List<DatabaseSeries> databases) {
    this(
        databases.stream().map(EventLayer::marks).toList(),
        merged(
            databases.stream()
                .flatMap(each -> marks(each).stream())
                .filter(each -> each.kind == Kind.FAULT)
                .map(Mark::span),
            (last, span) -> span.from <= last.to));
  }

  private static List<Mark> marks(DatabaseSeries database) {
    return database.events().stream()
        .map(
            event ->
                new Mark(
                    Kind.of(event.kind()),
                    new Span(
                        second(database, event.startUnixNanos()),
                        second(database, event.endUnixNanos()))))
        .toList();
  }

  /** Returns the same parts of the axis in their order, with those as one that are close. */
  private static List<Span> merged(Stream<Span> spans, BiPredicate<Span, Span> close) {
    List<Span> all = new ArrayList<>();
    for (Span span : spans.sorted(Comparator.comparingDouble(Span::from)).toList()) {
      Span last = all.isEmpty() ? null : all.get(all.size() - 1);
      if (last != null && close.test(last, span)) {
        all.set(all.size() - 1, new Span(last.from, Math.max(last.to, span.to)));
      } else {
        all.add(span);
      }
    }
    return all;
  }

  public List<PlotSpec.Key> keys() {
    return kinds().map(EventLayer::key).toList();
  }

  private static PlotSpec.Key key(Kind kind) {
    return Objects.requireNonNull(KEYS.get(kind));
  }

  private Stream<Kind> kinds() {
    return Arrays.stream(Kind.values()).filter(this::isShown);
  }

  private boolean isShown(Kind kind) {
    return count(kind) > 0 || kind == Kind.FAULT && !shaded.isEmpty();
  }

  private long count(Kind kind) {
    return rows.stream().flatMap(List::stream).filter(mark -> mark.kind == kind).count();
  }

  /** Describes the marks for readers who cannot see them; empty if there are none. */
  public String words() {
    List<String> counts =
        kinds()
            .filter(kind -> count(kind) > 0)
            .map(kind -> key(kind).label() + " " + AltText.number(count(kind)))
            .toList();
    return counts.isEmpty()
        ? ""
        : " Events marked at the bottom: " + String.join(", ", counts) + ".";
  }

  /** Returns the layer with the shaded parts, which belongs below the lines. */
  Layer shade() {
    return new Shade(shaded);
  }

  /** Returns the marks of each kind, the most important last. */
  List<LineChart.Marks> marks(double length, double shortest) {
    return KEYS.keySet().stream()
        .filter(this::isShown)
        .map(kind -> marks(kind, length, shortest))
        .toList();
  }

  private LineChart.Marks marks(Kind kind, double length, double shortest) {
    List<List<BigDecimal>> spans = spans(kind, shortest);
    double covered =
        spans.stream()
            .mapToDouble(
                span -> Math.max(shortest, span.get(2).doubleValue() - span.get(1).doubleValue()))
            .sum();
    boolean crowded = kind == Kind.SERVER_LOG && covered > CROWDED * length * rows.size();
    return new LineChart.Marks(
        key(kind).label() + (crowded ? " " + AltText.number(count(kind)) : ""),
        key(kind).ink().hex(),
        rows.size(),
        crowded ? List.of() : spans,
        kind == Kind.FAULT ? shaded.stream().map(EventLayer::places).toList() : List.of());
  }

  private static List<BigDecimal> places(Span span) {
    return List.of(LineChart.place(span.from), LineChart.place(span.to));
  }

  /** Returns row, start and end of each mark; marks that are closer than the shortest are one. */
  private List<List<BigDecimal>> spans(Kind kind, double shortest) {
    List<List<BigDecimal>> spans = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      BigDecimal place = BigDecimal.valueOf(row);
      merged(marked(row, kind), (last, span) -> span.from - last.to <= shortest)
          .forEach(
              span ->
                  spans.add(List.of(place, LineChart.place(span.from), LineChart.place(span.to))));
    }
    return spans;
  }

  private Stream<Span> marked(int row, Kind kind) {
    return rows.get(row).stream().filter(mark -> mark.kind == kind).map(Mark::span);
  }

  /** Returns whether two marks nearly touch in the picture. */
  private static boolean touch(Span last, Span span, Area area) {
    return area.x(span.from) - MIN_GAP <= Math.max(area.x(last.to), area.x(last.from) + MIN_WIDTH);
  }

  private static double second(DatabaseSeries database, long unixNanos) {
    return database.second(Math.floorDiv(unixNanos, 1_000_000L));
  }

  @Override
  void draw(Graphics2D canvas, Area area) {
    for (Kind kind : KEYS.keySet()) {
      canvas.setPaint(key(kind).ink().color());
      for (int i = 0; i < rows.size(); i++) {
        double top = area.box().getMaxY() - ROW * (rows.size() - i);
        List<Span> spans = merged(marked(i, kind), (last, span) -> touch(last, span, area));
        fill(canvas, area, spans, top, ROW - 1);
      }
    }
  }

  /** Fills parts of the axis as one shape, which takes less space in a file than one for each. */
  private static void fill(
      Graphics2D canvas, Area area, List<Span> spans, double top, double height) {
    Path2D shape = new Path2D.Double();
    for (Span span : spans) {
      double from = area.x(span.from);
      double left = Math.max(area.box().getMinX(), from);
      double right = Math.min(area.box().getMaxX(), Math.max(area.x(span.to), from + MIN_WIDTH));
      if (right > left) {
        shape.append(new Rectangle2D.Double(left, top, right - left, height), false);
      }
    }
    if (shape.getCurrentPoint() != null) {
      canvas.fill(shape);
    }
  }

  /** Shades parts of the axis over the whole height. */
  private static final class Shade extends Layer {
    private static final long serialVersionUID = 1;
    private static final Color COLOR = new Color(0xeeeeee);

    private final transient List<Span> spans;

    Shade(List<Span> spans) {
      this.spans = spans;
    }

    @Override
    void draw(Graphics2D canvas, Area area) {
      canvas.setPaint(COLOR);
      fill(canvas, area, spans, area.box().getMinY(), area.box().getHeight());
    }
  }
}
