package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.OperationFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Footnotes of requests that each had a connection of their own: how long connecting took. */
final class ConnectNotes {
  private ConnectNotes() {}

  /** Returns the notes of a run by step; none if connections stayed open. */
  static List<String> of(DatabaseRun run) {
    String id = VisibleText.of(run.manifest().store().id());
    List<String> notes = new ArrayList<>();
    for (int step = 1; step <= run.manifest().load().steps().size(); step++) {
      Map<Percentile, Double> connectMs = OperationFigures.connectMs(run, step);
      if (!connectMs.isEmpty()) {
        notes.add(id + ": " + note(step, connectMs));
      }
    }
    return notes;
  }

  private static String note(int step, Map<Percentile, Double> connectMs) {
    return "connecting took %s ms (p50) and %s ms (p99), apart from the requests, each of which had a connection of its own (step %d)"
        .formatted(ms(connectMs, Percentile.P50), ms(connectMs, Percentile.P99), step);
  }

  private static String ms(Map<Percentile, Double> percentiles, Percentile percentile) {
    Double value = percentiles.get(percentile);
    return value == null ? "-" : NumberFormats.fixed(value, 2);
  }
}
