package io.quorate.report.matrix;

import io.quorate.report.matrix.MatrixPage.Table;
import io.quorate.report.matrix.Spread.Ratio;
import io.quorate.run.NumberFormats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Compares two matrices cell by cell, by the coordinates of the cells. */
final class MatrixDifference {
  private static final int MOST_NAMED = 5;

  private final List<Pair> pairs = new ArrayList<>();
  private final int cells;

  /** A cell that is in both matrices. */
  private record Pair(CellResult here, Spread hereMs, Spread thereMs) {
    Ratio ratio() {
      return hereMs.over(thereMs);
    }

    boolean isFaster() {
      return !ratio().isTooClose() && ratio().value() < 1;
    }

    boolean isSlower() {
      return !ratio().isTooClose() && ratio().value() > 1;
    }

    String times() {
      return MatrixSentences.times(ratio().value()) + MatrixSentences.interval(ratio());
    }
  }

  /**
   * @param against the other matrix; empty if there is nothing to compare with
   */
  MatrixDifference(MatrixResults results, Optional<MatrixResults> against) {
    Map<Map<String, String>, CellResult> others =
        against.stream()
            .flatMap(other -> other.cells().stream())
            .collect(Collectors.toMap(CellResult::coordinates, cell -> cell, (one, two) -> one));
    for (CellResult here : results.cells()) {
      Optional<Spread> there =
          Optional.ofNullable(others.get(here.coordinates())).flatMap(CellResult::meanMs);
      here.meanMs().ifPresent(ms -> there.ifPresent(other -> pairs.add(new Pair(here, ms, other))));
    }
    cells = results.cells().size();
  }

  /** Returns sentences about what is faster, slower, or too close to tell; none without a pair. */
  List<String> sentences() {
    if (pairs.isEmpty()) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    long faster = pairs.stream().filter(Pair::isFaster).count();
    long slower = pairs.stream().filter(Pair::isSlower).count();
    sentences.add(
        "Cells with a counterpart: %s of %s. Faster here: %s; slower: %s; too close to tell: %s."
            .formatted(
                NumberFormats.commas(pairs.size()),
                NumberFormats.commas(cells),
                NumberFormats.commas(faster),
                NumberFormats.commas(slower),
                NumberFormats.commas(pairs.size() - faster - slower)));
    Comparator<Pair> byRatio = Comparator.comparingDouble(pair -> pair.ratio().value());
    named("Faster here", Pair::isFaster, byRatio).ifPresent(sentences::add);
    named("Slower here", Pair::isSlower, byRatio.reversed()).ifPresent(sentences::add);
    return sentences;
  }

  private Optional<String> named(String how, Predicate<Pair> which, Comparator<Pair> order) {
    List<Pair> all = pairs.stream().filter(which).sorted(order).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String more = all.size() > MOST_NAMED ? "; and " + (all.size() - MOST_NAMED) + " more" : "";
    return Optional.of(
        all.stream()
            .limit(MOST_NAMED)
            .map(pair -> pair.here.cell().label() + " takes " + pair.times() + " times as long")
            .collect(Collectors.joining("; ", how + ": ", more + ".")));
  }

  /** Returns a table without rows if there is nothing to compare with. */
  Table table() {
    return new Table(
        "Against another matrix",
        List.of("cell", "mean latency here", "there", "times as long as there", "in words"),
        pairs.stream().map(MatrixDifference::row).toList());
  }

  private static List<String> row(Pair pair) {
    return List.of(
        pair.here.cell().label(),
        StudyTables.ms(pair.hereMs),
        StudyTables.ms(pair.thereMs),
        pair.times(),
        pair.isFaster() ? "faster" : pair.isSlower() ? "slower" : "too close to tell");
  }
}
