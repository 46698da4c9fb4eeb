package io.quorate.report.matrix;

import io.quorate.report.matrix.Spread.Ratio;
import io.quorate.run.NumberFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
          List<String> parts = new ArrayList<>();
          for (String load : loads(cells)) {
            Optional<Spread> one = meanMs(cells, axis, base, load);
            Optional<Spread> two = meanMs(cells, axis, other, load);
            if (one.isPresent() && two.isPresent()) {
              String with = load.isEmpty() ? "" : " with " + load;
              Ratio ratio = two.get().over(one.get());
              parts.add(text(ratio, parts.isEmpty() ? object(axis, base) : "") + with);
            }
          }
          if (!parts.isEmpty()) {
            String where = context.isEmpty() ? "" : String.join(", ", context) + ": ";
            sentences.add(where + subject(axis, other) + String.join(", ", parts) + ".");
          }
        });
    return sentences;
  }

  private List<String> loads(List<CellResult> cells) {
    List<String> loads = MatrixLayout.values(cells, LOAD);
    return layout.axes().contains(LOAD) && !loads.isEmpty() ? loads : List.of("");
  }

  private static Optional<Spread> meanMs(
      List<CellResult> cells, String axis, String value, String load) {
    return cells.stream()
        .filter(cell -> value.equals(cell.coordinates().get(axis)))
        .filter(cell -> load.isEmpty() || load.equals(cell.coordinates().get(LOAD)))
        .findFirst()
        .flatMap(CellResult::meanMs);
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
          "Each cell was run %s times, all cells once and then all again. A figure is the median, with the lowest and the highest in parentheses; a ratio is too close to tell if these allow both more and less than 1."
              .formatted(repeats));
    } else {
      notes.add(
          "Each cell was run %s times, all cells once and then all again. A figure is the median, with the lowest and the highest in parentheses; the interval of a ratio is that of 95 %% confidence (Welch's t test of the logarithms), and it is too close to tell if 1 lies within."
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
