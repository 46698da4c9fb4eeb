// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RequestFigures;
import io.quorate.results.latency.Percentile;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The content of {@code perfdash.json}: the percentiles of each operation, in the format in which
 * etcd's benchmark tool exports them for Kubernetes' perfdash. Perfdash plots them over months of
 * runs.
 */
public record PerfdashJson(String version, List<DataItem> dataItems) {
  private static final List<Percentile> SHOWN =
      List.of(Percentile.P50, Percentile.P90, Percentile.P99);

  record DataItem(Map<String, BigDecimal> data, Labels labels, String unit) {}

  /** The operation of an item. */
  record Labels(@JsonProperty("Operation") String operation) {}

  /**
   * Returns the file of a database: an item for each operation with successes, with the response
   * times of all steps.
   */
  public static String text(DatabaseFigures figures) {
    List<DataItem> items = new ArrayList<>();
    for (RequestFigures each : figures.operations()) {
      if (!each.percentilesMs().isEmpty()) {
        items.add(item(each.operation().orElseThrow(), each.percentilesMs()));
      }
    }
    return StrictJson.line(new PerfdashJson("v1", items));
  }

  private static DataItem item(String operation, Map<Percentile, Double> ms) {
    return new DataItem(
        Decimals.named(
            SHOWN.stream()
                .map(
                    each ->
                        Decimals.figure(
                            each.label().replace("p", "Perc"),
                            Objects.requireNonNull(ms.get(each))))),
        new Labels(operation.toUpperCase(Locale.ROOT).replace('-', '_')),
        "ms");
  }
}
