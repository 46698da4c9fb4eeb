// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

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

  static SecondGrid.MetricsFile parse(String text) {
    try {
      Path directory = Files.createTempDirectory("metrics");
      Path file = directory.resolve("metrics.csv");
      try {
        Files.writeString(file, text);
        return read(file);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(directory);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static SecondGrid.MetricsFile read(Path file) {
    List<MetricRow> rows = new ArrayList<>();
    return new SecondGrid.MetricsFile(SecondGrid.MetricsFile.forEach(file, rows::add), rows);
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
