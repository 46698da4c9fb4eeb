// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.format.Problems;
import java.nio.file.Path;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongerIntervalsTest {
  private static final Instant START = Instant.parse("2026-11-21T07:51:46Z");

  @TempDir Path directory;

  @Test
  void intervals_become_longer_and_the_latencies_of_each_tag_stay_the_same() {
    Path log = directory.resolve("latency.hlog");
    try (LatencyLog written = LatencyLog.create(log, START)) {
      for (int second = 0; second < 12; second++) {
        int step = second < 7 ? 1 : 2;
        for (String operation : new String[] {"put", "get"}) {
          append(written, LatencyTag.response(step, operation), second, 1_000_000L * (second + 1));
        }
        append(written, LatencyTag.of(step, LatencyTag.Time.RECEIVE), second, 5_000);
      }
    }
    Path longer = directory.resolve("longer.hlog");

    LatencyLog.lengthen(log, longer, 5);

    LatencyLog.Contents before = LatencyLog.read(log, new Problems());
    LatencyLog.Contents after = LatencyLog.read(longer, new Problems());
    assertThat(after.byTag()).isEqualTo(before.byTag());
    assertThat(before.intervals()).hasSize(12);
    assertThat(after.intervals())
        .extracting(LatencyInterval::startMillis)
        .extracting(start -> (start - START.toEpochMilli()) / 1000)
        .containsExactly(0L, 5L, 7L, 10L);
    assertThat(after.intervals())
        .extracting(LatencyInterval::count)
        .containsExactly(10L, 4L, 6L, 4L);
    assertThat(LatencyInterval.typicalSeconds(before.intervals())).isEqualTo(1);
  }

  private static void append(LatencyLog log, LatencyTag tag, int second, long nanos) {
    Histogram interval = new Histogram(3);
    interval.recordValue(nanos);
    interval.setStartTimeStamp(START.plusSeconds(second).toEpochMilli());
    interval.setEndTimeStamp(START.plusSeconds(second + 1).toEpochMilli());
    log.append(tag, interval);
  }
}
