package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.OperationTotals;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.scenario.OperationMix;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The content of {@code perfdash.json}: the percentiles of each operation as etcd's benchmark tool
 * gives them to Kubernetes' perfdash, which draws them over the runs of months.
 */
public record PerfdashJson(String version, List<DataItem> dataItems) {
  private static final List<Percentile> SHOWN =
      List.of(Percentile.P50, Percentile.P90, Percentile.P99);

  /** The percentiles of an operation. */
  record DataItem(Map<String, BigDecimal> data, Labels labels, String unit) {}

  /** The operation that an item is about. */
  record Labels(@JsonProperty("Operation") String operation) {}

  /**
   * Returns the file of a database: an item for each operation of which a request succeeded, with
   * the response times of all steps.
   */
  public static String text(DatabaseRun run) {
    List<DataItem> items = new ArrayList<>();
    for (OperationMix.Share share : run.manifest().load().mix().shares()) {
      String operation = share.operation().id();
      Map<Percentile, Double> ms = OperationTotals.percentilesMs(run, operation);
      if (!ms.isEmpty()) {
        items.add(item(operation, ms));
      }
    }
    return StrictJson.line(new PerfdashJson("v1", items));
  }

  private static DataItem item(String operation, Map<Percentile, Double> ms) {
    return new DataItem(
        Decimals.named(
            SHOWN.stream()
                .map(each -> Decimals.figure(each.label().replace("p", "Perc"), ms.get(each)))),
        new Labels(operation.toUpperCase(Locale.ROOT).replace('-', '_')),
        "ms");
  }
}
