// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process at a moment as {@code /proc} shows it, read in the plainest way. */
record ProcByHand(
    long nanoTime,
    long cpuTicks,
    long residentBytes,
    long switches,
    long writtenBytes,
    long threads,
    long openFiles) {
  static ProcByHand of(long pid) {
    try {
      Path process = Path.of("/proc", "" + pid);
      String stat = Files.readString(process.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long switches = 0;
      List<Path> tasks = entries(process.resolve("task"));
      for (Path task : tasks) {
        String status = Files.readString(task.resolve("status"));
        switches += number(status, "\nvoluntary_ctxt_switches:");
        switches += number(status, "\nnonvoluntary_ctxt_switches:");
      }
      return new ProcByHand(
          System.nanoTime(),
          Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
          number(Files.readString(process.resolve("status")), "VmRSS:") * 1024,
          switches,
          number(Files.readString(process.resolve("io")), "\nwrite_bytes:"),
          tasks.size(),
          entries(process.resolve("fd")).size());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (var stream = Files.newDirectoryStream(directory)) {
      List<Path> entries = new ArrayList<>();
      stream.forEach(entries::add);
      return entries;
    }
  }

  private static long number(String text, String label) {
    String after = text.substring(text.indexOf(label) + label.length());
    return Long.parseLong(after.strip().split("\\s")[0]);
  }
}
