package io.quorate.host;

import io.quorate.QuorateException;
import io.quorate.format.CsvText;
import io.quorate.format.TextFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a file of host metrics, the reference's or ours: one or more in each second, seconds
 * never fall.
 *
 * @param columns all of ours, or those that the reference has
 */
record MetricsFile(List<HostMetric> columns, List<MetricRow> rows) {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator('\n').setIgnoreEmptyLines(false).get();
  private static final Pattern SECOND = Pattern.compile("\\d{1,11}");

  /**
   * Matches whole numbers short enough that no sum, difference or product of ours overflows a long.
   */
  private static final Pattern WHOLE = Pattern.compile("\\d{0,16}");

  private static final Pattern ANYTHING = Pattern.compile("(?s).*");
  private static final Pattern DECIMAL = Pattern.compile("|\\d{1,16}(\\.\\d{1,16})?");

  MetricsFile {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * Reads a file; an incomplete last line, which a kill leaves behind, is left out, and so is a
   * repeated header.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static MetricsFile read(Path file) {
    return parse(file, TextFile.read(file));
  }

  static MetricsFile parse(Path file, String text) {
    List<List<String>> lines = cells(file, text.substring(0, text.lastIndexOf('\n') + 1));
    List<String> header = lines.isEmpty() ? List.of() : lines.get(0);
    List<HostMetric> columns =
        header.size() == HostMetric.REFERENCE_COLUMNS ? HostMetric.ofReference() : HostMetric.all();
    if (!header.equals(Arrays.asList(HostMetric.header(columns)))) {
      throw new QuorateException(file + ":1: found no header of host metrics");
    }
    List<MetricRow> rows = new ArrayList<>();
    long last = 0;
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).equals(header)) {
        continue;
      }
      MetricRow row = row(file + ": row " + i, columns, lines.get(i));
      long second = second(row);
      if (second < last) {
        throw new QuorateException(
            file + ": row " + i + ": found second " + second + " after second " + last);
      }
      last = second;
      rows.add(row);
    }
    return new MetricsFile(columns, rows);
  }

  static long second(MetricRow row) {
    return Long.parseLong(row.cell(HostMetric.UNIX_SECOND));
  }

  private static List<List<String>> cells(Path file, String text) {
    try (CSVParser parser = CSVParser.parse(new StringReader(text), FORMAT)) {
      return parser.stream().map(CSVRecord::toList).toList();
    } catch (IOException | UncheckedIOException malformed) {
      throw new QuorateException(file + ": found no CSV: " + malformed.getMessage(), malformed);
    }
  }

  private static MetricRow row(String where, List<HostMetric> columns, List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new QuorateException(
          where + ": found " + cells.size() + " cells, expected " + columns.size());
    }
    Map<HostMetric, String> row = new EnumMap<>(HostMetric.class);
    for (int i = 0; i < cells.size(); i++) {
      HostMetric metric = columns.get(i);
      if (!allowed(metric).matcher(cells.get(i)).matches()) {
        throw new QuorateException(
            where + ": found no number of 0 or more in column " + metric.column());
      }
      row.put(metric, cells.get(i));
    }
    return MetricRow.asRead(row);
  }

  private static Pattern allowed(HostMetric metric) {
    if (metric == HostMetric.UNIX_SECOND) {
      return SECOND;
    }
    return switch (metric.fill()) {
      case LEVEL, COUNTER -> WHOLE;
      case DECIMAL -> DECIMAL;
      case LATEST, DERIVED -> ANYTHING;
    };
  }

  /** Returns the rows as the text of a file. */
  String text() {
    CsvText text = new CsvText().row(HostMetric.header(columns));
    rows.forEach(row -> text.row(row.cells(columns)));
    return text.toString();
  }
}
