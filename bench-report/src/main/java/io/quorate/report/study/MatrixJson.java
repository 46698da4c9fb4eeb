package io.quorate.report.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.format.StrictJson;
import io.quorate.results.MatrixManifest;

/** The result of a matrix for programs: {@code matrix-result.json}. */
final class MatrixJson {
  private static final int FORMAT_VERSION = 1;

  private MatrixJson() {}

  static String text(MatrixResults results) {
    MatrixManifest manifest = results.manifest();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("formatVersion", FORMAT_VERSION);
    root.put("name", manifest.name());
    root.put("title", manifest.title());
    root.put("start", manifest.start().toString());
    root.put("scale", manifest.scale());
    root.put("repeats", manifest.repeats());
    ArrayNode axes = root.putArray("axes");
    manifest.axes().forEach(axes::add);
    ArrayNode cells = root.putArray("cells");
    results.cells().forEach(cell -> write(cells.addObject(), cell));
    return StrictJson.text(root);
  }

  private static void write(ObjectNode to, CellResult cell) {
    to.put("id", cell.cell().id());
    cell.coordinates().forEach(to.putObject("coordinates")::put);
    cell.facts()
        .ifPresent(
            facts -> {
              to.put("store", facts.store());
              facts.version().ifPresent(version -> to.put("version", version));
              to.put("operation", facts.operation());
              facts.reads().ifPresent(reads -> to.put("reads", reads));
              to.put("target", facts.target());
              to.put("requests", facts.requests());
              to.put("valueBytes", facts.valueBytes());
              to.put("connections", facts.connections());
              to.put("clients", facts.clients());
            });
    cell.meanMs().ifPresent(spread -> spread(to.putObject("meanMs"), spread));
    cell.spread(RepeatFigures::p50Ms).ifPresent(spread -> spread(to.putObject("p50Ms"), spread));
    cell.spread(RepeatFigures::p99Ms).ifPresent(spread -> spread(to.putObject("p99Ms"), spread));
    cell.spread(RepeatFigures::requestsPerSecond)
        .ifPresent(spread -> spread(to.putObject("requestsPerSecond"), spread));
    ArrayNode runs = to.putArray("runs");
    for (RepeatFigures run : cell.runs()) {
      ObjectNode one = runs.addObject();
      one.put("repeat", run.repeat());
      one.put("requests", run.requests());
      one.put("errors", run.errors());
      one.put("requestsPerSecond", run.requestsPerSecond());
      one.put("meanMs", run.meanMs());
      one.put("fastestMs", run.fastestMs());
      one.put("p50Ms", run.p50Ms());
      one.put("p99Ms", run.p99Ms());
      run.least().ifPresent(least -> write(one.putObject("least"), least));
    }
    ArrayNode troubles = to.putArray("notComplete");
    cell.troubles().forEach(troubles::add);
  }

  private static void write(ObjectNode to, RoundTripBound least) {
    to.put("roundTripsToLeader", least.path().toLeader());
    to.put("roundTripsToMajority", least.path().toMajority());
    to.put("roundTripsMs", least.roundTripsMs());
    to.put("floorMs", least.floorMs());
    least.syncMs().ifPresent(ms -> to.put("syncMs", ms));
  }

  private static void spread(ObjectNode to, Spread spread) {
    to.put("geometricMean", spread.mean());
    to.put("lowest", spread.lowest());
    to.put("highest", spread.highest());
    spread
        .confidence()
        .ifPresent(
            interval -> {
              to.put("from", interval.from());
              to.put("to", interval.to());
            });
  }
}
