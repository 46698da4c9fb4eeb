// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.format.Problems;
import io.quorate.measure.GeneratorDelay;
import io.quorate.measure.LatencyRecorder;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * {@code latency.hlog}: all latencies in nanoseconds, one histogram per interval and step, in
 * HdrHistogram's log format (V2), so that its tools can read it. Every line is passed to the
 * operating system at once, so that a kill can only leave the last line incomplete. For one thread.
 */
public final class LatencyLog implements AutoCloseable {
  /** Divisor of the column for the maximum, which shows milliseconds. */
  private static final double MAX_VALUE_UNIT_RATIO = 1_000_000;

  /** Consequence for the report if lines of the log cannot be read. */
  public static final String WITHOUT_HISTOGRAMS =
      "percentiles by step and operation, watch latencies and send lag are left out";

  private final Path file;
  private final long startMillis;
  private final PrintStream stream;
  private final HistogramLogWriter writer;

  private LatencyLog(Path file, long startMillis, PrintStream stream) {
    this.file = file;
    this.startMillis = startMillis;
    this.stream = stream;
    this.writer = new HistogramLogWriter(stream);
  }

  /**
   * Starts a new log; an existing one is replaced.
   *
   * @param start start of the measurement; the times in the log are relative to it
   */
  public static LatencyLog create(Path file, Instant start) {
    LatencyLog log = new LatencyLog(file, start.toEpochMilli(), open(file));
    log.writer.outputComment("[Latencies in nanoseconds, Interval_Max in milliseconds]");
    log.writer.outputLogFormatVersion();
    log.writer.outputStartTime(start.toEpochMilli());
    log.writer.outputBaseTime(start.toEpochMilli());
    log.writer.outputLegend();
    log.flush();
    return log;
  }

  private static PrintStream open(Path file) {
    try {
      var buffered = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
      return new PrintStream(buffered, false, StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw DiskSpace.exception(file, impossible);
    }
  }

  /**
   * Adds the latencies of an interval. All intervals of a run together contain every success once.
   *
   * @param interval with its start and end time stamps set; its tag is changed
   */
  public void append(LatencyTag tag, Histogram interval) {
    interval.setTag(tag.toString());
    writer.outputIntervalHistogram(
        (interval.getStartTimeStamp() - startMillis) / 1000.0,
        (interval.getEndTimeStamp() - startMillis) / 1000.0,
        interval,
        MAX_VALUE_UNIT_RATIO);
    flush();
  }

  private void flush() {
    if (stream.checkError()) {
      throw new QuorateException(DiskSpace.full(file).orElse(file + ": cannot be written"));
    }
  }

  @Override
  public void close() {
    writer.close();
  }

  /**
   * The content of a log.
   *
   * @param byTag sum of all intervals by tag, in the order of the tags in the log
   * @param intervals intervals of the response times, in the order of the log
   * @param truncated whether the last line was incomplete and was left out
   */
  public record Contents(
      Map<LatencyTag, Histogram> byTag, List<LatencyInterval> intervals, boolean truncated) {
    public static final Contents NONE = new Contents(Map.of(), List.of(), false);

    public Contents {
      byTag = Collections.unmodifiableMap(new LinkedHashMap<>(byTag));
      intervals = List.copyOf(intervals);
    }

    /** Returns the response times of all steps and operations together. */
    public Histogram all() {
      return together(tag -> tag.time() == LatencyTag.Time.RESPONSE);
    }

    /** Returns the delay that the load generator added to the requests of some steps. */
    public GeneratorDelay delay(IntPredicate steps) {
      return new GeneratorDelay(
          together(tag -> tag.time() == LatencyTag.Time.LAG && steps.test(tag.step())),
          together(tag -> tag.time() == LatencyTag.Time.RECEIVE && steps.test(tag.step())));
    }

    /**
     * Returns how long the requests of some steps waited for a connection that carries one request
     * at a time; 0 for most of them. Empty if none waited.
     */
    public Histogram queue(IntPredicate steps) {
      Histogram waits =
          together(tag -> tag.time() == LatencyTag.Time.QUEUE && steps.test(tag.step()));
      long others = delay(steps).sending().getTotalCount() - waits.getTotalCount();
      if (waits.getTotalCount() > 0 && others > 0) {
        waits.recordValueWithCount(0, others);
      }
      return waits;
    }

    /** Returns the histogram of all tags together that fulfil a condition. */
    public Histogram together(Predicate<LatencyTag> wanted) {
      Histogram all = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
      byTag.forEach(
          (tag, histogram) -> {
            if (wanted.test(tag)) {
              all.add(histogram);
            }
          });
      return all;
    }
  }

  /**
   * Reads a log, which may still be being written.
   *
   * @param problems receives the first unreadable line, except for an incomplete last one
   */
  public static Contents read(Path file, Problems problems) {
    return problems
        .attempt(file, WITHOUT_HISTOGRAMS, () -> new LatencyLogReader(file).read(problems))
        .orElse(Contents.NONE);
  }
}
