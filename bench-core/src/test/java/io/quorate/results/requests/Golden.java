// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/** Output of the real dbtester, and the requests that it was fed with. */
public final class Golden {
  public static final List<String> TAGS =
      List.of("etcd-v3.3.0-go1.9.3", "zookeeper-r3.5.3-beta-java8", "consul-v1.0.2-go1.9.3");

  private static final SuccessGaps NO_GAPS = new SuccessGaps(0, List.of());

  private Golden() {}

  /** The text of a golden file. */
  public static String text(String name) {
    try (InputStream resource = Golden.class.getResourceAsStream("golden/" + name)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The rows of a golden CSV file, without its header. */
  public static List<CSVRecord> rows(String name) {
    try (var parser = CSVFormat.RFC4180.parse(new StringReader(text(name)))) {
      List<CSVRecord> rows = parser.getRecords();
      return rows.subList(1, rows.size());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The golden requests of a database as they would have been measured. */
  public static List<StepMeasurement> steps(String tag) {
    Map<String, List<CSVRecord>> stages = new TreeMap<>();
    for (CSVRecord row : rows(tag + "-requests.csv")) {
      stages.computeIfAbsent(row.get(0), absent -> new ArrayList<>()).add(row);
    }
    return stages.values().stream().map(Golden::step).toList();
  }

  private static StepMeasurement step(List<CSVRecord> rows) {
    TreeMap<Long, Latencies> successes = new TreeMap<>();
    TreeMap<Long, List<ErrorTally>> errors = new TreeMap<>();
    Histogram histogram = new Histogram(3);
    long first = Long.MAX_VALUE;
    long last = 0;
    for (CSVRecord row : rows) {
      long start = Long.parseLong(row.get(2));
      long nanos = Long.parseLong(row.get(3)) - start;
      first = Math.min(first, start);
      last = Math.max(last, start + nanos);
      long second = start / 1_000_000_000;
      errors.putIfAbsent(second, new ArrayList<>());
      successes.putIfAbsent(second, Latencies.NONE);
      if (row.get(4).isEmpty()) {
        successes.merge(second, latency(nanos), Latencies::plus);
        histogram.recordValue(nanos);
      } else {
        errors.get(second).add(new ErrorTally("connection", row.get(4), 1, nanos));
      }
    }
    List<SecondMeasurement> seconds = new ArrayList<>();
    for (long second = successes.firstKey(); second <= successes.lastKey(); second++) {
      seconds.add(
          new SecondMeasurement(
              second,
              successes.getOrDefault(second, Latencies.NONE),
              ErrorTally.merged(errors.getOrDefault(second, List.of()))));
    }
    Latencies all = successes.values().stream().reduce(Latencies.NONE, Latencies::plus);
    int clients = Integer.parseInt(rows.get(0).get(1));
    return Measurements.ofPuts(
        clients, last - first, all, histogram, seconds, gaps(rows, first, last));
  }

  private static SuccessGaps gaps(List<CSVRecord> rows, long first, long last) {
    long[] ends =
        LongStream.concat(
                LongStream.of(first, last),
                rows.stream()
                    .filter(row -> row.get(4).isEmpty())
                    .mapToLong(row -> Long.parseLong(row.get(3))))
            .sorted()
            .toArray();
    long[] gaps = IntStream.range(1, ends.length).mapToLong(i -> ends[i] - ends[i - 1]).toArray();
    return new SuccessGaps(
        LongStream.of(gaps).max().orElse(0),
        LongStream.of(gaps)
            .filter(gap -> gap >= SuccessGaps.STALL_NANOS)
            .mapToObj(gap -> new SuccessGaps.Gap(0, gap))
            .toList());
  }

  /** The statistics of one latency. */
  public static Latencies latency(long nanos) {
    return new Latencies(1, nanos, nanos, nanos, (double) nanos * nanos);
  }

  /** A step of these latencies, all sent in one second, without errors. */
  public static StepMeasurement step(int clients, long unixSecond, long... nanos) {
    Histogram histogram = new Histogram(3);
    Latencies all = Latencies.NONE;
    long elapsed = 0;
    for (long each : nanos) {
      histogram.recordValue(each);
      all = all.plus(latency(each));
      elapsed += each;
    }
    var second = new SecondMeasurement(unixSecond, all, List.of());
    return Measurements.ofPuts(clients, elapsed, all, histogram, List.of(second), NO_GAPS);
  }

  /** A step with a request of a millisecond in each of these seconds, ascending. */
  public static StepMeasurement stepOf(int clients, long... unixSeconds) {
    Histogram histogram = new Histogram(3);
    Latencies all = Latencies.NONE;
    List<SecondMeasurement> seconds = new ArrayList<>();
    for (long second : unixSeconds) {
      while (!seconds.isEmpty() && seconds.get(seconds.size() - 1).unixSecond() < second - 1) {
        long missing = seconds.get(seconds.size() - 1).unixSecond() + 1;
        seconds.add(new SecondMeasurement(missing, Latencies.NONE, List.of()));
      }
      histogram.recordValue(1_000_000);
      all = all.plus(latency(1_000_000));
      seconds.add(new SecondMeasurement(second, latency(1_000_000), List.of()));
    }
    return Measurements.ofPuts(
        clients, unixSeconds.length * 1_000_000L, all, histogram, seconds, NO_GAPS);
  }

  /** Does something where numbers and texts are formatted in another way. */
  public static void inLocale(String tag, Runnable action) {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag(tag));
    try {
      action.run();
    } finally {
      Locale.setDefault(before);
    }
  }
}
