// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.store.server.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the members of a cluster reported about themselves ({@code server-internals.csv}): numbers
 * by member, metric and second. For one thread.
 */
public final class MemberSeries {
  /** The columns of the file. */
  public static final List<String> COLUMNS = List.of("UNIX-SECOND", "MEMBER", "METRIC", "VALUE");

  private static final Series NONE = new Series();

  private final SortedMap<Integer, Map<String, Series>> members = new TreeMap<>();
  private boolean isTruncated;

  /**
   * Reads a file; none without one. If it is truncated, its last row is left out.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static MemberSeries read(Path file) {
    MemberSeries all = new MemberSeries();
    if (Files.exists(file)) {
      all.isTruncated = CsvTable.forEach(file, COLUMNS, all::add);
    }
    for (Map<String, Series> each : all.members.values()) {
      Series before = NONE;
      for (Series series : each.values()) {
        series.trim(before);
        before = series;
      }
    }
    return all;
  }

  private void add(CsvTable.Row row) {
    long second = row.integer(0);
    int member = (int) row.integer(1);
    OptionalDouble value = Figure.parse(row.text(3));
    if (value.isPresent()) {
      put(second, member, row.text(2), value.getAsDouble());
    }
  }

  /** Adds a value; replaces an earlier one of the same second. */
  public void put(long second, int member, String metric, double value) {
    members
        .computeIfAbsent(member, any -> new HashMap<>())
        .computeIfAbsent(metric, any -> new Series())
        .put(second, value);
  }

  boolean isTruncated() {
    return isTruncated;
  }

  /** Returns the numbers of the members that reported something, from 1. */
  public List<Integer> members() {
    return List.copyOf(members.keySet());
  }

  /** Returns the names of what a member reported. */
  public Set<String> metrics(int member) {
    return members.getOrDefault(member, Map.of()).keySet();
  }

  /** Returns the values of a metric of a member; none if it did not report it. */
  public Series of(int member, String metric) {
    return members.getOrDefault(member, Map.of()).getOrDefault(metric, NONE);
  }

  /** The values of a metric of a member, by second since 1970. */
  public static final class Series {
    private long[] seconds = {};
    private double[] values = {};
    private int size;

    private void put(long second, double value) {
      int place = ceiling(second);
      if (place == size || seconds[place] != second) {
        if (size == seconds.length) {
          resize(Math.max(16, size + size / 2));
        }
        System.arraycopy(seconds, place, seconds, place + 1, size - place);
        System.arraycopy(values, place, values, place + 1, size - place);
        size++;
      }
      seconds[place] = second;
      values[place] = value;
    }

    private void resize(int length) {
      seconds = Arrays.copyOf(seconds, length);
      values = Arrays.copyOf(values, length);
    }

    /** Gives spare memory back; most metrics of a member have values in the same seconds. */
    private void trim(Series neighbor) {
      boolean alike =
          size == neighbor.size && Arrays.equals(seconds, 0, size, neighbor.seconds, 0, size);
      values = Arrays.copyOf(values, size);
      seconds = alike ? neighbor.seconds : Arrays.copyOf(seconds, size);
    }

    public int size() {
      return size;
    }

    public long second(int index) {
      return seconds[index];
    }

    public double value(int index) {
      return values[index];
    }

    /** Returns the index of the first value at or after a second; the size if there is none. */
    public int ceiling(long second) {
      if (size > 0 && second > seconds[size - 1]) {
        return size; // as when rows are read in their order
      }
      int found = Arrays.binarySearch(seconds, 0, size, second);
      return found < 0 ? -found - 1 : found;
    }

    /** Returns the value of each of some consecutive seconds; NaN where there is none. */
    public double[] bySecond(long first, int count) {
      double[] bySecond = new double[count];
      Arrays.fill(bySecond, Double.NaN);
      for (int i = ceiling(first); i < size && seconds[i] < first + count; i++) {
        bySecond[(int) (seconds[i] - first)] = values[i];
      }
      return bySecond;
    }

    public OptionalDouble last() {
      return size == 0 ? OptionalDouble.empty() : OptionalDouble.of(values[size - 1]);
    }
  }
}
