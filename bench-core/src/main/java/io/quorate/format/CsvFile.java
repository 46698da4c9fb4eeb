// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import com.fasterxml.jackson.annotation.JsonAlias;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A CSV file with a header and a record in each row, to which rows are only ever appended. The
 * components of the record are the columns: {@code unixSecond} is {@code UNIX-SECOND}. Components
 * may be integers, doubles, texts, optional integers (an empty cell if there is none), and records
 * of these, whose components are columns as well. Columns are found by their names: those of
 * optional integers may be missing, and those with a {@link JsonAlias} may have that name, as in
 * files of earlier versions. A record that refuses its values makes its row unreadable.
 *
 * @param <T> the record of a row; a public record
 */
public record CsvFile<T extends Record>(String name, Class<T> type) {
  /** The constructor of each record that has all of its components. */
  private static final ClassValue<Constructor<?>> CONSTRUCTORS =
      new ClassValue<>() {
        @Override
        protected Constructor<?> computeValue(Class<?> type) {
          Class<?>[] types =
              Arrays.stream(type.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new);
          try {
            return type.getDeclaredConstructor(types);
          } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(type + " is not a record", impossible);
          }
        }
      };

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
    if (rows.isEmpty() && Files.exists(file)) {
      return;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long end = channel.size();
      CsvText text = new CsvText();
      if (end == 0) {
        text.row(columns().toArray(String[]::new));
      }
      rows.forEach(row -> text.row(cells(row).toArray(String[]::new)));
      try {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        Channels.newOutputStream(channel.position(end)).write(bytes);
      } catch (IOException full) {
        channel.truncate(end);
        throw full;
      }
    } catch (IOException impossible) {
      throw DiskSpace.exception(file, impossible);
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
   * Reads all rows of a file of at most 512 MiB. If the file ends within a row, as after a kill,
   * that row is left out.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public Content<T> read(Path directory) {
    List<T> rows = new ArrayList<>();
    TextFile.checkSize(in(directory));
    return new Content<>(rows, named(rows).read(in(directory)));
  }

  /**
   * Returns the rows of a part of a file that this version writes, without its header.
   *
   * @throws QuorateException with what was found and what was expected
   */
  public List<T> parse(Path directory, String part) {
    List<T> rows = new ArrayList<>();
    CsvTable.parse(in(directory), String.join(",", columns()) + "\n" + part, named(rows));
    return rows;
  }

  private CsvTable.ByName named(List<T> rows) {
    return new CsvTable.ByName(
        columns(),
        components(type)
            .filter(each -> each.getType() != OptionalLong.class)
            .map(CsvFile::column)
            .toList(),
        olderNames(),
        row -> rows.add(record(row)));
  }

  /** Returns the present names of columns by those in files of earlier versions. */
  private Map<String, String> olderNames() {
    Map<String, String> names = new HashMap<>();
    components(type)
        .filter(each -> each.getAccessor().isAnnotationPresent(JsonAlias.class))
        .forEach(
            each ->
                Arrays.stream(each.getAccessor().getAnnotation(JsonAlias.class).value())
                    .forEach(older -> names.put(older, column(each))));
    return names;
  }

  private T record(CsvTable.Row row) {
    return record(type, row, IntStream.range(0, row.cells().size()).iterator());
  }

  private static <R> R record(Class<R> type, CsvTable.Row row, Iterator<Integer> columns) {
    Constructor<?> constructor = CONSTRUCTORS.get(type);
    Class<?>[] types = constructor.getParameterTypes();
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] =
          types[i].isRecord()
              ? record(types[i], row, columns)
              : value(types[i], row, columns.next());
    }
    try {
      return type.cast(constructor.newInstance(values));
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
    return CsvText.unescaped(row.text(column)).intern(); // the same few in many thousand rows
  }
}
