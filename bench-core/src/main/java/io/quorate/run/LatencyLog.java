package io.quorate.run;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.scenario.Step;
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
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * {@code latency.hlog}: all latencies in nanoseconds, one histogram per interval and step, in
 * HdrHistogram's log format (V2), so that its tools read it too. Every line is handed to the
 * operating system as soon as it is written; after a kill at any moment only the last line can be
 * incomplete. For one thread.
 */
public final class LatencyLog implements AutoCloseable {
  /** Divisor of the column for the maximum, which shows milliseconds. */
  private static final double MAX_VALUE_UNIT_RATIO = 1_000_000;

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
   * Starts a new log; one that is there is replaced.
   *
   * @param start of the measuring; the times in the log are relative to it
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
      throw new QuorateException(DiskSpace.unwritable(file, impossible), impossible);
    }
  }

  /** Returns the tag of a step's histograms. Steps are numbered from 1. */
  public static String tag(int step, int clients) {
    return "step=" + step + ";clients=" + clients;
  }

  /**
   * Adds the latencies of an interval. All intervals of a run together must hold every success
   * once: a reader checks that.
   *
   * @param tag of the step, without blanks, commas and line breaks; see {@link #tag}
   * @param interval with its start and end time stamps set; its tag is changed
   */
  public void append(String tag, Histogram interval) {
    interval.setTag(tag);
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
   * @param byTag all intervals of a tag together, in the order in which the tags came
   * @param intervals in the order of the log
   * @param truncated if the last line was incomplete and was left out
   */
  public record Contents(
      Map<String, Histogram> byTag, List<LatencyInterval> intervals, boolean truncated) {
    static final Contents NONE = new Contents(Map.of(), List.of(), false);

    public Contents {
      byTag = Collections.unmodifiableMap(new LinkedHashMap<>(byTag));
      intervals = List.copyOf(intervals);
    }

    /** Returns the histogram of all tags together. */
    public Histogram all() {
      Histogram all = new Histogram(3);
      for (Histogram histogram : byTag.values()) {
        if (all.getTotalCount() == 0) {
          all = new Histogram(histogram.getNumberOfSignificantValueDigits());
        }
        all.add(histogram);
      }
      return all;
    }
  }

  /**
   * Reads a log, which may still be being written.
   *
   * @throws QuorateException if a line other than an incomplete last one cannot be read
   */
  public static Contents read(Path file) {
    return new LatencyLogReader(file, Optional.empty()).read();
  }

  /**
   * Reads the log of a run with these steps.
   *
   * @throws QuorateException also if there are latencies of other steps, or more than were asked
   *     for
   */
  static Contents read(Path file, List<Step> steps) {
    Map<String, Step> byTag = new LinkedHashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      byTag.put(tag(i + 1, steps.get(i).clients()), steps.get(i));
    }
    return new LatencyLogReader(file, Optional.of(byTag)).read();
  }
}
