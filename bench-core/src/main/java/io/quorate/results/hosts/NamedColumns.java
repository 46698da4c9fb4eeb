package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A CSV file whose columns are found by their names, among which there may be others.
 *
 * @param rows below the header, all as wide as it
 */
record NamedColumns(Path file, List<String> header, List<CsvTable.Row> rows) {
  NamedColumns {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
  }

  /**
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static NamedColumns read(Path file) {
    List<CsvTable.Row> all = CsvTable.readAll(file);
    if (all.isEmpty()) {
      throw new QuorateException(file + ":1: found nothing, expected a header");
    }
    int width = all.get(0).cells().size();
    all.forEach(row -> row.checkWidth(width));
    return new NamedColumns(file, all.get(0).cells(), all.subList(1, all.size()));
  }

  /** Checks that these columns exist. */
  void require(String... columns) {
    List<String> missing =
        Arrays.stream(columns).filter(column -> !header.contains(column)).toList();
    if (!missing.isEmpty()) {
      throw new CsvTable.Row(file, 1, header)
          .wrong("a header without " + String.join(", ", missing), "that of a system metrics file");
    }
  }

  /** Returns the index of a column; negative if there is none. */
  int place(String column) {
    return header.indexOf(column);
  }

  /** Returns the indexes of these columns, each of which has to be there. */
  int[] places(List<String> columns) {
    require(columns.toArray(String[]::new));
    return columns.stream().mapToInt(this::place).toArray();
  }
}
