package io.quorate.report.study;

import io.quorate.format.CsvText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of all runs of a matrix, a line for each. */
final class MatrixCsv {
  private MatrixCsv() {}

  static String text(MatrixResults results) {
    List<String> axes = results.manifest().axes();
    List<String> header = new ArrayList<>(List.of("CELL"));
    axes.forEach(axis -> header.add(axis.toUpperCase(Locale.ROOT)));
    header.addAll(List.of("REPEAT", "REQUESTS", "ERRORS", "REQUESTS-PER-SECOND"));
    header.addAll(List.of("MEAN-MS", "FASTEST-MS", "P50-MS", "P99-MS"));
    CsvText csv = new CsvText().row(header.toArray(String[]::new));
    for (CellResult cell : results.cells()) {
      for (RepeatFigures run : cell.runs()) {
        List<String> row = new ArrayList<>(List.of(cell.cell().id()));
        axes.forEach(axis -> row.add(cell.coordinates().getOrDefault(axis, "")));
        List.of(run.repeat(), run.requests(), run.errors()).forEach(each -> row.add("" + each));
        List.of(run.requestsPerSecond(), run.meanMs(), run.fastestMs(), run.p50Ms(), run.p99Ms())
            .forEach(each -> row.add("" + each));
        csv.row(row.toArray(String[]::new));
      }
    }
    return csv.toString();
  }
}
