package io.quorate.report.matrix;

import io.quorate.report.analysis.Basis;
import io.quorate.report.analysis.Reservation;
import io.quorate.report.matrix.Spread.Ratio;
import io.quorate.run.NumberFormats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Computes the sentences about a matrix: how one value of an axis compares with another. */
final class MatrixSentences {
  private static final String LOAD = "load";
  private static final int MOST_VALUES = 10;

  private final MatrixResults results;
  private final MatrixLayout layout;

  MatrixSentences(MatrixResults results) {
    this.results = results;
    this.layout = MatrixLayout.of(results);
  }

  /** The sentences about one axis. */
  record OfAxis(String axis, List<String> sentences) {}

  /** Returns the sentences of each axis along which one thing is done in several ways. */
  List<OfAxis> all() {
    List<OfAxis> all = new ArrayList<>();
    for (String axis : layout.ways()) {
      List<String> sentences = new ArrayList<>();
      List<String> values = MatrixLayout.values(results.cells(), axis);
      for (int i = 1; i < Math.min(values.size(), MOST_VALUES); i++) {
        for (int j = 0; j < i; j++) {
          if (j == 0 || j == i - 1) {
            sentences.addAll(pair(axis, values.get(j), values.get(i)));
          }
        }
      }
      if (!sentences.isEmpty()) {
        all.add(new OfAxis(axis, sentences));
      }
    }
    return all;
  }

  private List<String> pair(String axis, String base, String other) {
    List<String> sentences = new ArrayList<>();
    Map<List<String>, List<CellResult>> groups =
        layout.groups(results.cells(), List.of(axis, LOAD));
    groups.forEach(
        (context, cells) -> {
          List<String> clauses = new ArrayList<>();
          for (Figure figure : Figure.values()) {
            List<String> parts = parts(cells, axis, base, other, figure);
            if (!parts.isEmpty()) {
              clauses.add(figure.clause + String.join(", ", parts));
            }
          }
          if (!clauses.isEmpty()) {
            String where = context.isEmpty() ? "" : String.join(", ", context) + ": ";
            clauses.addAll(reservations(cells, axis, base, other));
            sentences.add(where + subject(axis, other) + String.join("; ", clauses) + ".");
          }
        });
    return sentences;
  }

  private List<String> loads(List<CellResult> cells) {
    List<String> loads = MatrixLayout.values(cells, LOAD);
    return layout.axes().contains(LOAD) && !loads.isEmpty() ? loads : List.of("");
  }

  /** The figures whose ratios are given, the first as a time that something takes. */
  private enum Figure {
    MEAN("", RunFigures::meanMs),
    P99("p99 is ", RunFigures::p99Ms),
    THROUGHPUT("throughput is ", RunFigures::requestsPerSecond);

    private final String clause;
    private final ToDoubleFunction<RunFigures> value;

    Figure(String clause, ToDoubleFunction<RunFigures> value) {
      this.clause = clause;
      this.value = value;
    }

    Optional<Spread> of(CellResult cell) {
      boolean given = cell.basis().own().contains(Reservation.GIVEN_RATE);
      return this == THROUGHPUT && given ? Optional.empty() : cell.spread(value);
    }
  }

  /** Returns the ratios of a figure, by load. */
  private List<String> parts(
      List<CellResult> cells, String axis, String base, String other, Figure figure) {
    List<String> parts = new ArrayList<>();
    for (String load : loads(cells)) {
      Optional<Spread> one = cell(cells, axis, base, load).flatMap(figure::of);
      Optional<Spread> two = cell(cells, axis, other, load).flatMap(figure::of);
      if (one.isPresent() && two.isPresent() && obstacle(cells, axis, base, other, load)) {
        continue;
      }
      if (one.isPresent() && two.isPresent()) {
        String with = load.isEmpty() ? "" : " with " + load;
        boolean first = parts.isEmpty() && figure == Figure.MEAN;
        String text = text(two.get().over(one.get()), first ? object(axis, base) : "");
        parts.add(text + (parts.isEmpty() && !first ? " times" : "") + with);
      }
    }
    return parts;
  }

