package io.quorate.report.table;

import io.quorate.VisibleText;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.TotalFigures;
import io.quorate.results.requests.ClientResults;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The result table: a column for each database, a row for each figure. A row for which no database
 * has a value is left out, unless a note says why; where only some have one, the others show {@code
 * -}.
 *
 * @param results in the order of the columns
 */
public record ResultTable(List<TotalFigures> results, RowLabels labels) {
  private static final String MISSING = "-";

  /** Returns the table as text; empty if there is no database. */
  public String table() {
    return results.isEmpty() ? "" : AsciiTable.text(header(), labelled(textRows()));
  }

  /** Returns the table as text, and below it the errors of each database that had some. */
  public String text() {
    StringBuilder text = new StringBuilder(table());
    String gap = "\n\n";
    for (TotalFigures result : results) {
      if (result.errorCount() > 0) {
        text.append(gap).append(errors(result));
        gap = "\n";
      }
    }
    return text.toString();
  }

  /** Returns the table as CSV, with the rows that only it has. A cell without a value is empty. */
  public String csv() {
    CsvText csv = new CsvText().row(header().toArray(String[]::new));
    for (List<String> row : labelled(rows(row -> true, "", SummaryRow::cell))) {
      csv.row(row.toArray(String[]::new));
    }
    return csv.toString();
  }

  /** Returns the cells of the table as text, by their rows, in their order. */
  public Map<SummaryRow, List<String>> textRows() {
    return rows(SummaryRow::isInText, MISSING, SummaryRow::shown);
  }

  private List<String> header() {
    List<String> header = new ArrayList<>(List.of(""));
    results.forEach(result -> header.add(VisibleText.of(result.tag())));
    return header;
  }

  private Map<SummaryRow, List<String>> rows(
      Predicate<SummaryRow> which,
      String missing,
      BiFunction<SummaryRow, TotalFigures, Optional<String>> cell) {
    Map<SummaryRow, List<String>> rows = new EnumMap<>(SummaryRow.class);
    for (SummaryRow row : SummaryRow.values()) {
      if (which.test(row) && results.stream().anyMatch(row::isShownFor)) {
        rows.put(
            row, results.stream().map(result -> cell.apply(row, result).orElse(missing)).toList());
      }
    }
    return rows;
  }

  private List<List<String>> labelled(Map<SummaryRow, List<String>> rows) {
    List<List<String>> labelled = new ArrayList<>();
    rows.forEach(
        (row, cells) -> {
          labelled.add(new ArrayList<>(List.of(row.label(labels))));
          labelled.get(labelled.size() - 1).addAll(cells);
        });
    return labelled;
  }

  /** Returns the errors of a database, a line for each message. */
  public static String errors(TotalFigures result) {
    StringBuilder text = new StringBuilder(VisibleText.of(result.id())).append(" errors:\n");
    for (ClientResults.ErrorCount error : result.errors().orElse(List.of())) {
      text.append(
          "%s (count %s)\n"
              .formatted(
                  VisibleText.of(error.quotedMessage()), NumberFormats.commas(error.count())));
    }
    return text.toString();
  }
}
