package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Reservation;
import io.quorate.report.study.CellPair.Figure;
import io.quorate.report.study.MatrixPage.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares two matrices cell by cell, by the coordinates of the cells. */
record MatrixDifference(List<CellPair> pairs, int cells) {
  static MatrixDifference of(MatrixResults results, Optional<MatrixResults> against) {
    Map<Map<String, String>, CellResult> others =
        against.stream()
            .flatMap(other -> other.cells().stream())
            .filter(cell -> !cell.runs().isEmpty())
            .collect(Collectors.toMap(CellResult::coordinates, cell -> cell, (one, two) -> one));
    List<CellPair> pairs =
        results.cells().stream()
            .filter(here -> !here.runs().isEmpty() && others.containsKey(here.coordinates()))
            .map(here -> new CellPair("here", here, "there", others.get(here.coordinates())))
            .toList();
    return new MatrixDifference(pairs, results.cells().size());
  }

  List<String> sentences() {
    if (pairs.isEmpty()) {
      return List.of();
    }
    long faster = pairs.stream().filter(CellPair::isFaster).count();
    long slower = pairs.stream().filter(CellPair::isSlower).count();
    long notCompared = pairs.stream().filter(pair -> !pair.isCompared()).count();
    return List.of(
        ("Cells with a counterpart: %s of %s. Faster here: %s; slower: %s; too close to call: "
                + "%s%s.")
            .formatted(
                NumberFormats.commas(pairs.size()),
                NumberFormats.commas(cells),
                NumberFormats.commas(faster),
                NumberFormats.commas(slower),
                NumberFormats.commas(pairs.size() - faster - slower - notCompared),
                notCompared == 0 ? "" : "; not compared: " + NumberFormats.commas(notCompared)));
  }

  private static String remarks(CellPair pair) {
    String all =
        pair.reservations(Figure.MEAN).stream()
            .map(Reservation.Stated::text)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? "" : " (" + all + ")";
  }

  Table table() {
    return new Table(
        "Against another matrix",
        List.of("cell", "mean latency here", "there", "times as long as there", "in words"),
        pairs.stream().map(MatrixDifference::row).toList());
  }

  private static List<String> row(CellPair pair) {
    String how = pair.isFaster() ? "faster" : pair.isSlower() ? "slower" : "too close to call";
    return List.of(
        pair.cell().cell().label(),
        StudyTables.ms(pair.cell().meanMs().orElseThrow()),
        StudyTables.ms(pair.base().meanMs().orElseThrow()),
        pair.isCompared() ? pair.text(Figure.MEAN) : "-",
        (pair.isCompared() ? how : "not compared") + remarks(pair));
  }
}
