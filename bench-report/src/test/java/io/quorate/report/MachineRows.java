// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.format.NumberFormats;
import io.quorate.results.requests.SecondRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Files of machines that were measured at the ends of steps. */
public final class MachineRows {
  static final long SECOND = 1_519_000_000;
  private static final String LEVELS =
      "UNIX-NANOSECOND,UNIX-SECOND,CPU-MILLISECONDS,RECEIVE-BYTES-NUM,TRANSMIT-BYTES-NUM,"
          + "READS-COMPLETED,SECTORS-READ,WRITES-COMPLETED,SECTORS-WRITTEN,VMRSS-NUM,"
          + "VOLUNTARY-CTXT-SWITCHES,NON-VOLUNTARY-CTXT-SWITCHES,LOAD-AVERAGE-1-MINUTE,EXTRA\n";

  private static final List<String> COLUMNS = List.of(LEVELS.strip().split(","));

  private MachineRows() {}

  /**
   * The levels at a time: CPU time, and bytes received; half of it is sent, a hundredth are writes,
   * a tenth sectors written.
   *
   * @param millis since {@link #SECOND}
   */
  public static String at(long millis, long cpuMillis, long received) {
    return String.join(
        ",",
        Long.toString((SECOND * 1000 + millis) * 1_000_000),
        Long.toString(SECOND + millis / 1000),
        Long.toString(cpuMillis),
        Long.toString(received),
        Long.toString(received / 2),
        "7,70",
        Long.toString(received / 100),
        Long.toString(received / 10),
        "50000000,1000,10,0.50,10\n");
  }

  /**
   * Writes what the reference measured of the machines of a database in its only step.
   *
   * @param tag of the reference
   * @param seconds of the step
   */
  public static void writeGolden(Path directory, String tag, List<SecondRow> seconds) {
    long first = seconds.get(0).unixSecond() - SECOND;
    long last = seconds.get(seconds.size() - 1).unixSecond() - SECOND;
    writeGolden(directory, tag, first * 1000, (last + 1) * 1000);
  }

  /** Writes the same with these ends of steps. */
  public static void writeGolden(Path directory, String tag, long... ends) {
    for (String machine : List.of("1-server", "2-server", "3-server", "client")) {
      String name = "reference/a-write-fixed-clients/%s-%s-system-metrics-interpolated.csv";
      write(directory, machine, PublishedTable.resource(name.formatted(tag, machine)), ends);
    }
  }

  /**
   * Writes what the reference measured of a machine, as if each row had been measured at the end of
   * its second. So the growth in a second is the difference that is in the reference's row.
   *
   * @param published an interpolated file of the reference
   * @param ends of the steps, in milliseconds since {@link #SECOND}: begin and end in turn
   */
  public static void write(Path directory, String machine, String published, long... ends) {
    List<String[]> rows = published.lines().map(line -> line.split(",", -1)).toList();
    List<String> header = List.of(rows.get(0));
    List<double[]> levels = new ArrayList<>();
    double cpuMillis = 0;
    for (String[] row : rows.subList(1, rows.size())) {
      cpuMillis += 10 * Double.parseDouble(row[header.indexOf("CPU-NUM")]);
      double[] level = new double[COLUMNS.size()];
      for (int i = 0; i < level.length; i++) {
        String name = COLUMNS.get(i);
        String cell = header.contains(name) ? row[header.indexOf(name)] : "";
        level[i] = cell.isEmpty() ? 0 : Double.parseDouble(cell);
      }
      level[COLUMNS.indexOf("CPU-MILLISECONDS")] = cpuMillis;
      level[0] = (level[1] + 1 - SECOND) * 1000;
      levels.add(level);
    }
    write(
        directory,
        machine,
        levels.stream().map(MachineRows::row).toList(),
        LongStream.of(ends).mapToObj(millis -> row(between(levels, millis))).toList());
  }

  private static double[] between(List<double[]> levels, long millis) {
    int next = 1;
    while (next < levels.size() - 1 && levels.get(next)[0] < millis) {
      next++;
    }
    double[] from = levels.get(next - 1);
    double[] to = levels.get(next);
    double part = (millis - from[0]) / (to[0] - from[0]);
    double[] level = new double[from.length];
    Arrays.setAll(level, i -> from[i] + part * (to[i] - from[i]));
    return level;
  }

  private static String row(double[] level) {
    long millis = Math.round(level[0]);
    StringBuilder row = new StringBuilder();
    row.append((SECOND * 1000 + millis) * 1_000_000).append(',').append(SECOND + millis / 1000);
    for (int i = 2; i < level.length; i++) {
      row.append(',').append(NumberFormats.fixed(level[i], 4));
    }
    return row.append('\n').toString();
  }

  /**
   * Writes the files of one machine.
   *
   * @param machine {@code client} or such as {@code 1-server}
   * @param ticks rows of seconds
   * @param ends rows of the beginning and the end of each step, in turn
   */
  public static void write(Path directory, String machine, List<String> ticks, List<String> ends) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      rows.add((i / 2 + 1) + (i % 2 == 0 ? ",begin," : ",end,") + ends.get(i));
    }
    Path raw = directory.resolve(machine + "-system-metrics.csv");
    Path steps = directory.resolve(machine + "-system-metrics-steps.csv");
    try {
      Files.writeString(raw, LEVELS + String.join("", ticks));
      Files.writeString(steps, "STEP,BOUNDARY," + LEVELS + String.join("", rows));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Deletes the files of one machine. */
  public static void delete(Path directory, String machine) {
    for (String suffix : List.of("", "-steps")) {
      try {
        Files.delete(directory.resolve(machine + "-system-metrics" + suffix + ".csv"));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }
}
