// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.table.RowLabels;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A table that dbtester's maintainers published, and its values as plain numbers. Bytes are the
 * round numbers that the table shows; of AVG-THROUGHPUT a fraction was cut off, so the values have
 * one.
 */
public record PublishedTable(String name) {
  private static final List<String> IDS = List.of("etcd", "zookeeper", "consul");

  public String text() {
    return resource("tables/" + name + ".txt");
  }

  public RowLabels labels() {
    return name.startsWith("seed000") ? RowLabels.EARLIER : RowLabels.LATER;
  }

  public List<TotalFigures> results() {
    List<String> lines = resource("tables/" + name + ".csv").lines().toList();
    String[] tags = lines.get(0).split(",");
    List<TotalFigures> results = new ArrayList<>();
    for (int column = 1; column < tags.length; column++) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (String line : lines.subList(1, lines.size())) {
        values.put(line.split(",")[0], Double.parseDouble(line.split(",")[column]));
      }
      results.add(result(IDS.get(column - 1), tags[column], values));
    }
    return results;
  }

  private static TotalFigures result(String id, String tag, Map<String, Double> values) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    for (Percentile percentile : Percentile.values()) {
      percentiles.put(percentile, values.get(percentile.name()));
    }
    Map<HostFigure, Double> host = new EnumMap<>(HostFigure.class);
    for (HostFigure figure : HostFigure.values()) {
      host.put(figure, values.get(figure.name()));
    }
    long errors = values.get("ERRORS").longValue();
    return new TotalFigures(
        id,
        tag,
        1,
        OptionalDouble.of(values.get("TOTAL_SECONDS")),
        OptionalLong.of(values.get("REQUESTS").longValue()),
        OptionalLong.of(values.get("MAX_THROUGHPUT").longValue()),
        OptionalDouble.of(values.get("REQUESTS_PER_SECOND")),
        OptionalLong.of(values.get("MIN_THROUGHPUT").longValue()),
        Optional.of(
            new LatencySummary(
                values.get("SLOWEST_MS"),
                values.get("FASTEST_MS"),
                values.get("AVERAGE_MS"),
                0,
                percentiles)),
        Optional.of(
            errors == 0 ? List.of() : List.of(new ClientResults.ErrorCount("\"lost\"", errors))),
        host,
        Optional.empty(),
        Optional.empty(),
        new Basis(
            Optional.empty(),
            OptionalLong.empty(),
            0,
            errors,
            0,
            Basis.UNKNOWN.generator(),
            false,
            Set.of(),
            ""));
  }

  public static String resource(String name) {
    try (InputStream resource = PublishedTable.class.getResourceAsStream(name)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
