package io.quorate.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.report.analysis.OperationTotals;
import io.quorate.run.DatabaseRun;
import io.quorate.run.NumberFormats;
import io.quorate.run.Percentile;
import io.quorate.scenario.OperationMix;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes {@code perfdash.json}: the percentiles of each operation as etcd's benchmark tool gives
 * them to Kubernetes' perfdash, which draws them over the runs of months.
 */
final class PerfdashJson {
  private static final List<Percentile> SHOWN =
      List.of(Percentile.P50, Percentile.P90, Percentile.P99);

  private PerfdashJson() {}

  /**
   * Returns the file of a database: an item for each operation of which a request succeeded, with
   * the response times of all steps.
   */
  static String text(DatabaseRun run) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("version", "v1");
    root.putArray("dataItems");
    for (OperationMix.Share share : run.manifest().load().mix().shares()) {
      String operation = share.operation().id();
      Map<Percentile, Double> ms = OperationTotals.percentilesMs(run, operation);
      if (!ms.isEmpty()) {
        item(root.withArray("dataItems").addObject(), operation, ms);
      }
    }
    return root + "\n";
  }

  private static void item(ObjectNode to, String operation, Map<Percentile, Double> ms) {
    ObjectNode data = to.putObject("data");
    for (Percentile each : SHOWN) {
      data.put(
          each.label().replace("p", "Perc"), new BigDecimal(NumberFormats.shortest(ms.get(each))));
    }
    to.putObject("labels").put("Operation", operation.toUpperCase(Locale.ROOT).replace('-', '_'));
    to.put("unit", "ms");
  }
}