  private boolean obstacle(
      List<CellResult> cells, String axis, String base, String other, String load) {
    return Reservation.obstacle(stated(cells, axis, base, other, load)).isPresent();
  }

  /** Returns the reservations about both values of an axis, each once. */
  private List<String> reservations(
      List<CellResult> cells, String axis, String base, String other) {
    return loads(cells).stream()
        .flatMap(load -> stated(cells, axis, base, other, load).stream())
        .filter(each -> each.reservation() != Reservation.GIVEN_RATE)
        .map(Reservation.Stated::text)
        .distinct()
        .toList();
  }

  /** Returns the reservations about two cells; the guarantees are the values of the axis reads. */
  private static List<Reservation.Stated> stated(
      List<CellResult> cells, String axis, String base, String other, String load) {
    Map<String, Basis> values = new LinkedHashMap<>();
    for (String value : List.of(base, other)) {
      cell(cells, axis, value, load)
          .map(CellResult::basis)
          .ifPresent(
              basis -> values.put(value, axis.equals("reads") ? basis.withoutReads() : basis));
    }
    return Reservation.about(values);
  }

  private static Optional<CellResult> cell(
      List<CellResult> cells, String axis, String value, String load) {
    return cells.stream()
        .filter(cell -> value.equals(cell.coordinates().get(axis)))
        .filter(cell -> load.isEmpty() || load.equals(cell.coordinates().get(LOAD)))
        .findFirst();
  }

  private static String text(Ratio ratio, String object) {
    String times = object.isEmpty() ? "" : " times as long as " + object;
    return times(ratio.value()) + interval(ratio) + times;
  }

  private static String subject(String axis, String value) {
    return switch (axis) {
      case "target" -> through(value) + " it takes ";
      case "reads" -> "a " + value + " read takes ";
      case "settings" -> "with " + value + " it takes ";
      default -> value + " takes ";
    };
  }

  private static String object(String axis, String value) {
    return switch (axis) {
      case "target" -> through(value);
      case "reads" -> "a " + value + " one";
      case "settings" -> "with " + value;
      default -> value;
    };
  }

  static String through(String target) {
    return switch (target) {
      case "leader" -> "through the leader";
      case "followers" -> "through followers";
      default -> "through all members";
    };
  }

  /** Returns the interval of a ratio in parentheses, and whether it is too close to tell. */
  static String interval(Ratio ratio) {
    String close = ratio.isTooClose() ? "too close to tell" : "";
    String range =
        ratio.runs() == 1
            ? ""
            : times(ratio.interval().from()) + " to " + times(ratio.interval().to());
    String separator = close.isEmpty() || range.isEmpty() ? "" : ": ";
    String text = range + separator + close;
    return text.isEmpty() ? "" : " (" + text + ")";
  }

  static String times(double ratio) {
    return NumberFormats.fixed(ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
  }

  /** Returns what has to be known to read the figures. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    int repeats = results.manifest().repeats();
    if (repeats == 1) {
      notes.add(
          "Each cell was run once, so nobody can tell how sure a figure is: two that differ by less"
              + " than a tenth are called too close to tell.");
    } else if (repeats < Spread.LEAST_FOR_INTERVAL) {
      notes.add(
          "Each cell was run %s times, all cells once and then all again. A figure is the geometric mean of the repeats, with the lowest and the highest in parentheses; a ratio is that of two such means, and too close to tell if these allow both more and less than 1."
              .formatted(repeats));
    } else {
      notes.add(
          "Each cell was run %s times, all cells once and then all again. A figure is the geometric mean of the repeats, with the lowest and the highest in parentheses; a ratio is that of two such means, its interval is that of 95 %% confidence (Welch's t test of the logarithms). It is too close to tell if 1 lies within."
              .formatted(repeats));
    }
    double scale = results.manifest().scale();
    if (scale != 1) {
      notes.add(
          "Only %s %% of the requests of the scenario were made."
              .formatted(NumberFormats.shortest(scale * 100)));
    }
    return notes;
  }
}
