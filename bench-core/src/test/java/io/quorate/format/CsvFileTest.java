// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvFileTest {
  @TempDir Path directory;

  /** A row with few columns. */
  public record Row(int step, String operation) {}

  /** The same row with further columns: each is a component, and nothing else names it. */
  public record WiderRow(
      int step, String operation, OptionalLong minNanos, double sumOfSquares, Counts counts) {}

  /** Columns that belong together. */
  public record Counts(long sent, long lost) {
    public Counts {
      if (lost > sent) {
        throw new IllegalArgumentException("found %d lost of %d".formatted(lost, sent));
      }
    }
  }

  private static final CsvFile<Row> NARROW = new CsvFile<>("rows.csv", Row.class);
  private static final CsvFile<WiderRow> WIDE = new CsvFile<>("rows.csv", WiderRow.class);
  private static final WiderRow ONE =
      new WiderRow(1, "=get, \"now\"", OptionalLong.empty(), 25e12, new Counts(7, 2));

  private Path file() {
    return WIDE.in(directory);
  }

  @Test
  void a_file_that_is_larger_than_any_of_a_run_is_refused() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file().toFile(), "rw")) {
      sparse.seek(512L << 20);
      sparse.write('\n');
    }
    assertThatThrownBy(() -> NARROW.read(directory))
        .hasMessageEndingWith("rows.csv: found 536,870,913 bytes, expected at most 536,870,912");
  }

  @Test
  void a_component_of_the_record_is_a_column() throws IOException {
    assertThat(NARROW.columns()).containsExactly("STEP", "OPERATION");
    assertThat(WIDE.columns())
        .containsExactly("STEP", "OPERATION", "MIN-NANOS", "SUM-OF-SQUARES", "SENT", "LOST");

    WIDE.append(directory, List.of(ONE));
    WIDE.append(directory, List.of());
    WiderRow two = new WiderRow(2, "put", OptionalLong.of(9), 0.1, new Counts(0, 0));
    WIDE.append(directory, List.of(two));

    assertThat(Files.readString(file()))
        .isEqualTo(
            """
            STEP,OPERATION,MIN-NANOS,SUM-OF-SQUARES,SENT,LOST
            1,"'=get, ""now""\",,25000000000000,7,2
            2,put,9,0.1,0,0
            """);
    assertThat(WIDE.read(directory)).isEqualTo(new CsvFile.Content<>(List.of(ONE, two), false));
    assertThatThrownBy(() -> NARROW.read(directory))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(file() + ":1: found the unknown column MIN-NANOS and the unknown")
        .hasMessageEndingWith(
            "column LOST, expected the header STEP,OPERATION; update Quorate if a newer version"
                + " wrote the file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "LOST,STEP,SENT,OPERATION,SUM-OF-SQUARES => 2,1,7,put,25 => ''",
        "STEP,OPERATION,SUM-OF-SQUARES,SENT,LOST => 1,put,25,7,2,9 => :2: found 6 cells, expected 5",
        "STEP,OPERATION,SENT => 1,put,7 => :1: found a header without SUM-OF-SQUARES, LOST, expected the header STEP,OPERATION,MIN-NANOS,SUM-OF-SQUARES,SENT,LOST",
        "STEP,OPERATION,SQUARES,SENT,LOST => 1,put,25,7,2 => :1: found a header without SUM-OF-SQUARES and the unknown column SQUARES, expected",
        "STEP,STEP,OPERATION,SUM-OF-SQUARES,SENT,LOST => 1,1,put,25,7,2 => :1: found the repeated column STEP, expected",
      })
  void columns_are_found_by_their_names_and_optional_ones_may_be_missing(
      String header, String row, String problem) throws IOException {
    Files.writeString(file(), header + "\n" + row + "\n");
    if (problem.isEmpty()) {
      assertThat(WIDE.read(directory).rows())
          .containsExactly(new WiderRow(1, "put", OptionalLong.empty(), 25, new Counts(7, 2)));
    } else {
      assertThatThrownBy(() -> WIDE.read(directory)).hasMessageStartingWith(file() + problem);
    }
  }

  @Test
  void a_file_without_rows_has_its_header() throws IOException {
    WIDE.append(directory, List.of());
    assertThat(Files.readAllLines(file())).hasSize(1);
    assertThat(WIDE.read(directory).rows()).isEmpty();
  }

  @Test
  void wherever_a_kill_cuts_the_last_row_the_others_are_read() throws IOException {
    WIDE.append(directory, List.of(ONE));
    int header = Files.readString(file()).indexOf('\n') + 1;
    int intact = Files.readString(file()).length();
    WIDE.append(directory, List.of(ONE));
    String text = Files.readString(file());
    for (int end = 1; end < text.length(); end++) {
      Files.writeString(file(), text.substring(0, end));
      boolean atEnd = end == header || end == intact;
      assertThat(WIDE.read(directory))
          .as(text.substring(0, end))
          .isEqualTo(new CsvFile.Content<>(end < intact ? List.of() : List.of(ONE), !atEnd));
    }
  }

  @Test
  void a_part_without_the_header_is_read_and_its_rows_become_json() {
    List<WiderRow> rows = WIDE.parse(directory, "1,put,,25,7,2\n2,put,9,0.1,0,0\n");
    assertThat(rows)
        .extracting(row -> StrictJson.line(StrictJson.fields(row)))
        .containsExactly(
            "{\"step\":1,\"operation\":\"put\",\"sumOfSquares\":25.0,\"counts\":{\"sent\":7,\"lost\":2}}\n",
            "{\"step\":2,\"operation\":\"put\",\"minNanos\":9,\"sumOfSquares\":0.1,\"counts\":{\"sent\":0,\"lost\":0}}\n");
  }

  @Test
  void an_empty_file_is_refused_and_its_first_rows_come_with_the_header() throws IOException {
    Files.writeString(file(), "");
    assertThatThrownBy(() -> WIDE.read(directory))
        .hasMessage(
            file()
                + ":1: found nothing, expected the header"
                + " STEP,OPERATION,MIN-NANOS,SUM-OF-SQUARES,SENT,LOST");
    WIDE.append(directory, List.of(ONE));
    assertThat(WIDE.read(directory).rows()).containsExactly(ONE);
  }

  @Test
  void a_record_refuses_values_with_file_and_line() throws IOException {
    WIDE.append(directory, List.of(ONE, ONE));
    Files.writeString(file(), Files.readString(file()).replaceFirst("7,2\n$", "1,2\n"));
    assertThatThrownBy(() -> WIDE.read(directory))
        .isInstanceOf(QuorateException.class)
        .hasMessage(file() + ":3: found 2 lost of 1");
  }
}
