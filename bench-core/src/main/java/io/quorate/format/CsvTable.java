// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a CSV file, read strictly. A missing or unknown column, a wrong number of cells, or a
 * text instead of a number is an error with file and line.
 */
public final class CsvTable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator('\n').setIgnoreEmptyLines(false).get();

  private static final char QUOTE = '"';

  private CsvTable() {}

  /**
   * Reads the rows below the header; an error has file, line, what was found and expected.
   *
   * @param columns all columns, in the order of the cells of the returned rows; the file may have
   *     another order
   */
  public static List<Row> read(Path file, String... columns) {
    List<Row> below = new ArrayList<>();
    ByName named = new ByName(List.of(columns), List.of(columns), Map.of(), below::add);
    readAll(file).forEach(named);
    named.requireHeader(file);
    return below;
  }

  /**
   * Takes a header and then its rows, and passes these on with the cells in the order of the
   * expected columns; those of a column that the file lacks are empty.
   */
  static final class ByName implements Consumer<Row> {
    private final List<String> columns;
    private final List<String> required;
    private final Map<String, String> olderNames;
    private final Consumer<Row> rows;
    private List<String> header = List.of();
    private int[] places = {};

    /**
     * @param olderNames names of columns by those that the file may have instead
     */
    ByName(
        List<String> columns,
        List<String> required,
        Map<String, String> olderNames,
        Consumer<Row> rows) {
      this.columns = columns;
      this.required = required;
      this.olderNames = olderNames;
      this.rows = rows;
    }

    @Override
    public void accept(Row row) {
      if (header.isEmpty()) {
        header = row.cells().stream().map(name -> olderNames.getOrDefault(name, name)).toList();
        new Row(row.file(), row.line(), header).requireHeader(required, columns, expected());
        places = columns.stream().mapToInt(header::indexOf).toArray();
      } else {
        row.checkWidth(header.size());
        rows.accept(header.equals(columns) ? row : row.at(places));
      }
    }

    /** Reads a file as {@link #forEach(Path, Consumer)} does; refuses an empty one. */
    boolean read(Path file) {
      boolean isCut = forEach(file, this);
      if (!isCut) {
        requireHeader(file);
      }
      return isCut;
    }

    private String expected() {
      return "the header " + String.join(",", columns);
    }

    /** Refuses a file without any row. */
    void requireHeader(Path file) {
      if (header.isEmpty()) {
        throw new Row(file, 1, header).wrong("nothing", expected());
      }
    }
  }

  public static List<Row> readAll(Path file) {
    String text = TextFile.read(file);
    if (!text.isEmpty() && !text.endsWith("\n")) {
      throw TextFile.incomplete(file, text.lines().count());
    }
    return parse(file, text);
  }

  /** Returns the rows of a text; the file is for messages. */
  public static List<Row> parse(Path file, String text) {
    List<Row> rows = new ArrayList<>();
    parse(file, text, rows::add);
    return rows;
  }

  /** Returns the rows below the header of a file in the package of a class. */
  public static List<Row> resource(Class<?> type, String name) {
    try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(name), name)) {
      List<Row> rows = parse(Path.of(name), new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return rows.subList(1, rows.size());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Passes on the rows of a text one by one, as {@link #parse(Path, String)} returns them. */
  public static void parse(Path file, String text, Consumer<Row> rows) {
    parse(file, new StringReader(text), rows);
  }

  /**
   * Reads all rows one by one, the header first, from a file of any size. If the file ends within a
   * row, as after a kill, that row is left out.
   *
   * @return whether a row was left out
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static boolean forEach(Path file, Consumer<Row> rows) {
    boolean isCut = TextFile.isCut(file);
    try (Reader reader = TextFile.reader(file, isCut ? endOfRows(file) : Long.MAX_VALUE)) {
      parse(file, reader, rows);
      return isCut;
    } catch (IOException impossible) {
      throw FileFailure.unreadable(file, impossible);
    }
  }

  /**
   * Reads the rows below the header as {@link #forEach(Path, Consumer)} does.
   *
   * @param columns all columns, in the order of the cells of the rows
   */
  public static boolean forEach(Path file, List<String> columns, Consumer<Row> rows) {
    return new ByName(columns, columns, Map.of(), rows).read(file);
  }

  /** Returns the bytes until the last row with an end; texts in quotes contain line breaks. */
  private static long endOfRows(Path file) throws IOException {
    long end = 0;
    boolean isQuoted = false;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      long bytes = 1;
      for (int next = in.read(); next >= 0; next = in.read(), bytes++) {
        isQuoted ^= next == QUOTE;
        end = next == '\n' && !isQuoted ? bytes : end;
      }
    }
    return end;
  }

  private static void parse(Path file, Reader text, Consumer<Row> rows) {
    BufferedReader in = new BufferedReader(text);
    long before = 0;
    try {
      // lines without quotes need no parser, which takes most of the time of a large file
      String line = in.readLine();
      while (line != null && line.indexOf(QUOTE) < 0) {
        rows.accept(new Row(file, ++before, cells(line)));
        line = in.readLine();
      }
      if (line != null) {
        PushbackReader rest = new PushbackReader(in, line.length() + 1);
        rest.unread((line + '\n').toCharArray());
        parse(file, before, rest, rows);
      }
    } catch (IOException malformed) {
      throw noCsv(file, before + 1, malformed);
    }
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    int start = 0;
    for (int comma = line.indexOf(','); comma >= 0; comma = line.indexOf(',', start)) {
      cells.add(line.substring(start, comma));
      start = comma + 1;
    }
    cells.add(line.substring(start));
    return cells;
  }

  private static void parse(Path file, long before, Reader text, Consumer<Row> rows) {
    long line = before + 1;
    try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
      for (CSVRecord record : parser) {
        rows.accept(new Row(file, line, record.toList()));
        line = before + parser.getCurrentLineNumber() + 1;
      }
    } catch (IOException malformed) {
      throw noCsv(file, line, malformed);
    } catch (UncheckedIOException malformed) {
      throw noCsv(file, line, Objects.requireNonNull(malformed.getCause()));
    }
  }

  private static QuorateException noCsv(Path file, long line, IOException malformed) {
    return malformed instanceof CharacterCodingException coding
        ? TextFile.notUtf8(file, coding)
        : new QuorateException(
            file
                + ":"
                + line
                + ": found no CSV: "
                + VisibleText.of(String.valueOf(malformed.getMessage())),
            malformed);
  }

  /** A row, with the number of its first line, from 1. */
  public record Row(Path file, long line, List<String> cells) {
    private static final int MAX_DIGITS = 18;
    private static final int MAX_WHOLE_DIGITS = 40;

    public String text(int column) {
      return cells.get(column);
    }

    /** Returns the cell as a whole number of 0 or more. */
    public long integer(int column) {
      String text = text(column);
      if (!NumberFormats.isWhole(text, 0, text.length(), MAX_DIGITS)) {
        throw wrong("'" + text + "'", "a whole number of 0 or more");
      }
      return Long.parseLong(text);
    }

    /** Returns the cell as a number of 0 or more, in plain decimals. */
    public double number(int column) {
      String text = text(column);
      int point = text.indexOf('.');
      int end = point < 0 ? text.length() : point;
      if (!NumberFormats.isWhole(text, 0, end, MAX_WHOLE_DIGITS)
          || point >= 0 && !NumberFormats.isWhole(text, point + 1, text.length(), MAX_DIGITS)) {
        throw wrong("'" + text + "'", "a number of 0 or more");
      }
      return Double.parseDouble(text);
    }

    private Row at(int... places) {
      return new Row(
          file,
          line,
          IntStream.of(places).mapToObj(place -> place < 0 ? "" : cells.get(place)).toList());
    }

    /**
     * Requires that this row is a header with all required columns, and each of its columns known.
     *
     * @param expected the header that is expected, for the message
     */
    public void requireHeader(
        Collection<String> required, Collection<String> known, String expected) {
      List<String> found = new ArrayList<>();
      List<String> missing = new ArrayList<>(required);
      missing.removeAll(cells);
      if (!missing.isEmpty()) {
        found.add("a header without " + String.join(", ", missing));
      }
      List<String> others = new ArrayList<>(cells);
      known.forEach(others::remove);
      for (String other : others) {
        found.add((known.contains(other) ? "the repeated column " : "the unknown column ") + other);
      }
      if (!found.isEmpty()) {
        String update = "; update Quorate if a newer version wrote the file";
        throw wrong(String.join(" and ", found), expected + (others.isEmpty() ? "" : update));
      }
    }

    public String where() {
      return file + ":" + line;
    }

    public void checkWidth(int width) {
      if (cells.size() != width) {
        throw wrong(cells.size() + " cells", width + " cells");
      }
    }

    public QuorateException wrong(String found, String expected) {
      return new QuorateException(
          file + ":" + line + ": found " + VisibleText.line(found) + ", expected " + expected);
    }
  }
}
