// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.compareAndSet;
import static io.quorate.history.Requests.delete;
import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static io.quorate.history.Requests.unknownPut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  private static final int HEADER_BYTES = 16;
  private static final int RECORD_BYTES = 72;
  private static final RecordedRequest WITH_ALL_FIELDS =
      new RecordedRequest(
          Integer.MAX_VALUE,
          255,
          Action.STALE_GET,
          -5,
          0,
          Long.MAX_VALUE,
          0,
          123_456_789_011L,
          123_456_789_012L,
          123_456_789_013L,
          Outcome.OK,
          987_654_321_098L);

  @TempDir private Path directory;

  @Test
  void what_was_written_is_read() {
    List<RecordedRequest> requests =
        List.of(
            WITH_ALL_FIELDS,
            unknownPut(1, 2, 3, 4),
            get(1, 2, 0, 10, 20),
            delete(1, 2, 30, 40, Outcome.FAILED),
            compareAndSet(1, 2, 3, 4, 50, 60, Outcome.MISMATCH));

    assertThat(read(written(requests))).isEqualTo(requests);
  }

  @Test
  void the_format_of_a_record_is_fixed() throws IOException {
    byte[] bytes =
        Files.readAllBytes(
            written(List.of(compareAndSet(1, 2, 3, 4, 5, RecordedRequest.NEVER, Outcome.UNKNOWN))));

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "51554f52484953540000000200000048000000010300000000000000020000000000000004"
                + "0000000000000000000000000000000300000000000000050000000000000005"
                + "ffffffffffffffff020000000000000000d0c6");
  }

  @Test
  void several_recorders_append_whole_blocks() {
    Path path = directory.resolve("history.bin");
    List<RecordedRequest> all = new ArrayList<>();
    try (HistoryFile file = HistoryFile.create(path)) {
      HistoryFile.Recorder one = file.recorder();
      HistoryFile.Recorder other = file.recorder();
      for (int i = 0; i < 3_000; i++) {
        RecordedRequest request = put(i % 2, 17, i + 1, i, i + 1);
        (i % 2 == 0 ? one : other).add(request);
        all.add(request);
      }
      assertThat(path.toFile()).hasSize(HEADER_BYTES + 2 * 1_024 * RECORD_BYTES);
      one.flush();
      other.flush();
    }

    assertThat(read(path)).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void several_threads_record_at_the_same_time() throws InterruptedException {
    Path path = directory.resolve("history.bin");
    try (HistoryFile file = HistoryFile.create(path)) {
      List<Thread> threads =
          IntStream.range(0, 4).mapToObj(client -> new Thread(() -> record(file, client))).toList();
      threads.forEach(Thread::start);
      for (Thread each : threads) {
        each.join();
      }
    }
    List<RecordedRequest> requests = read(path);

    assertThat(requests).hasSize(4 * 5_000);
    for (int client = 0; client < 4; client++) {
      int of = client;
      assertThat(requests.stream().filter(each -> each.client() == of))
          .extracting(RecordedRequest::written)
          .hasSize(5_000)
          .isSorted();
    }
  }

  @Test
  void an_incomplete_last_record_is_reported_and_left_out() throws IOException {
    Path path = written(List.of(put(1, 2, 3, 4, 5), put(1, 2, 4, 6, 7)));
    byte[] bytes = Files.readAllBytes(path);
    Files.write(path, Arrays.copyOf(bytes, bytes.length - 10));
    List<RecordedRequest> requests = new ArrayList<>();

    assertThat(HistoryFile.read(path, requests::add)).isEqualTo(62);
    assertThat(requests).containsExactly(put(1, 2, 3, 4, 5));
  }

  @Test
  void an_empty_history_is_a_history() {
    assertThat(read(written(List.of()))).isEmpty();
  }

  @Test
  void another_file_is_refused() throws IOException {
    Path path = directory.resolve("other.bin");
    Files.writeString(path, "QUOTATIONS, and more than sixteen bytes of them");

    assertThatThrownBy(() -> read(path))
        .isInstanceOf(QuorateException.class)
        .hasMessage(path + ": offset 3: found no history");
  }

  @Test
  void an_empty_file_is_refused() throws IOException {
    Path path = Files.createFile(directory.resolve("empty.bin"));

    assertThatThrownBy(() -> read(path)).hasMessage(path + ": offset 0: found no history");
  }

  @Test
  void another_version_is_refused() throws IOException {
    Path path = written(List.of());
    byte[] bytes = Files.readAllBytes(path);
    bytes[11] = 1;
    Files.write(path, bytes);

    assertThatThrownBy(() -> read(path))
        .hasMessage(path + ": offset 11: found another version of a history");
  }

  @Test
  void a_damaged_record_is_refused_with_its_offset() throws IOException {
    Path path = written(List.of(put(1, 2, 3, 4, 5), put(1, 2, 4, 6, 7)));
    byte[] bytes = Files.readAllBytes(path);
    bytes[HEADER_BYTES + RECORD_BYTES + 20] ^= 1;
    Files.write(path, bytes);

    assertThatThrownBy(() -> read(path))
        .hasMessage(path + ": offset 88: found a damaged record: its checksum does not match");
  }

  @Test
  void a_missing_file_and_a_directory_are_refused() {
    assertThatThrownBy(() -> read(directory.resolve("none")))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("none: cannot be read");
    assertThatThrownBy(() -> read(directory))
        .isInstanceOf(QuorateException.class)
        .hasMessage(directory + ": offset 0: expected a file");
  }

  @Test
  void an_existing_file_is_not_replaced() {
    Path path = written(List.of());

    assertThatThrownBy(() -> HistoryFile.create(path))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("cannot be written");
  }

  @Test
  void a_failed_write_does_not_fail_who_records_but_is_reported() {
    HistoryFile file = HistoryFile.create(directory.resolve("history.bin"));
    HistoryFile.Recorder recorder = file.recorder();
    file.close();
    for (int i = 0; i < 5_000; i++) {
      recorder.add(WITH_ALL_FIELDS);
    }
    recorder.flush();
    assertThatThrownBy(file::requireWritten)
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("cannot be written");
  }

  private static void record(HistoryFile file, int client) {
    HistoryFile.Recorder recorder = file.recorder();
    for (int i = 1; i <= 5_000; i++) {
      recorder.add(put(client, 17, i, i, i + 1));
    }
    recorder.flush();
  }

  private Path written(List<RecordedRequest> requests) {
    Path path = directory.resolve("history.bin");
    try (HistoryFile file = HistoryFile.create(path)) {
      HistoryFile.Recorder recorder = file.recorder();
      requests.forEach(recorder::add);
      recorder.flush();
    }
    return path;
  }

  private static List<RecordedRequest> read(Path path) {
    List<RecordedRequest> requests = new ArrayList<>();
    assertThat(HistoryFile.read(path, requests::add)).isZero();
    return requests;
  }
}
