package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The figures of the published study of etcd's network latency ({@code etcd-network-latency.csv}),
 * of other machines: shapes may be compared with them, not figures.
 */
final class PublishedStudy {
  private static final int LATENCY = 10;
  private static final List<List<String>> ROWS = rows();

  private PublishedStudy() {}

  private static List<List<String>> rows() {
    try (InputStream in = PublishedStudy.class.getResourceAsStream("etcd-network-latency.csv")) {
      String text =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
      return text.lines().skip(1).map(line -> Arrays.asList(line.split(",", -1))).toList();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Returns the mean latencies that it has for a cell, the lowest first; empty if it has none. */
  static List<Double> meanMs(CellInfo facts, Map<String, String> coordinates) {
    boolean put = facts.operation().equals("put");
    boolean read = facts.operation().equals("get") || facts.operation().equals("range");
    if (!facts.store().equals("etcd") || !put && !read) {
      return List.of();
    }
    List<String> wanted =
        List.of(
            put ? "put" : "range",
            facts.allKeys() ? "all" : "one",
            facts.reads().orElse(""),
            facts.target(),
            "" + facts.valueBytes(),
            "" + facts.connections(),
            "" + facts.clients(),
            coordinates.getOrDefault("topology", ""));
    return ROWS.stream()
        .filter(row -> row.subList(0, wanted.size()).equals(wanted))
        .map(row -> Double.parseDouble(row.get(LATENCY)))
        .sorted()
        .toList();
  }

  /** Returns the mean latency that it has for a cell in words, with the highest if several. */
  static Optional<String> text(CellInfo facts, Map<String, String> coordinates) {
    List<Double> all = meanMs(facts, coordinates);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String least = NumberFormats.shortest(all.get(0));
    String most = NumberFormats.shortest(all.get(all.size() - 1));
    return Optional.of(least.equals(most) ? least : least + " to " + most);
  }
}
