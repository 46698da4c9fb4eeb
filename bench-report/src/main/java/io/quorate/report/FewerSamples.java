// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.host.SecondGrid;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Samples of machines and of servers' own metrics at longer intervals, for a published run. The
 * samples that stay are unchanged, and so are those of machines at the ends of each step.
 *
 * @param servers interval of servers' own metrics in seconds; 1 keeps all samples
 * @param machines interval of the samples of machines in seconds; 1 keeps all samples
 */
record FewerSamples(int servers, int machines) {
  private static final String HOST = "-system-metrics.csv";
  private static final String INTERPOLATED = "-system-metrics-interpolated.csv";
  private static final String SERVERS = "server-internals.csv";

  /** Returns whether a file of a run is published; interpolated rows are computed again. */
  boolean keeps(Path file) {
    return machines == 1 || !name(file).endsWith(INTERPOLATED);
  }

  /** Returns whether a file loses samples. */
  boolean changes(Path file) {
    return seconds(file) > 1;
  }

  private int seconds(Path file) {
    return name(file).endsWith(HOST) ? machines : name(file).endsWith(SERVERS) ? servers : 1;
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /**
   * Returns the text of a file with the samples that are published.
   *
   * @throws io.quorate.QuorateException if it cannot be read
   */
  String text(Path file) {
    List<CsvTable.Row> rows = CsvTable.readAll(file);
    List<String> header = rows.get(0).cells();
    List<CsvTable.Row> samples = rows.subList(1, rows.size());
    int second = header.indexOf("UNIX-SECOND");
    int member = header.indexOf("MEMBER");
    Set<List<String>> kept = new HashSet<>();
    Map<List<Object>, List<String>> first = new HashMap<>();
    Map<String, List<String>> last = new HashMap<>();
    for (CsvTable.Row row : samples) {
      String of = member < 0 ? "" : row.text(member);
      List<String> sample = List.of(of, row.text(second));
      first.putIfAbsent(List.of(of, row.integer(second) / seconds(file)), sample);
      last.put(of, sample);
    }
    kept.addAll(first.values());
    kept.addAll(last.values());
    CsvText text = new CsvText().row(header.toArray(String[]::new));
    samples.stream()
        .filter(
            row -> kept.contains(List.of(member < 0 ? "" : row.text(member), row.text(second))))
        .forEach(row -> text.row(row.cells().toArray(String[]::new)));
    return text.toString();
  }

  /**
   * Writes the interpolated rows of each machine of a run that has only samples.
   *
   * @throws io.quorate.QuorateException if a file cannot be read or written
   */
  static void interpolate(DatabaseDirectory database) {
    for (Path file : DatabaseDirectory.entries(database.path())) {
      if (name(file).endsWith(HOST) && !Files.exists(HostFiles.interpolated(file))) {
        SecondGrid.write(file, HostFiles.interpolated(file));
      }
    }
  }
}
