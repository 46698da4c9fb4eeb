package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.study.MatrixPage.Findings;
import io.quorate.report.study.Spread.Ratio;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/** Computes the sentences about a matrix: how one value of an axis compares with another. */
record MatrixSentences(MatrixResults results, MatrixLayout layout) {
  private static final String LOAD = "load";
  private static final int MAX_VALUES = 10;

  MatrixSentences(MatrixResults results) {
    this(results, MatrixLayout.of(results));
  }

  List<Findings> all() {
    List<Findings> all = new ArrayList<>();
    for (String axis : layout.ways()) {
      List<String> sentences = new ArrayList<>();
      List<String> values = MatrixLayout.values(results.cells(), axis);
      for (int i = 1; i < Math.min(values.size(), MAX_VALUES); i++) {
        for (int j = 0; j < i; j++) {
          if (j == 0 || j == i - 1) {
            sentences.addAll(pair(axis, values.get(j), values.get(i)));
          }
        }
      }
      if (!sentences.isEmpty()) {
        all.add(new Findings("By " + axis, sentences));
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
          Set<String> remarks = new LinkedHashSet<>();
          boolean mean = false;
          for (Figure figure : Figure.values()) {
            Comparison comparison = compare(cells, axis, base, other, figure);
            if (!comparison.ratios.isEmpty()) {
              clauses.add(figure.clause + String.join(", ", comparison.ratios));
              mean |= figure == Figure.MEAN;
            }
            comparison.obstacles.forEach(
                (why, loads) ->
                    remarks.add(
                        "%s%s is not compared: %s"
                            .formatted(figure.named, String.join(" and", loads), why)));
            remarks.addAll(comparison.reservations);
          }
          clauses.addAll(remarks);
          if (!clauses.isEmpty()) {
            String where = context.isEmpty() ? "" : String.join(", ", context) + ": ";
            String subject = mean ? subject(axis, other) : relation(axis, other, base);
            sentences.add(where + subject + String.join("; ", clauses) + ".");
          }
        });
    return sentences;
  }

  private List<String> loads(List<CellResult> cells) {
    List<String> loads = MatrixLayout.values(cells, LOAD);
    return layout.axes().contains(LOAD) && !loads.isEmpty() ? loads : List.of("");
  }

  /** The values whose ratios are reported, the first as a time. */
  private enum Figure {
    MEAN("the mean latency", "", RepeatFigures::meanMs, Basis::atMean),
    P99("p99", "p99 is ", RepeatFigures::p99Ms, basis -> basis.at(Percentile.P99)),
    THROUGHPUT(
        "throughput", "throughput is ", RepeatFigures::requestsPerSecond, UnaryOperator.identity());

    private final String named;
    private final String clause;
    private final ToDoubleFunction<RepeatFigures> value;
    private final UnaryOperator<Basis> basis;

    Figure(
        String named,
        String clause,
        ToDoubleFunction<RepeatFigures> value,
        UnaryOperator<Basis> basis) {
      this.named = named;
      this.clause = clause;
      this.value = value;
      this.basis = basis;
    }

    Optional<Spread> of(CellResult cell) {
      boolean given = cell.basis().own().contains(Reservation.GIVEN_RATE);
      return this == THROUGHPUT && given ? Optional.empty() : cell.spread(value);
    }
  }

  /**
   * The comparison of two values of an axis by one kind of value.
   *
   * @param ratios ratios by load
   * @param obstacles reasons why ratios are missing, with the loads
   * @param reservations reservations about the ratios, each once
   */
  private record Comparison(
      List<String> ratios, Map<String, List<String>> obstacles, Set<String> reservations) {}

  private Comparison compare(
      List<CellResult> cells, String axis, String base, String other, Figure figure) {
    Comparison comparison =
        new Comparison(new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashSet<>());
    for (String load : loads(cells)) {
      Optional<CellResult> one = cell(cells, axis, base, load);
      Optional<CellResult> two = cell(cells, axis, other, load);
      Optional<Spread> oneValue = one.flatMap(figure::of);
      Optional<Spread> twoValue = two.flatMap(figure::of);
      if (oneValue.isEmpty() || twoValue.isEmpty()) {
        continue;
      }
      List<Reservation.Stated> stated =
          Reservation.aboutRatio(
              base, basis(one.get(), axis, figure), other, basis(two.get(), axis, figure));
      Optional<String> obstacle = Reservation.obstacle(stated);
      String with = load.isEmpty() ? "" : " with " + load;
      if (obstacle.isPresent()) {
        comparison.obstacles.computeIfAbsent(obstacle.get(), x -> new ArrayList<>()).add(with);
        continue;
      }
      boolean first = comparison.ratios.isEmpty();
      boolean mean = figure == Figure.MEAN;
      String text =
          text(twoValue.get().over(oneValue.get()), first && mean ? object(axis, base) : "");
      comparison.ratios.add(text + (first && !mean ? " times" : "") + with);
      stated.stream().map(Reservation.Stated::text).forEach(comparison.reservations::add);
    }
    return comparison;
  }

  /** Returns the basis of a value, without the guarantees if the axis compares reads. */
  private static Basis basis(CellResult cell, String axis, Figure figure) {
    Basis basis = figure.basis.apply(cell.basis());
    return axis.equals("reads") ? basis.withoutReads() : basis;
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

  private static String relation(String axis, String value, String base) {
    String read = axis.equals("reads") ? "a " + value + " read" : object(axis, value);
    return read + " relative to " + object(axis, base) + ": ";
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

  static String interval(Ratio ratio) {
    String close = ratio.isTooClose() ? "too close to call" : "";
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

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    int repeats = results.manifest().repeats();
    if (repeats == 1) {
      notes.add(
          "Each cell was run once, so the confidence is unknown: values that differ by less "
              + "than 10% are too close to call.");
    } else {
      notes.add(
          ("Each cell was run %s times, all cells once and then all again. A value is the "
                  + "geometric mean of the repeats, with the lowest and the highest in parentheses; a "
                  + "ratio compares two such means, %s")
              .formatted(
                  repeats,
                  repeats < Spread.MIN_FOR_INTERVAL
                      ? "and too close to call if these allow both more and less than 1."
                      : "its 95% confidence interval comes from Welch's t test of the "
                          + "logarithms. It is too close to call if the interval contains 1."));
    }
    double scale = results.manifest().scale();
    if (scale != 1) {
      notes.add(
          "Only %s%% of the scenario's requests were sent."
              .formatted(NumberFormats.shortest(scale * 100)));
    }
    return notes;
  }
}
