// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.format.CsvText;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Host metrics that the real dbtester wrote, and what it was fed with. */
final class GoldenMetrics {
  private GoldenMetrics() {}

  static String raw(String tag, int server) {
    return text(tag + "-" + server + "-server-system-metrics.csv");
  }

  static String interpolated(String tag, int server) {
    return text(tag + "-" + server + "-server-system-metrics-interpolated.csv");
  }

  /** The columns and the rows of a file. */
  record MetricsFile(List<HostMetric> columns, List<MetricRow> rows) {
    String text() {
      CsvText text = new CsvText().row(HostMetric.header(columns));
      rows.forEach(row -> text.row(row.cells(columns)));
      return text.toString();
    }

    MetricsFile interpolated() {
      return in(
          directory -> {
            Path raw = Files.writeString(directory.resolve("raw.csv"), text());
            SecondGrid.write(raw, directory.resolve("metrics.csv"));
            return read(directory.resolve("metrics.csv"));
          });
    }
  }

  static MetricsFile parse(String text) {
    return in(directory -> read(Files.writeString(directory.resolve("metrics.csv"), text)));
  }

  private interface Reading {
    MetricsFile in(Path directory) throws IOException;
  }

  private static MetricsFile in(Reading reading) {
    try {
      Path directory = Files.createTempDirectory("metrics");
      try {
        return reading.in(directory);
      } finally {
        Files.deleteIfExists(directory.resolve("raw.csv"));
        Files.deleteIfExists(directory.resolve("metrics.csv"));
        Files.delete(directory);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static MetricsFile read(Path file) {
    List<MetricRow> rows = new ArrayList<>();
    return new MetricsFile(SecondGrid.forEach(file, rows::add), rows);
  }

  static List<String> tags() {
    return Golden.TAGS;
  }

  static String text(String name) {
    try (InputStream resource = GoldenMetrics.class.getResourceAsStream("golden/" + name)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
