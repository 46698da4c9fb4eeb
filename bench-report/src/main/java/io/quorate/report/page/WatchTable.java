package io.quorate.report.page;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.WatchRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds the table of the watchers of a run: a row for each database and step. */
final class WatchTable {
  private static final List<String> COLUMNS =
      List.of(
          "first p50",
          "median p50",
          "last p50",
          "last p99",
          "delivered events",
          "coalesced",
          "lost",
          "early",
          "made in");
  private static final double NANOS_PER_MS = 1e6;

  private final List<Row> rows = new ArrayList<>();

  /** Adds the steps of a database. */
  void add(String name, List<StepFigures> steps) {
    steps.forEach(step -> step.watch().ifPresent(watch -> rows.add(row(name, step, watch))));
  }

  private static Row row(String name, StepFigures step, WatchFigures watch) {
    WatchRow row = step.watchers().orElseThrow();
    int watchers = row.watchers();
    int streams = row.streams();
    String past =
        step.asked()
            .watch()
            .filter(load -> load.history() > 0)
            .map(load -> " of the " + commas(load.history()) + " puts before")
            .orElse("");
    String who =
        "%s, %s watcher%s on %s stream%s%s"
            .formatted(
                name, commas(watchers), plural(watchers), commas(streams), plural(streams), past);
    return new Row(
        who,
        Stream.of(
                ms(watch.firstMs(), Percentile.P50),
                ms(watch.medianMs(), Percentile.P50),
                ms(watch.lastMs(), Percentile.P50),
                ms(watch.lastMs(), Percentile.P99),
                commas(watch.counts().delivered()) + " of " + commas(watch.counts().expected()),
                commas(watch.counts().coalesced()),
                commas(watch.counts().lost()),
                commas(watch.counts().early()),
                NumberFormats.fixed(row.createdNanos() / NANOS_PER_MS, 1) + " ms")
            .map(text -> new Cell(text, false))
            .toList());
  }

  private static String ms(Map<Percentile, Double> percentiles, Percentile percentile) {
    Double value = percentiles.get(percentile);
    return value == null ? "-" : NumberFormats.fixed(value, 2) + " ms";
  }

  private static String commas(long count) {
    return NumberFormats.commas(count);
  }

  private static String plural(int count) {
    return count == 1 ? "" : "s";
  }

  /** Returns the table; without columns if nobody watched. */
  Table table() {
    return new Table(rows.isEmpty() ? List.of() : COLUMNS, rows);
  }
}
