// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Computes latencies, and the resource use of the servers, by the number of keys written: one row
 * for every 1000 keys, with the values of the second in which they were reached.
 *
 * <p>As in the reference, a row is named by the number of keys rounded up to 1000. The first row
 * belongs to the second in which the first 1000 keys were complete. Unlike in the reference, the
 * last row is named by the number of written keys, and a run of fewer than 1000 keys has only that
 * row. There are no rows of zeros for failed requests.
 */
public final class KeyNumberFiles {
  /** Name of the column of read bytes as text with a unit, which has no numbers. */
  public static final String READ_BYTES = "AVG-READ-BYTES";

  public static final String WRITE_BYTES = "AVG-WRITE-BYTES";

  /** Columns of the memory: mean, and least and most of one server. */
  public static final List<String> MEMORY =
      List.of("KEYS", "MIN-VMRSS-MB", "AVG-VMRSS-MB", "MAX-VMRSS-MB");

  public static final List<String> READ =
      List.of("KEYS", AggregatedColumn.AVG_READ_BYTES_DELTA.title(), READ_BYTES);

  public static final List<String> WRITTEN =
      List.of("KEYS", AggregatedColumn.AVG_WRITE_BYTES_DELTA.title(), WRITE_BYTES);

  private static final long UNIT = 1000;

  private KeyNumberFiles() {}

  /** Returns the columns of the latencies of these steps, in milliseconds. */
  public static Frame latency(List<StepFigures> steps) {
    List<ClientSecond> seconds =
        steps.stream()
            .flatMap(step -> step.seconds().stream())
            .sorted(Comparator.comparingLong(ClientSecond::unixSecond))
            .toList();
    SortedMap<Long, ClientSecond> rows = new TreeMap<>();
    seconds(seconds.stream().mapToLong(ClientSecond::count).toArray())
        .forEach((keys, index) -> rows.put(keys, seconds.get(index)));
    return latency(rows);
  }

  /** Returns the columns of the latencies, from the second in which each number was reached. */
  public static Frame latency(SortedMap<Long, ClientSecond> rows) {
    return new Frame(rows.size())
        .add("KEYS", rows.keySet().stream().mapToDouble(keys -> keys).toArray(), 0)
        .add("MIN-LATENCY-MS", rows.values().stream().mapToDouble(ClientSecond::minMs).toArray(), 6)
        .add(
            "AVG-LATENCY-MS",
            rows.values().stream().mapToDouble(ClientSecond::averageMs).toArray(),
            6)
        .add(
            "MAX-LATENCY-MS", rows.values().stream().mapToDouble(ClientSecond::maxMs).toArray(), 6);
  }

  /**
   * Returns the numbers of keys, each with the index of its second.
   *
   * @param throughputs keys written in each second, in order
   */
  static SortedMap<Long, Integer> seconds(long... throughputs) {
    SortedMap<Long, Integer> rows = new TreeMap<>();
    long total = LongStream.of(throughputs).sum();
    long written = 0;
    long label = 0;
    for (int second = 0; second < throughputs.length; second++) {
      written += throughputs[second];
      boolean enough = written >= Math.min(UNIT, total);
      while (enough && written > label) {
        label += UNIT;
        rows.put(Math.min(label, total), second);
      }
    }
    return rows;
  }

  @SuppressWarnings("NullAway") // without rows neither is read
  static Frame none() {
    return servers(null, null, new TreeMap<>());
  }

  static Frame of(Aggregation all, Frame frame, ClientTimeline clients) {
    SortedMap<Long, Optional<Integer>> rows = new TreeMap<>();
    seconds(clients.throughputs()).forEach((key, second) -> rows.put(key, Optional.of(second)));
    return servers(all, frame, rows);
  }

  /**
   * Returns the columns of the servers: memory in MB, bytes read and written.
   *
   * @param frame frame of these servers
   * @param rows second of each number of keys; empty for a row of zeros
   */
  public static Frame servers(
      Aggregation all, Frame frame, SortedMap<Long, Optional<Integer>> rows) {
    List<Optional<Integer>> seconds = List.copyOf(rows.values());
    Function<IntToDoubleFunction, double[]> column =
        figure ->
            seconds.stream()
                .mapToDouble(second -> second.map(figure::applyAsDouble).orElse(0.0))
                .toArray();
    Function<AggregatedColumn, double[]> average =
        of -> column.apply(second -> frame.numbers(of.title())[second]);
    IntToDoubleFunction mostMemory =
        second -> all.numbers(ServerColumn.MEMORY, second).reduce(0, Math::max);
    double[] read = average.apply(AggregatedColumn.AVG_READ_BYTES_DELTA);
    double[] written = average.apply(AggregatedColumn.AVG_WRITE_BYTES_DELTA);
    return new Frame(rows.size())
        .add("KEYS", rows.keySet().stream().mapToDouble(key -> key).toArray(), 0)
        .add("MIN-VMRSS-MB", column.apply(second -> leastMemory(all, second)), 2)
        .add("AVG-VMRSS-MB", average.apply(AggregatedColumn.AVG_VMRSS_MB), 2)
        .add("MAX-VMRSS-MB", column.apply(mostMemory), 2)
        .add(AggregatedColumn.AVG_READ_BYTES_DELTA.title(), read, 2)
        .add(READ_BYTES, read, KeyNumberFiles::humanized)
        .add(AggregatedColumn.AVG_WRITE_BYTES_DELTA.title(), written, 2)
        .add(WRITE_BYTES, written, KeyNumberFiles::humanized);
  }

  private static String humanized(double bytes) {
    return NumberFormats.humanizedBytes((long) bytes);
  }

  /** Returns the least memory; a value of 0 is replaced by another one, as in the reference. */
  private static double leastMemory(Aggregation all, int second) {
    return all.numbers(ServerColumn.MEMORY, second)
        .reduce((least, value) -> least == 0 ? value : Math.min(least, value))
        .orElseThrow();
  }
}
