// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.ExpectedOutage;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageSpread;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.scenario.FaultPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** All values of all faults: a table for each fault, with a column for each database. */
public record FaultDetails(RunFigures figures) {
  /** The numbers of requests in the table of a fault. */
  private enum Count {
    ACKNOWLEDGED("acknowledged", "requests that were acknowledged", Outage::acknowledged),
    FAILED("failed", "requests without an effect", Outage::failed),
    UNKNOWN("unknown", "writes without an answer, which may have had an effect", Outage::unknown),
    DROPPED("dropped", "requests that were due and not sent: too many in flight", Outage::dropped);

    private final String title;
    private final String definition;
    private final ToLongFunction<Outage> number;

    Count(String title, String definition, ToLongFunction<Outage> number) {
      this.title = title;
      this.definition = definition;
      this.number = number;
    }
  }

  /**
   * The table of a fault.
   *
   * @param columns names of the databases
   */
  public record Table(String title, List<String> columns, List<Row> rows) {}

  /** A row with a cell for each database. */
  public record Row(String name, List<Cell> cells) {}

  /**
   * A cell.
   *
   * @param text median, least and greatest value, or the sum
   * @param values value of each injection, if there are several
   */
  public record Cell(String text, String values) {}

  /** Returns the table of each fault. */
  public List<Table> tables() {
    Map<FaultPlan.Kind, Map<String, List<Outage>>> kinds = new LinkedHashMap<>();
    for (DatabaseFigures database : figures.withFaults()) {
      database
          .faults()
          .get()
          .byKind()
          .forEach(
              (kind, outages) ->
                  kinds
                      .computeIfAbsent(kind, any -> new LinkedHashMap<>())
                      .put(database.name(), outages));
    }
    return kinds.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().fault()))
        .map(each -> table(FaultOverview.title(each.getKey()), each.getValue()))
        .toList();
  }

  private static Table table(String title, Map<String, List<Outage>> outages) {
    List<Row> rows = new ArrayList<>();
    for (OutageMetric metric : OutageMetric.values()) {
      if (outages.values().stream()
          .flatMap(List::stream)
          .anyMatch(each -> metric.of(each).isPresent())) {
        rows.add(
            new Row(
                metric.title(),
                outages.values().stream().map(each -> times(metric, each)).toList()));
      }
    }
    for (Count count : Count.values()) {
      rows.add(
          new Row(
              count.title, outages.values().stream().map(each -> numbers(count, each)).toList()));
    }
    return new Table(title, List.copyOf(outages.keySet()), rows);
  }

  /** Returns the spread of the known values; a value that does not exist is a dash. */
  private static Cell times(OutageMetric metric, List<Outage> outages) {
    List<Optional<OutageTime>> all = outages.stream().map(metric::of).toList();
    return new Cell(
        OutageSpread.of(all.stream().flatMap(Optional::stream).toList())
            .map(OutageSpread::text)
            .orElse("-"),
        values(all.stream().map(each -> each.map(OutageTime::text).orElse("-")).toList()));
  }

  private static Cell numbers(Count count, List<Outage> outages) {
    return new Cell(
        NumberFormats.commas(outages.stream().mapToLong(count.number).sum()),
        values(
            outages.stream()
                .map(each -> NumberFormats.commas(count.number.applyAsLong(each)))
                .toList()));
  }

  private static String values(List<String> values) {
    return values.size() == 1 ? "" : String.join("; ", values);
  }

  /** Returns what the rows mean. */
  public List<Page.Fact> definitions() {
    List<Page.Fact> all = new ArrayList<>();
    all.add(
        new Page.Fact(
            "values",
            "median of all injections, the shortest and the longest; below, each injection; > for"
                + " a time that did not end while it was observed"));
    for (OutageMetric metric : OutageMetric.values()) {
      if (isKnown(metric)) {
        all.add(new Page.Fact(metric.title(), metric.definition()));
      }
    }
    for (Count count : Count.values()) {
      all.add(new Page.Fact(count.title, count.definition));
    }
    all.add(
        new Page.Fact(
            "times",
            "begin with the fault; response times begin when a request was due; SIGKILL keeps what"
                + " the system has cached, so it is not a power cut"));
    return all;
  }

  private boolean isKnown(OutageMetric metric) {
    return figures.withFaults().stream()
        .flatMap(each -> each.injections().stream())
        .anyMatch(each -> metric.of(each).isPresent());
  }

  /** Returns the timeouts in force, of each database and of its clients. */
  public List<Page.Fact> timeouts() {
    List<Page.Fact> facts = new ArrayList<>();
    for (DatabaseFigures database : figures.withFaults()) {
      List<String> settings = ExpectedOutage.timeouts(database.run().manifest().store());
      facts.add(
          new Page.Fact(
              database.name(),
              settings.isEmpty() ? "-" : VisibleText.of(String.join(", ", settings))));
    }
    each(load -> "request timeout " + OutageTime.text(load.requestTimeout().toMillis()))
        .ifPresent(text -> facts.add(new Page.Fact("clients", text + "; " + connections())));
    each(load -> Long.toString(load.seed()))
        .ifPresent(text -> facts.add(new Page.Fact("seed of the schedule", text)));
    facts.add(
        new Page.Fact(
            "repeat each fault once",
            Reproduction.forReaders(figures.run()).eachFaultOnce()
                + "; for one fault, keep only this one in 'inject' of the scenario"));
    figures.withFaults().stream()
        .flatMap(each -> each.faults().get().resolutionMs().stream().boxed())
        .findFirst()
        .ifPresent(
            ms ->
                facts.add(
                    new Page.Fact(
                        "resolution", OutageTime.text(ms) + " between two writes that are due")));
    return facts;
  }

  private String connections() {
    return figures.withFaults().stream()
        .map(each -> each.name() + ": " + FaultOverview.connections(each))
        .collect(Collectors.joining("; "));
  }

  private Optional<String> each(Function<LoadInfo, String> text) {
    String all =
        figures.withFaults().stream()
            .map(each -> text.apply(each.run().manifest().load()))
            .distinct()
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }
}
