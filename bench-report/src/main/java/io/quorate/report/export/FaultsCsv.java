// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.results.FaultRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * All values of all faults that took effect: {@code faults.csv}, a row for each injection. Times
 * are milliseconds; {@code >22000.0} did not end while it was observed. A value that does not exist
 * is empty.
 */
public final class FaultsCsv {
  private static final int DECIMALS = 3;
  private static final double NANOS_PER_MS = 1e6;

  private FaultsCsv() {}

  public static Path file(RunFigures figures) {
    return figures.run().directory().path().resolve("faults.csv");
  }

  /** Returns the file; only a header if there were no faults. */
  public static String text(RunFigures figures) {
    CsvText csv = new CsvText();
    csv.row(
        Stream.of(
                Stream.of("DATABASE", "FAULT", "NUMBER", "MEMBERS", "OBSERVED-MS"),
                Arrays.stream(OutageMetric.values()).map(OutageMetric::column),
                Stream.of("ACKNOWLEDGED", "FAILED", "UNKNOWN", "DROPPED", "LATE"))
            .flatMap(columns -> columns)
            .toArray(String[]::new));
    for (DatabaseFigures database : figures.databases()) {
      database.faults().stream()
          .flatMap(faults -> faults.outages().stream())
          .filter(outage -> outage.fault().tookEffect())
          .forEach(outage -> csv.row(row(database, outage)));
    }
    return csv.toString();
  }

  private static String[] row(DatabaseFigures database, Outage outage) {
    FaultRecord fault = outage.fault();
    List<String> cells = new ArrayList<>();
    cells.add(database.run().manifest().store().id());
    cells.add(fault.kind().toString());
    cells.add(Integer.toString(fault.number()));
    cells.add(String.join(" ", fault.members()));
    cells.add(ms((fault.untilNanos() - fault.startNanos()) / NANOS_PER_MS));
    for (OutageMetric metric : OutageMetric.values()) {
      cells.add(metric.of(outage).map(FaultsCsv::time).orElse(""));
    }
    Stream.of(
            outage.acknowledged(),
            outage.failed(),
            outage.unknown(),
            outage.dropped(),
            outage.late())
        .forEach(count -> cells.add(Long.toString(count)));
    return cells.toArray(String[]::new);
  }

  private static String time(OutageTime time) {
    return (time.ended() ? "" : ">") + ms(time.ms());
  }

  private static String ms(double value) {
    return NumberFormats.fixed(value, DECIMALS);
  }
}
