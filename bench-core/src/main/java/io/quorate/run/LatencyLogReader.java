package io.quorate.run;

import io.quorate.QuorateException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Reads {@code latency.hlog}: lines {@code [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM} with times in
 * seconds after the base time, as HdrHistogram's {@code HistogramLogReader}.
 */
final class LatencyLogReader {
  private static final String NUMBER = "(-?\\d{1,20}(?:\\.\\d{1,9})?)";
  private static final Pattern START_AND_LENGTH =
      Pattern.compile("(?:Tag=([^,]*),)?" + NUMBER + "," + NUMBER + "," + NUMBER);
  private static final Pattern BASE_TIME = Pattern.compile("#\\[BaseTime: " + NUMBER + " .*");

  private final Path file;
  private final Map<String, Histogram> byTag = new LinkedHashMap<>();
  private final List<LatencyInterval> intervals = new ArrayList<>();
  private double baseSeconds;

  LatencyLogReader(Path file) {
    this.file = file;
  }

  LatencyLog.Contents read() {
    String text = TextFile.read(file);
    int end = text.lastIndexOf('\n') + 1;
    int number = 0;
    for (int from = 0; from < end; ) {
      int to = text.indexOf('\n', from);
      number++;
      line(text.substring(from, to), number);
      from = to + 1;
    }
    return new LatencyLog.Contents(byTag, intervals, end < text.length());
  }

  private void line(String line, int number) {
    if (line.startsWith("#")) {
      Matcher base = BASE_TIME.matcher(line);
      if (base.matches()) {
        baseSeconds = Double.parseDouble(base.group(1));
      }
    } else if (!line.isEmpty() && !line.startsWith("\"")) {
      try {
        interval(line);
      } catch (IllegalArgumentException damaged) {
        throw new QuorateException(
            file + ":" + number + ": found no readable histogram: " + damaged.getMessage(),
            damaged);
      }
    }
  }

  private void interval(String line) {
    int comma = Math.max(0, line.lastIndexOf(','));
    Matcher cells = START_AND_LENGTH.matcher(line.substring(0, comma));
    if (!cells.matches()) {
      throw new IllegalArgumentException("expected [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM");
    }
    EncodedHistogram histogram = new EncodedHistogram(line.substring(comma + 1));
    String tag = cells.group(1) == null ? "" : cells.group(1);
    byTag.computeIfAbsent(tag, absent -> new Histogram(histogram.significantDigits()));
    histogram.addTo(byTag.get(tag));
    if (histogram.totalCount() == 0) {
      return;
    }
    double start = baseSeconds + Double.parseDouble(cells.group(2));
    double end = start + Double.parseDouble(cells.group(3));
    intervals.add(
        new LatencyInterval(tag, Math.round(start * 1000), Math.round(end * 1000), histogram));
  }
}
