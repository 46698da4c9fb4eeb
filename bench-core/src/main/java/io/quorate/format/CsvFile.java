// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A CSV file with a header and a record in each row, to which rows are only ever appended. The
 * components of the record are the columns: {@code unixSecond} is {@code UNIX-SECOND}. Components
 * may be integers, doubles, texts, optional integers (an empty cell if there is none), and records
 * of these, whose components are columns as well. Columns are found by their names: those of
 * optional integers may be missing, as in files of earlier versions. A record that refuses its
 * values makes its row unreadable.
 *
 * @param <T> the record of a row; a public record
 */
public record CsvFile<T extends Record>(String name, Class<T> type) {
  /** The rows of a file; if it is truncated, its last row is left out. */
  public record Content<T>(List<T> rows, boolean isTruncated) {}

  public Path in(Path directory) {
    return directory.resolve(name);
  }

  public List<String> columns() {
    return components(type).map(CsvFile::column).toList();
  }

  private static Stream<RecordComponent> components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(each -> each.getType().isRecord() ? components(each.getType()) : Stream.of(each));
  }

  private static String column(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "-$1").toUpperCase(Locale.ROOT);
  }

  /**
   * Appends rows; a file that does not exist is created with its header, even without rows. If that
   * fails, the file is as before. For one thread at a time.
   *
   * @throws QuorateException if the file cannot be written
   */
  public void append(Path directory, List<T> rows) {
    Path file = in(directory);
    boolean isNew = !Files.exists(file);
    if (!isNew && rows.isEmpty()) {
      return;
    }
    CsvText text = new CsvText();
    if (isNew) {
      text.row(columns().toArray(String[]::new));
    }
    rows.forEach(row -> text.row(cells(row).toArray(String[]::new)));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long end = channel.size();
      try {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        Channels.newOutputStream(channel.position(end)).write(bytes);
      } catch (IOException full) {
        channel.truncate(end);
        throw full;
      }
    } catch (IOException impossible) {
      throw new QuorateException(DiskSpace.unwritable(file, impossible), impossible);
    }
  }

  private static Stream<String> cells(Record row) {
    return Arrays.stream(row.getClass().getRecordComponents())
        .map(component -> value(component, row))
        .flatMap(value -> value instanceof Record part ? cells(part) : Stream.of(cell(value)));
  }

  private static Object value(RecordComponent component, Record row) {
    try {
      return component.getAccessor().invoke(row);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(component + " cannot be read", impossible);
    }
  }

  private static String cell(Object value) {
    if (value instanceof OptionalLong optional) {
      return optional.isPresent() ? Long.toString(optional.getAsLong()) : "";
    }
    return value instanceof Double number ? NumberFormats.shortest(number) : value.toString();
  }

  /**
   * Reads all rows. If the file ends within a row, as after a kill, that row is left out.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public Content<T> read(Path directory) {
    Path file = in(directory);
    String text = TextFile.read(file);
    int end = text.endsWith("\n") ? text.length() : endOfRows(text);
    List<CsvTable.Row> rows = CsvTable.parse(file, text.substring(0, end));
    if (!rows.isEmpty()) {
      rows =
          CsvTable.byName(
              file,
              rows,
              columns(),
              components(type)
                  .filter(each -> each.getType() != OptionalLong.class)
                  .map(CsvFile::column)
                  .toList());
    }
    return new Content<>(rows.stream().map(this::record).toList(), end < text.length());
  }

  /** Returns the end of the last row that has one; texts in quotes may contain line breaks. */
  private static int endOfRows(String text) {
    int end = 0;
    boolean isQuoted = false;
    for (int i = 0; i < text.length(); i++) {
      isQuoted ^= text.charAt(i) == '"';
      end = text.charAt(i) == '\n' && !isQuoted ? i + 1 : end;
    }
    return end;
  }

  private T record(CsvTable.Row row) {
    return record(type, row, IntStream.range(0, row.cells().size()).iterator());
  }

  private static <R> R record(Class<R> type, CsvTable.Row row, Iterator<Integer> columns) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    Object[] values =
        Arrays.stream(types)
            .map(
                each ->
                    each.isRecord() ? record(each, row, columns) : value(each, row, columns.next()))
            .toArray();
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (InvocationTargetException refused) {
      Throwable cause = Objects.requireNonNull(refused.getCause());
      throw new QuorateException(row.where() + ": " + cause.getMessage(), cause);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(type + " cannot be created", impossible);
    }
  }

  private static Object value(Class<?> type, CsvTable.Row row, int column) {
    if (type == int.class) {
      long value = row.integer(column);
      if (value > Integer.MAX_VALUE) {
        throw row.wrong(row.text(column), "at most " + Integer.MAX_VALUE);
      }
      return (int) value;
    }
    if (type == long.class) {
      return row.integer(column);
    }
    if (type == double.class) {
      return row.number(column);
    }
    if (type == OptionalLong.class) {
      return row.text(column).isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(row.integer(column));
    }
    return CsvText.unescaped(row.text(column));
  }
}
