// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.host.SecondGrid;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Samples of machines and of servers' own metrics at longer intervals, for a published run. The
 * samples that stay are unchanged, and so are those of machines at the ends of each step.
 *
 * @param servers interval of servers' own metrics in seconds; 1 keeps all samples
 * @param machines interval of the samples of machines in seconds; 1 keeps all samples
 */
record FewerSamples(int servers, int machines) {
  /**
   * Returns the files of a run with the samples that stay.
   *
   * @param files contents by their paths
   * @throws io.quorate.QuorateException if a file with samples is not one
   */
  SortedMap<String, byte[]> of(SortedMap<String, byte[]> files) {
    SortedMap<String, byte[]> fewer = new TreeMap<>();
    files.forEach(
        (name, content) -> {
          if (machines > 1 && HostFiles.isInterpolated(name)) {
            // the measured rows are published instead, which may be the same
            String measured = HostFiles.measured(name);
            fewer.put(measured, samples(measured, files.getOrDefault(measured, content), machines));
          } else if (machines > 1 && HostFiles.isMeasured(name)) {
            fewer.put(name, samples(name, content, machines));
          } else if (servers > 1 && HostFiles.isInternals(name)) {
            fewer.put(name, samples(name, content, servers));
          } else {
            fewer.put(name, content);
          }
        });
    return fewer;
  }

  /** Returns the first sample of each interval and the last one, of each member. */
  private static byte[] samples(String name, byte[] content, int seconds) {
    List<CsvTable.Row> rows =
        CsvTable.parse(Path.of(name), new String(content, StandardCharsets.UTF_8));
    List<String> header = rows.get(0).cells();
    int second = header.indexOf("UNIX-SECOND");
    int member = header.indexOf("MEMBER");
    Map<List<Object>, List<String>> first = new HashMap<>();
    Map<String, List<String>> last = new HashMap<>();
    for (CsvTable.Row row : rows.subList(1, rows.size())) {
      List<String> sample = sample(row, member, second);
      first.putIfAbsent(List.of(sample.get(0), row.integer(second) / seconds), sample);
      last.put(sample.get(0), sample);
    }
    Set<List<String>> kept = new HashSet<>(first.values());
    kept.addAll(last.values());
    CsvText text = new CsvText().row(header.toArray(String[]::new));
    rows.subList(1, rows.size()).stream()
        .filter(row -> kept.contains(sample(row, member, second)))
        .forEach(row -> text.row(row.cells().toArray(String[]::new)));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> sample(CsvTable.Row row, int member, int second) {
    return List.of(member < 0 ? "" : row.text(member), row.text(second));
  }

  /**
   * Writes the interpolated rows of each machine of a run that has only samples.
   *
   * @throws io.quorate.QuorateException if a file cannot be read or written
   */
  static void interpolate(DatabaseDirectory database) {
    for (Path file : DatabaseDirectory.entries(database.path())) {
      if (HostFiles.isMeasured(file.getFileName().toString())
          && !Files.exists(HostFiles.interpolated(file))) {
        SecondGrid.write(file, HostFiles.interpolated(file));
      }
    }
  }
}
