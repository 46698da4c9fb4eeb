package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Reads {@code latency.hlog}: lines {@code [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM} with times in
 * seconds after the base time, as HdrHistogram's {@code HistogramLogReader}. What is unpacked and
 * kept is bounded.
 */
final class LatencyLogReader {
  private static final String NUMBER = "(-?\\d{1,20}(?:\\.\\d{1,9})?)";
  private static final Pattern START_AND_LENGTH =
      Pattern.compile("(?:Tag=([^,]*),)?" + NUMBER + "," + NUMBER + "," + NUMBER);
  private static final Pattern BASE_TIME = Pattern.compile("#\\[BaseTime: " + NUMBER + " .*");

  private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1);

  private static final long MOST_INTERVALS = 1_000_000;
  private static final long BYTES_PER_INTERVAL = 1024;
  private static final long MOST_HISTOGRAM_BYTES = 1L << 30;
  private static final long MOST_UNPACKED_BYTES = 2L << 30;

  private final Path file;
  private final Map<String, LatencyTag> tags;
  private final List<Step> steps;
  private final Map<LatencyTag, Histogram> byTag = new LinkedHashMap<>();
  private final StepIntervals intervals = new StepIntervals();
  private double baseSeconds;
  private long unpackedBytes;
  private long keptBytes;

  /**
   * @param tags by their texts; there are no others
   */
  LatencyLogReader(Path file, Map<String, LatencyTag> tags, List<Step> steps) {
    this.file = file;
    this.tags = tags;
    this.steps = steps;
  }

  LatencyLog.Contents read() {
    boolean truncated = TextFile.lines(file, this::line);
    return new LatencyLog.Contents(byTag, intervals.all(), truncated);
  }

  private void line(String line, int number) {
    try {
      if (line.startsWith("#")) {
        Matcher base = BASE_TIME.matcher(line);
        if (base.matches()) {
          baseSeconds = Double.parseDouble(base.group(1));
        }
      } else if (!line.isEmpty() && !line.startsWith("\"")) {
        interval(line, file + ":" + number);
      }
    } catch (IllegalArgumentException damaged) {
      throw new QuorateException(
          file + ":" + number + ": found no readable histogram: " + damaged.getMessage(), damaged);
    }
  }

  private void interval(String line, String where) {
    int comma = Math.max(0, line.lastIndexOf(','));
    Matcher cells = START_AND_LENGTH.matcher(line.substring(0, comma));
    if (!cells.matches()) {
      throw new IllegalArgumentException("expected [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM");
    }
    LatencyTag tag = tag(cells.group(1) == null ? "" : cells.group(1), where);
    double start = baseSeconds + Double.parseDouble(cells.group(2));
    double end = start + Double.parseDouble(cells.group(3));
    EncodedHistogram histogram = new EncodedHistogram(line.substring(comma + 1));
    unpackedBytes += histogram.unpackedBytes();
    if (unpackedBytes > MOST_UNPACKED_BYTES) {
      throw new QuorateException(
          "%s: found more than %s bytes in histograms, expected fewer"
              .formatted(where, NumberFormats.commas(MOST_UNPACKED_BYTES)));
    }
    if (histogram.totalCount() > 0 && histogram.maxValue() > LONGEST_NANOS) {
      throw new IllegalArgumentException(
          "found a latency of %s ns, expected at most a day"
              .formatted(NumberFormats.commas(histogram.maxValue())));
    }
    add(tag, histogram, where);
    if (histogram.totalCount() > 0 && tag.time() == LatencyTag.Time.RESPONSE) {
      intervals.add(tag, start, end, histogram);
      Capacity.check(where, intervals.size(), "intervals", MOST_INTERVALS, BYTES_PER_INTERVAL);
    }
  }

  private LatencyTag tag(String text, String where) {
    LatencyTag tag = tags.get(text);
    if (tag == null) {
      throw new QuorateException(
          "%s: found the tag %s, expected %s, as manifest.json has no other steps"
              .formatted(
                  where,
                  GoText.shortened(GoText.quoted(text)),
                  GoText.shortened(
                      String.join(
                          " or ",
                          tags.values().stream().map(LatencyTag::toString).distinct().toList()))));
    }
    return tag;
  }

  private void add(LatencyTag tag, EncodedHistogram histogram, String where) {
    Histogram sum = byTag.get(tag);
    if (sum == null) {
      sum = new Histogram(histogram.significantDigits());
      byTag.put(tag, sum);
    } else {
      keptBytes -= sum.getEstimatedFootprintInBytes();
    }
    histogram.addTo(sum);
    keptBytes += sum.getEstimatedFootprintInBytes();
    Capacity.check(where, keptBytes, "bytes of histograms", MOST_HISTOGRAM_BYTES, 1);
    Step step = steps.get(tag.step() - 1);
    long history = step.watch().map(WatchLoad::history).orElse(0);
    long asked = tag.time().isOfEvents() && history > 0 ? history : step.requests();
    if (sum.getTotalCount() < 0 || sum.getTotalCount() > asked) {
      throw new QuorateException(
          "%s: found more requests than the %s of step %d in manifest.json"
              .formatted(where, NumberFormats.commas(asked), tag.step()));
    }
  }
}
