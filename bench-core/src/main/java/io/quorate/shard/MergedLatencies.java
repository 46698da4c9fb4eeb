// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Merges the latency logs of shards into one, with one histogram of all shards for each second and
 * tag. A separate thread reads each log once, and little of it is in memory at a time.
 */
final class MergedLatencies {
  /** Number of seconds that are kept open for shards whose intervals end later. */
  private static final long OPEN_SECONDS = 3;

  private static final int QUEUED_LINES = 8;
  private static final long TELL_NANOS = 5_000_000_000L;
  private static final long MILLIS_PER_SECOND = 1000;

  private final List<Source> sources = new ArrayList<>();
  private final TreeMap<Long, Map<LatencyTag, Histogram>> open = new TreeMap<>();
  private long toldNanos = System.nanoTime();

  /** The log of a shard, read by a thread that waits when it is far ahead. */
  private static final class Source {
    private final Path file;
    private final double aheadSeconds;
    private final BlockingQueue<Optional<LatencyLogReader.Line>> lines =
        new ArrayBlockingQueue<>(QUEUED_LINES);
    private volatile Optional<RuntimeException> failure = Optional.empty();
    private Optional<LatencyLogReader.Line> head = Optional.empty();

    private Source(Path file, double aheadSeconds) {
      this.file = file;
      this.aheadSeconds = aheadSeconds;
    }

    private Thread start() {
      return DaemonThreads.start("read-" + file, this::read);
    }

    private void read() {
      try {
        new LatencyLogReader(file).read(line -> put(Optional.of(line)));
      } catch (RuntimeException broken) {
        failure = Optional.of(broken);
      }
      if (!Thread.currentThread().isInterrupted()) {
        put(Optional.empty());
      }
    }

    private void put(Optional<LatencyLogReader.Line> line) {
      try {
        lines.put(line);
      } catch (InterruptedException given) {
        Thread.currentThread().interrupt();
        throw new QuorateException(file + ": is read no further", given);
      }
    }

    /** Takes the next line; empty after the last one. */
    private void next() {
      try {
        head = lines.take();
      } catch (InterruptedException interrupt) {
        throw new QuorateException(file + ": is read no further", interrupt);
      }
      if (head.isEmpty() && failure.isPresent()) {
        throw failure.get();
      }
    }

    private double end() {
      return head.orElseThrow().end() - aheadSeconds;
    }
  }

  /** Adds the log of a shard whose clock was ahead. */
  void add(Path file, double aheadSeconds) {
    sources.add(new Source(file, aheadSeconds));
  }

  /**
   * Writes the merged log; fails if one of the logs cannot be read.
   *
   * @param progress receives from time to time the second that was written last, since 1970
   */
  void write(Path file, Instant start, LongConsumer progress) {
    List<Thread> threads = sources.stream().map(Source::start).toList();
    try (LatencyLog log = LatencyLog.create(file, start)) {
      sources.forEach(Source::next);
      while (true) {
        Optional<Source> earliest =
            sources.stream()
                .filter(source -> source.head.isPresent())
                .min(Comparator.comparingDouble(Source::end));
        if (earliest.isEmpty()) {
          break;
        }
        take(earliest.get(), log, progress);
      }
      while (!open.isEmpty()) {
        flush(log);
      }
    } finally {
      threads.forEach(Thread::interrupt);
    }
  }

  private void take(Source source, LatencyLog log, LongConsumer progress) {
    LatencyLogReader.Line line = source.head.orElseThrow();
    if (line.count() > 0) {
      // an interval belongs to the second that contains most of it
      long second = (long) Math.floor((line.start() + line.end()) / 2 - source.aheadSeconds);
      line.addTo(
          open.computeIfAbsent(second, absent -> new LinkedHashMap<>())
              .computeIfAbsent(
                  line.tag(), absent -> new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS)));
    }
    while (!open.isEmpty() && open.firstKey() + OPEN_SECONDS < source.end()) {
      if (System.nanoTime() - toldNanos > TELL_NANOS) {
        progress.accept(open.firstKey());
        toldNanos = System.nanoTime();
      }
      flush(log);
    }
    source.next();
  }

  private void flush(LatencyLog log) {
    Map.Entry<Long, Map<LatencyTag, Histogram>> second = open.pollFirstEntry();
    List<LatencyTag> tags = new ArrayList<>(second.getValue().keySet());
    tags.sort(Comparator.comparingInt(LatencyTag::step));
    for (LatencyTag tag : tags) {
      Histogram sum = Objects.requireNonNull(second.getValue().get(tag));
      sum.setStartTimeStamp(second.getKey() * MILLIS_PER_SECOND);
      sum.setEndTimeStamp((second.getKey() + 1) * MILLIS_PER_SECOND);
      log.append(tag, sum);
    }
  }
}
