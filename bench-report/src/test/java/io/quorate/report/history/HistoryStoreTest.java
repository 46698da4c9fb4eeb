// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryStoreTest {
  private static final String LINE =
      """
      {"formatVersion":1,"run":"quick/day-0","runStart":"2026-11-01T02:00:00Z",\
      "start":"2026-11-01T02:00:00Z",\
      "commit":"abcdef0000000000000000000000000000000000","build":"1","scenario":"quick",\
      "database":"etcd","title":"etcd 3.6.16","conditions":{"load":"10 clients, 1000 requests"},\
      "values":[{"group":"10 clients, put","step":1,"metrics":{"p99":5.12346}}]}
      """;

  @TempDir Path home;

  private MadeUpHistory history() {
    return new MadeUpHistory(home);
  }

  private HistoryStore store() {
    return new HistoryStore(home);
  }

  private void write(String text) {
    try {
      Files.writeString(history().file(), text);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void a_line_has_the_values_of_a_database_with_six_digits() {
    history().add(MadeUpHistory.runs("etcd", 5.123456789));
    assertThat(history().text()).isEqualTo(LINE);
  }

  @Test
  void what_was_appended_is_read() {
    List<HistoryEntry> entries = MadeUpHistory.runs("etcd", 5.1, 0.000123, 987_654);
    history().add(entries.subList(0, 1)).add(entries.subList(1, 3));
    HistoryStore.Contents contents = store().read();
    assertThat(contents.entries()).isEqualTo(entries);
    assertThat(contents.incomplete()).isEmpty();
  }

  @Test
  void lines_may_be_in_any_order_and_twice() {
    List<HistoryEntry> entries = MadeUpHistory.runs("etcd", 1, 2, 3);
    history().add(List.of(entries.get(2), entries.get(0))).add(entries);
    assertThat(store().read().entries()).isEqualTo(entries);
  }

  @Test
  void other_texts_than_ascii_are_read_as_they_were_written() {
    List<HistoryEntry> entries = List.of(MadeUpHistory.run(0, "\u00e9tcd \ud83d\ude00", Map.of()));
    history().add(entries);
    assertThat(history().text()).contains("\\u00e9tcd \\ud83d\\ude00");
    assertThat(store().read().entries()).isEqualTo(entries);
  }

  @Test
  void a_run_with_two_results_is_refused() {
    write(LINE + LINE.replace("5.12346", "5.2"));
    assertThatThrownBy(() -> store().read())
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            history().file()
                + ":2: found 'etcd' of 'quick', started at 2026-11-01T02:00:00Z, with other values than"
                + " in line 1."
                + " Remove one of the two lines");
  }

  @Test
  void lines_of_the_same_run_with_equal_values_are_one() {
    write(
        LINE.replace("5.12346", "5.1")
            + LINE.replace("5.12346", "5.10")
                .replace("day-0", "copy")
                .replace("1000 req", "9 req"));
    assertThat(store().read().entries())
        .extracting(HistoryEntry::run)
        .containsExactly("quick/day-0");
  }

  @Test
  void lines_of_runs_with_the_same_name_are_several() {
    write(LINE + LINE.replace("02:00:00Z", "02:00:00.000000001Z"));
    assertThat(store().read().entries()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "5.12346 | NaN       | found no complete JSON",
        "5.12346 | \"5\"     | values[0].metrics.p99: found the text '5', expected a number",
        "5.12346 | -1        | values[0]: p99: found -1, expected a number from 0 to 1e15",
        "5.12346 | 1e99999999 | values[0]: p99: found 1E+99999999, expected a number from 0 to 1e15",
        "p99     | p98       | values[0]: found the metric 'p98', expected one that this version",
        "quick/day-0 | ` `   | run: found 1 characters, expected 1 to 300",
        "\"start\" | \"begin\" | start: found nothing, expected a time from 1970",
        "{       | <         | found no complete JSON"
      })
  void a_wrong_line_is_refused_with_its_number(String right, String wrong, String expected) {
    write(LINE.replace("day-0", "day-9") + LINE.replaceFirst(quoted(right), wrong));
    assertThatThrownBy(() -> store().read())
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(history().file() + ":")
        .hasMessageContaining(expected)
        .hasMessageEndingWith("Correct this line, or remove it");
  }

  private static String quoted(String text) {
    return java.util.regex.Pattern.quote(text);
  }

  @Test
  void a_conflict_of_git_is_named() {
    write("<<<<<<< HEAD\n" + LINE + "=======\n>>>>>>> other\n");
    assertThatThrownBy(() -> store().read())
        .hasMessageStartingWith(history().file() + ":1: found a conflict of Git. Remove its");
  }

  @Test
  void only_the_first_problems_are_named() {
    write("x\n".repeat(1_000));
    assertThatThrownBy(() -> store().read())
        .satisfies(failure -> assertThat(failure.getMessage().lines()).hasSize(5));
  }

  @Test
  void an_incomplete_last_line_is_reported_and_removed_only_by_the_next_append() {
    List<HistoryEntry> entries = MadeUpHistory.runs("etcd", 5.123456789, 6);
    String broken = LINE + LINE.substring(0, 80);
    write(broken);
    HistoryStore.Contents contents = store().read();
    assertThat(contents.entries()).isEqualTo(entries.subList(0, 1));
    assertThat(contents.incomplete())
        .hasValue(
            history().file()
                + ":2: the last line is incomplete and ignored. The next --add removes it");
    assertThat(history().text()).isEqualTo(broken);

    history().add(entries.subList(1, 2));
    assertThat(history().text().lines()).hasSize(2).first().isEqualTo(LINE.strip());
    assertThat(store().read().entries()).isEqualTo(entries);
    assertThat(store().read().incomplete()).isEmpty();
  }

  @Test
  void a_complete_last_line_without_a_line_break_is_kept() {
    List<HistoryEntry> entries = MadeUpHistory.runs("etcd", 5.123456789, 6);
    write(LINE.strip());
    assertThat(store().read().entries()).hasSize(1);
    history().add(entries.subList(1, 2));
    assertThat(store().read().entries()).isEqualTo(entries);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"formatVersion\":2,\"later\":[1]}", ">>>>>>> other", "\0\0", "{}x"})
  void a_last_line_that_is_not_cut_is_refused_and_stays(String last) {
    write(LINE + last);
    assertThatThrownBy(() -> store().read()).hasMessageStartingWith(history().file() + ":2");
    history().add(MadeUpHistory.runs("etcd", 1));
    assertThat(history().text()).startsWith(LINE + last + "\n").hasLineCount(3);
  }

  @Test
  void a_larger_file_is_refused() throws IOException {
    try (var channel =
        Files.newByteChannel(
            history().file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.position(64L << 20);
      channel.write(java.nio.ByteBuffer.wrap(new byte[] {'\n'}));
    }
    assertThatThrownBy(() -> store().read())
        .hasMessage(history().file() + ": found 67,108,865 bytes, expected at most 67,108,864");
    assertThatThrownBy(() -> history().add(MadeUpHistory.runs("etcd", 1)))
        .hasMessageContaining("would have more than 67,108,864 bytes");
    assertThat(Files.size(history().file())).isEqualTo(67_108_865);
  }

  @Test
  void a_symbolic_link_is_neither_read_nor_written() throws IOException {
    Path target = Files.writeString(home.resolve("target"), LINE);
    Files.createSymbolicLink(history().file(), target);
    assertThatThrownBy(() -> store().read()).hasMessageContaining("found a symbolic link");
    assertThatThrownBy(() -> history().add(MadeUpHistory.runs("etcd", 1)))
        .hasMessageContaining("found a symbolic link");
    assertThat(target).hasContent(LINE);
  }
}
