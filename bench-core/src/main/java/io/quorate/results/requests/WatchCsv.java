package io.quorate.results.requests;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.measure.EventCounts;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.WatchMeasurement;
import io.quorate.results.ClientFile;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Writes and reads {@code watch.csv}: a row for each step, with the events of its watchers. */
public final class WatchCsv {
  private WatchCsv() {}

  static CsvText text(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.WATCH.columns());
    for (int i = 0; i < steps.size(); i++) {
      int number = i + 1;
      steps.get(i).watch().ifPresent(watch -> row(csv, number, watch));
    }
    return csv;
  }

  private static void row(CsvText csv, int step, WatchMeasurement watch) {
    EventCounts counts = watch.counts();
    csv.row(
        Integer.toString(step),
        Integer.toString(watch.watchers()),
        Integer.toString(watch.streams()),
        Long.toString(watch.createdNanos()),
        Long.toString(counts.expected()),
        Long.toString(counts.delivered()),
        Long.toString(counts.coalesced()),
        Long.toString(counts.lost()),
        Long.toString(counts.duplicated()),
        Long.toString(counts.reordered()),
        Long.toString(counts.early()),
        Long.toString(counts.interruptions()),
        Long.toString(watch.drainNanos()));
  }

  /**
   * Reads the rows, of which the first is that of the first step.
   *
   * @param steps of the manifest
   * @throws io.quorate.QuorateException with file, line, what was found and what was expected
   */
  public static List<WatchRow> read(Path file, List<Step> steps) {
    List<WatchRow> rows = new ArrayList<>();
    for (CsvTable.Row row : CsvTable.read(file, ClientFile.WATCH.columns())) {
      int step = rows.size() + 1;
      if (row.integer(0) != step || step > steps.size()) {
        throw row.wrong("step " + row.integer(0), "one row for each step of manifest.json");
      }
      checkLoad(row, steps.get(step - 1));
      rows.add(
          new WatchRow(
              step,
              (int) row.integer(1),
              (int) row.integer(2),
              row.integer(3),
              counts(row),
              row.integer(12)));
    }
    return rows;
  }

  /**
   * Fails if more events were delivered than the puts can have of which an event was timed.
   *
   * @throws QuorateException with file, what was found and what was expected
   */
  public static void checkTimes(Path file, List<WatchRow> rows, LatencyLog.Contents latencies) {
    for (WatchRow row : rows) {
      Histogram first = latencies.byTag().get(LatencyTag.watch(row.step(), LatencyTag.Time.FIRST));
      long puts = first == null ? 0 : first.getTotalCount();
      if (row.counts().delivered() > puts * row.watchers()) {
        throw new QuorateException(
            "%s: found %d events of step %d that were delivered, expected at most %d for each of the %d puts with an event in latency.hlog"
                .formatted(file, row.counts().delivered(), row.step(), row.watchers(), puts));
      }
    }
  }

  private static void checkLoad(CsvTable.Row row, Step step) {
    WatchLoad asked = step.watch().orElse(new WatchLoad(1, 1));
    if (row.integer(1) != asked.watchers() || row.integer(2) != asked.streams()) {
      throw row.wrong(
          row.integer(1) + " watchers on " + row.integer(2) + " streams",
          asked + " as in manifest.json");
    }
  }

  private static EventCounts counts(CsvTable.Row row) {
    long expected = RowOrder.count(row, 4);
    long delivered = RowOrder.count(row, 5);
    long coalesced = RowOrder.count(row, 6);
    long lost = RowOrder.count(row, 7);
    if (expected != delivered + coalesced + lost) {
      throw row.wrong(
          expected + " expected events",
          delivered + coalesced + lost + ", those that were delivered, coalesced and lost");
    }
    return new EventCounts(
        expected,
        delivered,
        coalesced,
        lost,
        RowOrder.count(row, 8),
        RowOrder.count(row, 9),
        RowOrder.count(row, 10),
        row.integer(11));
  }
}
