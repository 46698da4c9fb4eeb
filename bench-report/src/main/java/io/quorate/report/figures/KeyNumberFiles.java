package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.requests.ClientResults.KeyNumber;
import io.quorate.results.requests.KeyNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * Computes the resource use of the servers by the number of keys written: one row for every 1000
 * keys, with the figures of the second in which they were reached.
 */
public final class KeyNumberFiles {
  /** Name of the column of the bytes read with a unit, so without numbers. */
  public static final String READ_BYTES = "AVG-READ-BYTES";

  /** Name of the column of the bytes written with a unit, so without numbers. */
  public static final String WRITE_BYTES = "AVG-WRITE-BYTES";

  private final Aggregation all;
  private final Frame frame;
  private final List<Long> keys;
  private final List<Optional<Integer>> seconds;

  /**
   * @param rows the second of each number of keys; empty for a row of zeros
   */
  public KeyNumberFiles(Aggregation all, Frame frame, SortedMap<Long, Optional<Integer>> rows) {
    this.all = all;
    this.frame = frame;
    this.keys = List.copyOf(rows.keySet());
    this.seconds = List.copyOf(rows.values());
  }

  /** Computes the files of a run of ours. */
  static KeyNumberFiles of(Aggregation all, Frame frame, ClientTimeline clients) {
    SortedMap<Long, Optional<Integer>> rows = new TreeMap<>();
    KeyNumbers.seconds(clients.throughputs())
        .forEach((key, second) -> rows.put(key, Optional.of(second)));
    return new KeyNumberFiles(all, frame, rows);
  }

  /** Returns the latency, as the client measured it. */
  public static Frame latency(List<KeyNumber> rows) {
    Frame frame = new Frame(rows.size());
    frame.add("KEYS", row -> Long.toString(rows.get(row).keys()));
    frame.add("MIN-LATENCY-MS", row -> ms(rows.get(row), KeyNumber::minMs));
    frame.add("AVG-LATENCY-MS", row -> ms(rows.get(row), KeyNumber::averageMs));
    frame.add("MAX-LATENCY-MS", row -> ms(rows.get(row), KeyNumber::maxMs));
    return frame;
  }

  private static String ms(KeyNumber row, ToDoubleFunction<KeyNumber> figure) {
    return NumberFormats.fixed(figure.applyAsDouble(row), 6);
  }

  /**
   * Returns the memory: the mean over the servers, and of how many MB the least and the most
   * needed.
   */
  public Frame memory() {
    Frame file = start();
    add(file, "MIN-VMRSS-MB", "0.00", second -> fixed(leastMemory(second)));
    add(file, "AVG-VMRSS-MB", "0.00", second -> average(AggregatedColumn.AVG_VMRSS_MB, second));
    add(file, "MAX-VMRSS-MB", "0.00", second -> fixed(mostMemory(second)));
    return file;
  }

  /** Returns the bytes read from the disks: the mean over the servers. */
  public Frame readBytes() {
    return bytes(AggregatedColumn.AVG_READ_BYTES_DELTA, READ_BYTES);
  }

  /** Returns the bytes written to the disks: the mean over the servers. */
  public Frame writeBytes() {
    return bytes(AggregatedColumn.AVG_WRITE_BYTES_DELTA, WRITE_BYTES);
  }

  private Frame bytes(AggregatedColumn column, String humanized) {
    Frame file = start();
    add(file, column.title(), "0.00", second -> average(column, second));
    add(file, humanized, "0 B", second -> humanized(average(column, second)));
    return file;
  }

  private Frame start() {
    Frame file = new Frame(keys.size());
    file.add("KEYS", row -> keys.get(row).toString());
    return file;
  }

  private void add(Frame file, String name, String zero, IntFunction<String> cell) {
    Map<Integer, String> known = new HashMap<>();
    file.add(
        name,
        row ->
            seconds
                .get(row)
                .map(second -> known.computeIfAbsent(second, cell::apply))
                .orElse(zero));
  }

  private String average(AggregatedColumn column, int second) {
    return frame.text(column.title(), second);
  }

  private static String humanized(String bytes) {
    return bytes.isEmpty() ? "" : NumberFormats.humanizedBytes((long) Frame.number(bytes));
  }

  /** Returns the least memory; a value of 0 gives way to one that is not 0, as in the reference. */
  private double leastMemory(int second) {
    double least = all.number(ServerColumn.MEMORY, 1, second);
    for (int server = 2; server <= all.servers(); server++) {
      double value = all.number(ServerColumn.MEMORY, server, second);
      least = least == 0 ? value : Math.min(least, value);
    }
    return least;
  }

  private double mostMemory(int second) {
    double most = 0;
    for (int server = 1; server <= all.servers(); server++) {
      most = Math.max(most, all.number(ServerColumn.MEMORY, server, second));
    }
    return most;
  }

  private static String fixed(double megabytes) {
    return Double.isNaN(megabytes) ? "" : NumberFormats.fixed(megabytes, 2);
  }
}
