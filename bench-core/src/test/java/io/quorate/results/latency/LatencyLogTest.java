// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.format.Problems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyLogTest {
  private static final Instant START = Instant.parse("2026-11-21T07:51:46.500Z");

  @TempDir Path directory;
  private Path file;

  private static final LatencyTag FIRST = LatencyTag.response(1, "put");
  private static final LatencyTag SECOND = LatencyTag.response(2, "put");

  @BeforeEach
  void chooseFile() {
    file = directory.resolve("latency.hlog");
  }

  @Test
  void whatWasWrittenIsReadByStep() {
    writeThreeIntervals();

    LatencyLog.Contents contents = read();

    assertThat(contents.truncated()).isFalse();
    assertThat(contents.byTag()).containsOnlyKeys(FIRST, SECOND);
    assertThat(contents.byTag().get(FIRST)).isEqualTo(of(1_000_000, 2_000_000));
    assertThat(contents.byTag().get(SECOND)).isEqualTo(of(60_000_000_000L));
    assertThat(contents.all()).isEqualTo(of(1_000_000, 2_000_000, 60_000_000_000L));
  }

  @Test
  void eachIntervalIsKeptInShort() {
    try (LatencyLog log = LatencyLog.create(file, START)) {
      log.append(FIRST, at(0, of(1_000_000)));
      log.append(SECOND, at(2, of(100, 200, 5_000, 60_000_000_000L)));
    }

    LatencyInterval interval = read().intervals().get(1);

    assertThat(interval.tag()).isEqualTo(SECOND);
    assertThat(interval.startMillis()).isEqualTo(START.toEpochMilli() + 2000);
    assertThat(interval.endMillis()).isEqualTo(START.toEpochMilli() + 3000);
    assertThat(interval.count()).isEqualTo(4);
    assertThat(interval.nanos(Percentile.P50)).isEqualTo(200);
    assertThat(interval.nanos(Percentile.P90)).isEqualTo(60_028_878_847L);
    assertThat(interval.maxNanos()).isEqualTo(60_028_878_847L);
    assertThat(interval.firstTenth()).isEqualTo(20);
    assertThat(interval.lastTenth()).isEqualTo(107);
    assertThat(interval.countInTenth(20)).isEqualTo(1);
    assertThat(interval.countInTenth(23)).isEqualTo(1);
    assertThat(interval.countInTenth(36)).isEqualTo(1);
    assertThat(interval.countInTenth(37)).isZero();
    assertThat(interval.countInTenth(1000)).isZero();
    assertThat(LatencyInterval.tenthFromNanos(30)).isEqualTo(1000);
  }

  @Test
  void theIntervalsOfOperationsThatEndTogetherAreOne() {
    LatencyTag get = LatencyTag.response(1, "get");
    try (LatencyLog log = LatencyLog.create(file, START)) {
      log.append(get, at(0, of(1_000, 2_000)));
      log.append(FIRST, at(0, of(2_000, 3_000)));
      log.append(FIRST, at(1, of(5_000)));
      log.append(get, at(2, of(7_000)));
      log.append(LatencyTag.response(2, "get"), at(2, of(8_000)));
    }
    List<LatencyInterval> intervals = read().intervals();

    assertThat(intervals).extracting(LatencyInterval::count).containsExactly(4L, 1L, 1L, 1L);
    assertThat(intervals.get(0).nanos(Percentile.P50)).isEqualTo(2_000);
    assertThat(intervals.get(0).nanos(Percentile.P75)).isEqualTo(2_000);
    assertThat(intervals.get(0).maxNanos()).isEqualTo(3_001);
    assertThat(intervals.get(0).tag()).hasToString("step=1");
    assertThat(intervals.get(1).tag()).isEqualTo(FIRST);
  }

  @Test
  void threads_may_be_probed_more_often_than_there_are_requests() {
    try (LatencyLog log = LatencyLog.create(file, START)) {
      log.append(FIRST, at(0, of(1_000)));
      log.append(LatencyTag.of(1, LatencyTag.Time.RECEIVE), at(0, of(100, 200, 300)));
    }
    assertThat(read().byTag()).hasSize(2);
  }

  @Test
  void anEmptyIntervalHasATagOnly() {
    try (LatencyLog log = LatencyLog.create(file, START)) {
      log.append(FIRST, at(0, of()));
    }
    LatencyLog.Contents contents = read();
    assertThat(contents.byTag()).containsOnlyKeys(FIRST);
    assertThat(contents.intervals()).isEmpty();
    assertThat(contents.all().getTotalCount()).isZero();
  }

  @Test
  void whatIsWrittenIsThereBeforeTheLogIsClosed() {
    try (LatencyLog log = LatencyLog.create(file, START)) {
      assertThat(read().byTag()).isEmpty();
      log.append(FIRST, at(0, of(5)));
      assertThat(read().all().getTotalCount()).isEqualTo(1);
    }
  }

  @Test
  void hdrHistogramsOwnReaderReadsIt() throws IOException {
    writeThreeIntervals();
    try (var reader = new HistogramLogReader(file.toFile())) {
      Histogram first = (Histogram) reader.nextIntervalHistogram();
      assertThat(reader.getStartTimeSec()).isEqualTo(START.toEpochMilli() / 1000.0);
      assertThat(first.getTag()).isEqualTo("step=1;op=put");
      assertThat(first.getStartTimeStamp()).isEqualTo(START.toEpochMilli());
      assertThat(first.getEndTimeStamp()).isEqualTo(START.toEpochMilli() + 1000);
      assertThat(first).isEqualTo(of(1_000_000));
    }
    assertThat(Files.readString(file))
        .contains("#[Histogram log format version 1.3]\n", "#[StartTime: 1795247506.500 (seconds")
        .contains("\nTag=step=1;op=put,0.000,1.000,1.000,");
  }

  /** A kill may leave any number of bytes: at worst the line that was being written is lost. */
  @Test
  void aLogThatIsCutOffAnywhereIsRead() throws IOException {
    writeThreeIntervals();
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      Files.write(file, part);
      String text = new String(part, StandardCharsets.UTF_8);
      long lines = text.lines().filter(line -> line.startsWith("Tag=")).count();
      boolean cut = !text.isEmpty() && !text.endsWith("\n");
      boolean cutInterval = cut && text.substring(text.lastIndexOf('\n') + 1).startsWith("Tag=");

      LatencyLog.Contents contents = read();

      assertThat(contents.truncated()).isEqualTo(cut);
      assertThat(contents.all().getTotalCount()).isEqualTo(lines - (cutInterval ? 1 : 0));
    }
  }

  @Test
  void aDamagedLineIsAnErrorWithItsNumber() throws IOException {
    writeThreeIntervals();
    String text = Files.readString(file);
    int line = (int) text.lines().takeWhile(each -> !each.startsWith("Tag=step=2")).count() + 1;
    int at = text.indexOf("Tag=step=2") + 60;
    Files.writeString(file, text.substring(0, at) + "AAAA" + text.substring(at + 4));
    assertThatThrownBy(() -> read())
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("latency.hlog:" + line + ": found no readable histogram");

    Histogram many = new Histogram(3);
    many.recordValueWithCount(1, 1L << 60);
    ByteBuffer bytes = ByteBuffer.allocate(many.getNeededByteBufferCapacity());
    bytes.limit(many.encodeIntoCompressedByteBuffer(bytes));
    String encoded =
        Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), bytes.limit()));
    Files.writeString(file, "Tag=step=1;op=put,0.000,1.000,1.000," + encoded + "\n");
    assertThatThrownBy(() -> read())
        .hasMessageContaining("latency.hlog:1: found no readable histogram")
        .hasMessageContaining("more values than there can be");

    Files.writeString(file, "rubbish\n");
    assertThatThrownBy(() -> read())
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("latency.hlog:1: found");
  }

  private LatencyLog.Contents read() {
    Problems problems = new Problems();
    LatencyLog.Contents contents = LatencyLog.read(file, problems);
    problems.throwIfAny();
    return contents;
  }

  private void writeThreeIntervals() {
    try (LatencyLog log = LatencyLog.create(file, START)) {
      log.append(FIRST, at(0, of(1_000_000)));
      log.append(FIRST, at(1, of(2_000_000)));
      log.append(SECOND, at(2, of(60_000_000_000L)));
    }
  }

  private static Histogram at(int second, Histogram interval) {
    interval.setStartTimeStamp(START.toEpochMilli() + second * 1000);
    interval.setEndTimeStamp(START.toEpochMilli() + second * 1000 + 1000);
    return interval;
  }

  private static Histogram of(long... nanos) {
    Histogram histogram = new Histogram(3);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }
}
