package io.quorate.results.latency;

import io.quorate.QuorateException;
import io.quorate.format.GoText;
import io.quorate.format.NumberFormats;
import io.quorate.format.TextFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the lines of {@code latency.hlog} one by one: {@code [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM}
 * with times in seconds after the base time, as HdrHistogram's {@code HistogramLogReader}. What is
 * unpacked is bounded.
 */
public final class LatencyLogLines {
  private static final String NUMBER = "(-?\\d{1,20}(?:\\.\\d{1,9})?)";
  private static final Pattern START_AND_LENGTH =
      Pattern.compile("(?:Tag=([^,]*),)?" + NUMBER + "," + NUMBER + "," + NUMBER);
  private static final Pattern BASE_TIME = Pattern.compile("#\\[BaseTime: " + NUMBER + " .*");

  private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final long MOST_UNPACKED_BYTES = 2L << 30;

  private final Path file;
  private final Map<String, LatencyTag> tags;
  private final Lines lines;
  private final Consumer<QuorateException> wrong;
  private double baseSeconds;
  private long unpackedBytes;

  /**
   * A line.
   *
   * @param start in seconds since 1970
   * @param end in seconds since 1970
   * @param where the file and the number of the line
   */
  public record Line(
      LatencyTag tag, double start, double end, EncodedHistogram histogram, String where) {}

  /** Takes the lines, in the order of the file. */
  @FunctionalInterface
  public interface Lines {
    void line(Line line);
  }

  /**
   * @param tags by their texts; there are no others
   */
  public LatencyLogLines(Path file, Map<String, LatencyTag> tags, Lines lines) {
    this(
        file,
        tags,
        lines,
        problem -> {
          throw problem;
        });
  }

  /**
   * @param tags by their texts; there are no others
   * @param wrong takes the problem of each line that cannot be read
   */
  public LatencyLogLines(
      Path file, Map<String, LatencyTag> tags, Lines lines, Consumer<QuorateException> wrong) {
    this.file = file;
    this.tags = tags;
    this.lines = lines;
    this.wrong = wrong;
  }

  /** Reads all lines; returns whether the last one is incomplete and was left out. */
  public boolean read() {
    return TextFile.lines(file, this::line);
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
      wrong.accept(
          new QuorateException(
              "%s:%d: found no readable histogram: %s"
                  .formatted(file, number, damaged.getMessage()),
              damaged));
    } catch (QuorateException damaged) {
      wrong.accept(damaged);
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
    lines.line(new Line(tag, start, end, histogram, where));
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
}
