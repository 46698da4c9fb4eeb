// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.requests.ClientResults.KeyNumber;
import io.quorate.results.requests.KeyNumbers;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/**
 * Computes the resource use of the servers by the number of keys written: one row for every 1000
 * keys, with the values of the second in which they were reached.
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

  private KeyNumberFiles() {}

  public static Frame latency(List<KeyNumber> rows) {
    return new Frame(rows.size())
        .add("KEYS", rows.stream().mapToDouble(KeyNumber::keys).toArray(), 0)
        .add("MIN-LATENCY-MS", rows.stream().mapToDouble(KeyNumber::minMs).toArray(), 6)
        .add("AVG-LATENCY-MS", rows.stream().mapToDouble(KeyNumber::averageMs).toArray(), 6)
        .add("MAX-LATENCY-MS", rows.stream().mapToDouble(KeyNumber::maxMs).toArray(), 6);
  }

  @SuppressWarnings("NullAway") // without rows neither is read
  static Frame none() {
    return servers(null, null, new TreeMap<>());
  }

  static Frame of(Aggregation all, Frame frame, ClientTimeline clients) {
    SortedMap<Long, Optional<Integer>> rows = new TreeMap<>();
    KeyNumbers.seconds(clients.throughputs())
        .forEach((key, second) -> rows.put(key, Optional.of(second)));
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
