// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import io.quorate.measure.LatencyRecorder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Adds consecutive intervals of a log, tag by tag. Intervals of several tags that were written
 * together stay together. For one thread.
 */
final class LongerIntervals {
  private static final long MILLIS_PER_SECOND = 1000;

  /** Intervals are not exactly a second long. */
  private static final long TOLERANCE_MILLIS = 500;

  private final long lengthMillis;
  private final Map<LatencyTag, Histogram> sums = new LinkedHashMap<>();
  private final Set<LatencyTag> together = new HashSet<>();
  private final LatencyLog log;
  private long startMillis;

  private LongerIntervals(LatencyLog log, int seconds) {
    this.log = log;
    this.lengthMillis = seconds * MILLIS_PER_SECOND;
  }

  static void write(Path from, Path to, int seconds) {
    LatencyLogReader reader = new LatencyLogReader(from);
    try (LatencyLog log = LatencyLog.create(to, Instant.ofEpochMilli(first(from)))) {
      LongerIntervals intervals = new LongerIntervals(log, seconds);
      reader.read(intervals::add);
      intervals.end();
    }
  }

  /** Returns when the first interval started, in milliseconds since 1970; 0 if there is none. */
  private static long first(Path log) {
    long[] first = {Long.MAX_VALUE};
    new LatencyLogReader(log).read(line -> first[0] = Math.min(first[0], millis(line.start())));
    return first[0] == Long.MAX_VALUE ? 0 : first[0];
  }

  private void add(LatencyLogReader.Line line) {
    if (!together.add(line.tag())) {
      together.clear();
      together.add(line.tag());
      if (millis(line.start()) - startMillis > lengthMillis - TOLERANCE_MILLIS) {
        end();
      }
    }
    if (sums.isEmpty()) {
      startMillis = millis(line.start());
    }
    Histogram sum =
        sums.computeIfAbsent(
            line.tag(), absent -> new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS));
    sum.add(line.histogram());
    sum.setStartTimeStamp(Math.min(sum.getStartTimeStamp(), millis(line.start())));
    sum.setEndTimeStamp(Math.max(sum.getEndTimeStamp(), millis(line.end())));
  }

  private void end() {
    sums.forEach(log::append);
    sums.clear();
  }

  private static long millis(double seconds) {
    return Math.round(seconds * MILLIS_PER_SECOND);
  }
}
