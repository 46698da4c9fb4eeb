package io.quorate.report.matrix;

import io.quorate.report.matrix.MatrixPage.Table;
import io.quorate.report.matrix.Spread.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares two matrices cell by cell, by the coordinates of the cells. */
final class MatrixDifference {
  private MatrixDifference() {}

  /** Returns a table without rows if there is nothing to compare with. */
  static Table table(MatrixResults results, Optional<MatrixResults> against) {
    List<List<String>> rows = new ArrayList<>();
    if (against.isPresent()) {
      Map<Map<String, String>, CellResult> others =
          against.get().cells().stream()
              .collect(
                  Collectors.toMap(CellResult::coordinates, cell -> cell, (one, other) -> one));
      results
          .cells()
          .forEach(
              cell ->
                  Optional.ofNullable(others.get(cell.coordinates()))
                      .flatMap(other -> row(cell, other))
                      .ifPresent(rows::add));
    }
    return new Table(
        "Against another matrix",
        List.of("cell", "mean latency here", "there", "times as long as there", "in words"),
        rows);
  }

  private static Optional<List<String>> row(CellResult here, CellResult there) {
    Optional<Spread> one = here.meanMs();
    Optional<Spread> other = there.meanMs();
    if (one.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    Ratio ratio = one.get().over(other.get());
    return Optional.of(
        List.of(
            here.cell().label(),
            StudyTables.ms(one.get()),
            StudyTables.ms(other.get()),
            MatrixSentences.times(ratio.value()) + MatrixSentences.interval(ratio),
            ratio.isTooClose() ? "too close to tell" : ratio.value() < 1 ? "faster" : "slower"));
  }
}
