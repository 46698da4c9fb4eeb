// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Some processes and the loopback interface as {@code /proc} shows them, read in the plainest way.
 *
 * @param cpuTicks user and system time, 100 a second
 * @param writtenBytes bytes that the processes had written to disks
 */
record ProcCounters(long cpuTicks, long receivedBytes, long sentBytes, long writtenBytes) {
  static final ProcCounters NONE = new ProcCounters(0, 0, 0, 0);

  private static final int RECEIVED = 1;
  private static final int SENT = 9;

  static ProcCounters now(List<Long> pids) {
    try {
      long ticks = 0;
      long written = 0;
      for (long pid : pids) {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        written +=
            Files.readAllLines(Path.of("/proc/" + pid + "/io")).stream()
                .filter(line -> line.startsWith("write_bytes: "))
                .mapToLong(line -> Long.parseLong(line.substring("write_bytes: ".length())))
                .sum();
      }
      String[] loopback =
          Files.readAllLines(Path.of("/proc/net/dev")).stream()
              .map(String::strip)
              .filter(line -> line.startsWith("lo:"))
              .findFirst()
              .orElseThrow()
              .replace("lo:", "lo: ")
              .split("\\s+");
      return new ProcCounters(
          ticks, Long.parseLong(loopback[RECEIVED]), Long.parseLong(loopback[SENT]), written);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  ProcCounters plus(ProcCounters other) {
    return new ProcCounters(
        cpuTicks + other.cpuTicks,
        receivedBytes + other.receivedBytes,
        sentBytes + other.sentBytes,
        writtenBytes + other.writtenBytes);
  }

  ProcCounters minus(ProcCounters other) {
    return new ProcCounters(
        cpuTicks - other.cpuTicks,
        receivedBytes - other.receivedBytes,
        sentBytes - other.sentBytes,
        writtenBytes - other.writtenBytes);
  }
}
