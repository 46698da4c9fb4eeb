package io.quorate.shard;

import io.quorate.measure.LatencyRecorder;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyLogReader;
import io.quorate.results.latency.LatencyTag;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Merges the latency logs of shards into one: of each second and tag one histogram, which holds
 * what all of them have. Each log is read once, and little of it is in memory at a time.
 */
final class MergedLatencies implements AutoCloseable {
  /** Seconds that may still get lines of a shard whose intervals end later than others'. */
  private static final long OPEN_SECONDS = 3;

  private static final long MILLIS_PER_SECOND = 1000;

  private final List<Source> sources = new ArrayList<>();
  private final TreeMap<Long, Map<LatencyTag, Histogram>> open = new TreeMap<>();

  /** The log of a shard, and its next line. */
  private static final class Source {
    private final LatencyLogReader reader;
    private final double aheadSeconds;
    private Optional<LatencyLogReader.Line> head = Optional.empty();

    private Source(Path file, double aheadSeconds) {
      this.reader = new LatencyLogReader(file);
      this.aheadSeconds = aheadSeconds;
    }

    private void next() {
      head = reader.next();
    }

    private double end() {
      return head.orElseThrow().end() - aheadSeconds;
    }
  }

  /**
   * Adds the log of a shard.
   *
   * @param aheadSeconds how far its clock was ahead
   */
  void add(Path file, double aheadSeconds) {
    sources.add(new Source(file, aheadSeconds));
  }

  /**
   * Writes the merged log.
   *
   * @throws io.quorate.QuorateException if one of the logs cannot be read
   */
  void write(Path file, Instant start) {
    try (LatencyLog log = LatencyLog.create(file, start)) {
      sources.forEach(Source::next);
      for (Optional<Source> next = earliest(); next.isPresent(); next = earliest()) {
        take(next.get(), log);
      }
      while (!open.isEmpty()) {
        flush(log);
      }
    }
  }

  private Optional<Source> earliest() {
    return sources.stream()
        .filter(source -> source.head.isPresent())
        .min(Comparator.comparingDouble(Source::end));
  }

  private void take(Source source, LatencyLog log) {
    LatencyLogReader.Line line = source.head.orElseThrow();
    if (line.histogram().getTotalCount() > 0) {
      // an interval of a second belongs to the second in which most of it is
      long second = (long) Math.floor((line.start() + line.end()) / 2 - source.aheadSeconds);
      open.computeIfAbsent(second, absent -> new LinkedHashMap<>())
          .computeIfAbsent(line.tag(), absent -> new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS))
          .add(line.histogram());
    }
    while (!open.isEmpty() && open.firstKey() + OPEN_SECONDS < source.end()) {
      flush(log);
    }
    source.next();
  }

  /** Writes the earliest second. */
  private void flush(LatencyLog log) {
    Map.Entry<Long, Map<LatencyTag, Histogram>> second = open.pollFirstEntry();
    List<LatencyTag> tags = new ArrayList<>(second.getValue().keySet());
    tags.sort(Comparator.comparingInt(LatencyTag::step));
    for (LatencyTag tag : tags) {
      Histogram sum = second.getValue().get(tag);
      sum.setStartTimeStamp(second.getKey() * MILLIS_PER_SECOND);
      sum.setEndTimeStamp((second.getKey() + 1) * MILLIS_PER_SECOND);
      log.append(tag, sum);
    }
  }

  @Override
  public void close() {
    sources.forEach(source -> source.reader.close());
  }
}
