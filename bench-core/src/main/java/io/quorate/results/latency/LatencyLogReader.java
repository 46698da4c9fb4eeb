package io.quorate.results.latency;

import io.quorate.QuorateException;
import io.quorate.format.Capacity;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Reads {@code latency.hlog} as a whole: the histogram of each tag, and a summary of each interval.
 * Keeps at most a million of these.
 */
final class LatencyLogReader {
  private static final long MOST_INTERVALS = 1_000_000;
  private static final long BYTES_PER_INTERVAL = 1024;
  private static final long MOST_HISTOGRAM_BYTES = 1L << 30;

  private final Path file;
  private final Map<String, LatencyTag> tags;
  private final List<Step> steps;
  private final Map<LatencyTag, HistogramSum> byTag = new LinkedHashMap<>();
  private final StepIntervals intervals = new StepIntervals();
  private final List<String> wrong = new ArrayList<>();
  private long keptBytes;

  /**
   * @param tags by their texts; there are no others
   */
  LatencyLogReader(Path file, Map<String, LatencyTag> tags, List<Step> steps) {
    this.file = file;
    this.tags = tags;
    this.steps = steps;
  }

  /**
   * Reads the log. If lines of it cannot be read there are no histograms, since percentiles without
   * these lines would be wrong, but there are all other intervals.
   *
   * @param problems gets the first of these lines
   */
  LatencyLog.Contents read(Problems problems) {
    boolean truncated =
        new LatencyLogLines(file, tags, this::line, problem -> wrong.add(problem.getMessage()))
            .read();
    if (!wrong.isEmpty()) {
      String more = wrong.size() == 1 ? "" : " (and %d more lines)".formatted(wrong.size() - 1);
      problems.add(file, wrong.get(0) + more, LatencyLog.WITHOUT_HISTOGRAMS);
      return new LatencyLog.Contents(Map.of(), intervals.all(), truncated);
    }
    Map<LatencyTag, Histogram> histograms = new LinkedHashMap<>();
    byTag.forEach((tag, sum) -> histograms.put(tag, sum.toHistogram()));
    return new LatencyLog.Contents(histograms, intervals.all(), truncated);
  }

  private void line(LatencyLogLines.Line line) {
    add(line.tag(), line.histogram(), line.where());
    if (line.histogram().totalCount() > 0 && line.tag().time() == LatencyTag.Time.RESPONSE) {
      intervals.add(line.tag(), line.start(), line.end(), line.histogram());
      Capacity.check(
          line.where(), intervals.size(), "intervals", MOST_INTERVALS, BYTES_PER_INTERVAL);
    }
  }

  private void add(LatencyTag tag, EncodedHistogram histogram, String where) {
    HistogramSum sum =
        byTag.computeIfAbsent(tag, absent -> new HistogramSum(histogram.significantDigits()));
    keptBytes -= sum.bytes();
    sum.add(histogram);
    keptBytes += sum.bytes();
    Capacity.check(where, keptBytes, "bytes of histograms", MOST_HISTOGRAM_BYTES, 1);
    Step step = steps.get(tag.step() - 1);
    long history = step.watch().map(WatchLoad::history).orElse(0);
    long asked = tag.time().isOfEvents() && history > 0 ? history : step.requests();
    // threads are probed at a rate of their own, whatever the number of requests
    boolean probes = tag.time() == LatencyTag.Time.RECEIVE;
    if (sum.totalCount() < 0 || sum.totalCount() > asked && !probes) {
      throw new QuorateException(
          "%s: found more requests than the %s of step %d in manifest.json"
              .formatted(where, NumberFormats.commas(asked), tag.step()));
    }
  }
}
