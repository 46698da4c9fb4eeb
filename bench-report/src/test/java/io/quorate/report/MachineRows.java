package io.quorate.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Made up files of machines that were measured at the ends of steps. */
final class MachineRows {
  static final long SECOND = 1_519_000_000;
  private static final String LEVELS =
      "UNIX-NANOSECOND,UNIX-SECOND,CPU-MILLISECONDS,RECEIVE-BYTES-NUM,TRANSMIT-BYTES-NUM,"
          + "READS-COMPLETED,SECTORS-READ,WRITES-COMPLETED,SECTORS-WRITTEN,VMRSS-NUM,"
          + "VOLUNTARY-CTXT-SWITCHES,NON-VOLUNTARY-CTXT-SWITCHES,LOAD-AVERAGE-1-MINUTE,EXTRA\n";

  private MachineRows() {}

  /**
   * The levels at a time: processor time, and bytes received; half of it is sent, a hundredth are
   * writes, a tenth sectors written.
   *
   * @param millis since {@link #SECOND}
   */
  static String at(long millis, long cpuMillis, long received) {
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
   * Writes the files of one machine.
   *
   * @param machine {@code client} or such as {@code 1-server}
   * @param ticks rows of seconds
   * @param ends rows of the beginning and the end of each step, in turn
   */
  static void write(Path directory, String machine, List<String> ticks, List<String> ends) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      rows.add((i / 2 + 1) + (i % 2 == 0 ? ",begin," : ",end,") + ends.get(i));
    }
    Path raw = directory.resolve(machine + "-system-metrics.csv");
    Path interpolated = directory.resolve(machine + "-system-metrics-interpolated.csv");
    Path steps = directory.resolve(machine + "-system-metrics-steps.csv");
    try {
      Files.writeString(raw, LEVELS + String.join("", ticks));
      Files.writeString(interpolated, LEVELS + String.join("", ticks));
      Files.writeString(steps, "STEP,BOUNDARY," + LEVELS + String.join("", rows));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
