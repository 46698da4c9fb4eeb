// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.Problems;
import io.quorate.format.TextFile;
import io.quorate.measure.LatencyRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code latency.hlog}, once. A line is {@code [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM} with
 * times in seconds after the base time. HdrHistogram's {@code HistogramLogReader} does not report
 * the numbers of lines. For one thread.
 */
public final class LatencyLogReader {
  private static final String NUMBER = "(-?\\d{1,20}(?:\\.\\d{1,9})?)";
  private static final Pattern LINE =
      Pattern.compile("(?:Tag=([^,]*),)?" + NUMBER + "," + NUMBER + "," + NUMBER + ",([^,]*)");
  private static final Pattern BASE_TIME = Pattern.compile("#\\[BaseTime: " + NUMBER + " .*");

  /** So that the total of several lines fits a long. */
  private static final long MAX_TOTAL = 1L << 53;

  private final Path file;
  private double baseSeconds;

  /**
   * A line.
   *
   * @param start start in seconds since 1970
   * @param end end in seconds since 1970
   * @param where the file and the number of the line
   */
  public record Line(
      LatencyTag tag, double start, double end, RecordedBuckets latencies, String where) {
    /** Returns the number of latencies. */
    public long count() {
      return latencies.total();
    }

    /** Adds the latencies to a histogram. */
    public void addTo(Histogram sum) {
      latencies.addTo(sum);
    }
  }

  public LatencyLogReader(Path file) {
    this.file = file;
  }

  /**
   * Reads the lines one by one.
   *
   * @return whether the last line is incomplete and was left out
   * @throws QuorateException if a line cannot be read
   */
  public boolean read(Consumer<Line> lines) {
    return read(
        lines,
        problem -> {
          throw problem;
        });
  }

  private boolean read(Consumer<Line> lines, Consumer<QuorateException> wrong) {
    return TextFile.lines(
        file,
        (text, number) -> {
          Optional<Line> line = Optional.empty();
          try {
            line = line(text, file + ":" + number);
          } catch (QuorateException damaged) {
            wrong.accept(damaged);
          }
          line.ifPresent(lines);
        });
  }

  /**
   * Reads the log as a whole: the histogram of each tag, and a summary of each interval of response
   * times. If lines cannot be read, there are no histograms, since percentiles without these lines
   * would be wrong. All other intervals remain.
   *
   * @param problems receives the first unreadable line
   */
  LatencyLog.Contents read(Problems problems) {
    Map<LatencyTag, Histogram> byTag = new LinkedHashMap<>();
    StepIntervals intervals = new StepIntervals();
    List<QuorateException> wrong = new ArrayList<>();
    boolean truncated =
        read(
            line -> {
              line.addTo(
                  byTag.computeIfAbsent(
                      line.tag(), absent -> new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS)));
              if (line.tag().time() == LatencyTag.Time.RESPONSE && line.count() > 0) {
                intervals.add(line);
              }
            },
            wrong::add);
    if (!wrong.isEmpty()) {
      String more = wrong.size() == 1 ? "" : " (and %d more lines)".formatted(wrong.size() - 1);
      problems.add(file, wrong.get(0).getMessage() + more, LatencyLog.WITHOUT_HISTOGRAMS);
    }
    return new LatencyLog.Contents(wrong.isEmpty() ? byTag : Map.of(), intervals.all(), truncated);
  }

  /** Returns the interval of a line; empty for a comment and for the names of the columns. */
  private Optional<Line> line(String text, String where) {
    if (text.isEmpty() || text.startsWith("\"")) {
      return Optional.empty();
    }
    if (text.startsWith("#")) {
      Matcher base = BASE_TIME.matcher(text);
      if (base.matches()) {
        baseSeconds = Double.parseDouble(base.group(1));
      }
      return Optional.empty();
    }
    Matcher cells = LINE.matcher(text);
    if (!cells.matches()) {
      throw new QuorateException(
          where + ": found no readable histogram, expected [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM");
    }
    String name = cells.group(1) == null ? "" : cells.group(1);
    LatencyTag tag =
        LatencyTag.parse(name)
            .orElseThrow(
                () ->
                    new QuorateException(
                        "%s: found the tag '%s', expected one such as step=1;op=put"
                            .formatted(where, VisibleText.line(name))));
    double start = baseSeconds + Double.parseDouble(cells.group(2));
    double end = start + Double.parseDouble(cells.group(3));
    return Optional.of(new Line(tag, start, end, latencies(cells.group(5), where), where));
  }

  private static RecordedBuckets latencies(String base64, String where) {
    try {
      RecordedBuckets read = RecordedBuckets.decode(Base64.getDecoder().decode(base64));
      if (read.total() > MAX_TOTAL) {
        throw new DataFormatException("more values than there can be");
      }
      return read;
    } catch (RuntimeException | DataFormatException damaged) {
      throw new QuorateException(
          "%s: found no readable histogram: %s".formatted(where, damaged), damaged);
    }
  }

  /**
   * Summaries of the intervals of response times, in the order of the log. Intervals of several
   * operations of a step that end at the same time are combined, so that a step has one value at a
   * time.
   */
  static final class StepIntervals {
    /** Intervals of operations that end within this time are written together. */
    private static final double TOGETHER_SECONDS = 0.5;

    private final List<LatencyInterval> complete = new ArrayList<>();
    private final Set<LatencyTag> tags = new HashSet<>();
    private @Nullable RecordedBuckets latencies;
    private int step;
    private double startSeconds;
    private double endSeconds;

    /** Adds the next interval, which is not empty. */
    void add(LatencyLogReader.Line line) {
      LatencyTag tag = line.tag();
      boolean together =
          !tags.isEmpty()
              && step == tag.step()
              && !tags.contains(tag)
              && Math.abs(line.end() - endSeconds) < TOGETHER_SECONDS;
      if (together) {
        latencies = Objects.requireNonNull(latencies).plus(line.latencies());
        startSeconds = Math.min(startSeconds, line.start());
        endSeconds = Math.max(endSeconds, line.end());
      } else {
        complete();
        latencies = line.latencies();
        step = tag.step();
        startSeconds = line.start();
        endSeconds = line.end();
      }
      tags.add(tag);
    }

    List<LatencyInterval> all() {
      complete();
      return List.copyOf(complete);
    }

    private void complete() {
      if (!tags.isEmpty()) {
        LatencyTag tag =
            tags.size() == 1
                ? tags.iterator().next()
                : new LatencyTag(step, Optional.empty(), LatencyTag.Time.RESPONSE);
        complete.add(
            LatencyInterval.of(
                tag,
                Math.round(startSeconds * 1000),
                Math.round(endSeconds * 1000),
                Objects.requireNonNull(latencies)));
        tags.clear();
      }
    }
  }
}
