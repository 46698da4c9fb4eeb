package io.quorate.report.study;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The figures of all runs of a matrix, a line for each. */
final class MatrixCsv {
  private static final List<String> FIGURES =
      List.of(
          "REPEAT",
          "REQUESTS",
          "ERRORS",
          "REQUESTS-PER-SECOND",
          "MEAN-MS",
          "FASTEST-MS",
          "P50-MS",
          "P99-MS");

  private MatrixCsv() {}

  static String text(MatrixResults results) {
    List<String> axes = results.manifest().axes();
    StringBuilder text = new StringBuilder("CELL");
    axes.forEach(axis -> text.append(',').append(quoted(axis.toUpperCase(Locale.ROOT))));
    FIGURES.forEach(name -> text.append(',').append(name));
    text.append('\n');
    for (CellResult cell : results.cells()) {
      String key =
          quoted(cell.cell().id())
              + axes.stream()
                  .map(axis -> "," + quoted(cell.coordinates().getOrDefault(axis, "")))
                  .collect(Collectors.joining());
      for (RepeatFigures run : cell.runs()) {
        text.append(key)
            .append(
                ",%s,%s,%s,%s,%s,%s,%s,%s\n"
                    .formatted(
                        run.repeat(),
                        run.requests(),
                        run.errors(),
                        run.requestsPerSecond(),
                        run.meanMs(),
                        run.fastestMs(),
                        run.p50Ms(),
                        run.p99Ms()));
      }
    }
    return text.toString();
  }

  private static String quoted(String text) {
    return text.matches("[\\p{L}\\p{N}@._ -]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
