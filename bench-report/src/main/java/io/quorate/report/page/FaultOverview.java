// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.ExpectedOutage;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageSpread;
import io.quorate.report.figures.outage.OutageStatement;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.server.TimeRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The first screen of a run with faults: a sentence for each database, and all outages. */
public record FaultOverview(RunFigures figures) {
  /** The axis of the dots, in milliseconds: logarithmic, from 10 ms to 100 s or longer. */
  private static final double AXIS_START_MS = 10;

  private static final int LEAST_DECADES = 4;
  private static final List<OutageMetric> METRICS =
      List.of(OutageMetric.WRITES_STOPPED, OutageMetric.WORST_CLIENT);
  private static final List<String> MARKS =
      List.of("10 ms", "100 ms", "1 s", "10 s", "100 s", "1,000 s", "10,000 s");

  /**
   * The rows of a fault: two for each database, of all of its clients and of the worst one.
   *
   * @param title the fault, with its length
   */
  public record Group(String title, List<Row> rows) {}

  /**
   * A row. Places on the axis are from 0 to 1.
   *
   * @param clients whose times they are: of any client, or of the worst one
   * @param outage how long writes stopped: median, least and greatest
   * @param dots place of each time without writes
   * @param range first and last place of the expected time; empty if it is not known
   * @param expected the expected time in words
   * @param connections kind of client, and what its connections did when their member failed
   * @param broken whether the database broke a guarantee
   */
  public record Row(
      String name,
      String clients,
      String outage,
      List<Dot> dots,
      List<Double> range,
      String expected,
      String connections,
      boolean broken,
      String words) {}

  /**
   * A time without writes.
   *
   * @param ended whether it ended while it was observed
   */
  public record Dot(double place, boolean ended) {}

  /** A mark of the axis. */
  public record Mark(double place, String label) {}

  /** Returns the marks of the axis. */
  public List<Mark> marks() {
    int decades = decades();
    return IntStream.rangeClosed(0, decades)
        .mapToObj(decade -> new Mark((double) decade / decades, MARKS.get(decade)))
        .toList();
  }

  /** Returns how many decades the axis has, so that the longest time is on it. */
  private int decades() {
    double most =
        figures.databases().stream()
            .flatMap(each -> each.injections().stream())
            .flatMap(each -> METRICS.stream().flatMap(metric -> metric.of(each).stream()))
            .mapToDouble(OutageTime::ms)
            .max()
            .orElse(AXIS_START_MS);
    int needed = (int) Math.ceil(Math.log10(most / AXIS_START_MS));
    return Math.min(MARKS.size() - 1, Math.max(LEAST_DECADES, needed));
  }

  /** Returns a sentence about each database. */
  public List<OutageStatement> statements() {
    return figures.databases().stream().flatMap(each -> each.outages().stream()).toList();
  }

  /** Returns sentences about outages that differ from the expected ones, with usual causes. */
  public List<String> explanations() {
    List<String> sentences = new ArrayList<>();
    add(
        sentences,
        "Longer than expected: ",
        OutageStatement::longer,
        ". Usual causes: clients that reconnect late, back off or wait for an earlier answer; a"
            + " slow start of a member; a busy machine.");
    add(
        sentences,
        "Shorter than expected: ",
        OutageStatement::shorter,
        ". Usual cause: the signal missed the leader.");
    return sentences;
  }

  private void add(
      List<String> sentences,
      String start,
      Function<OutageStatement, List<String>> outages,
      String causes) {
    List<String> all = statements().stream().flatMap(each -> outages.apply(each).stream()).toList();
    if (!all.isEmpty()) {
      sentences.add(start + String.join("; ", all) + causes);
    }
  }

  /** Returns all faults in the order of their kinds. */
  public List<Group> groups() {
    Map<FaultPlan.Kind, List<Row>> groups = new LinkedHashMap<>();
    for (DatabaseFigures database : figures.withFaults()) {
      database
          .faults()
          .get()
          .byKind()
          .forEach(
              (kind, outages) ->
                  METRICS.forEach(
                      metric ->
                          groups
                              .computeIfAbsent(kind, any -> new ArrayList<>())
                              .add(row(database, kind, metric, outages))));
    }
    return groups.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().fault()))
        .map(each -> new Group(title(each.getKey()), each.getValue()))
        .toList();
  }

  /** Returns a fault with its length: {@code kill-leader, for 10 s}. */
  static String title(FaultPlan.Kind kind) {
    String id = kind.fault().id();
    return kind.fault().lasts() ? id + ", for " + kind.length().toSeconds() + " s" : id;
  }

  private Row row(
      DatabaseFigures database, FaultPlan.Kind kind, OutageMetric metric, List<Outage> outages) {
    boolean ofAny = metric == OutageMetric.WRITES_STOPPED;
    Optional<TimeRange> expected =
        ofAny ? database.faults().get().expected(kind) : Optional.empty();
    int decades = decades();
    Optional<OutageSpread> found = OutageStatement.spread(outages, metric);
    List<OutageTime> values = found.map(OutageSpread::values).orElse(List.of());
    return new Row(
        database.name(),
        ofAny ? "any client" : "worst client",
        found.map(OutageSpread::text).orElse("-"),
        values.stream().map(each -> new Dot(place(each.ms(), decades), each.ended())).toList(),
        expected
            .map(each -> List.of(place(each.leastMs(), decades), place(each.mostMs(), decades)))
            .orElse(List.of()),
        expected.map(ExpectedOutage::text).orElse("-"),
        connections(database),
        database.violated(),
        values.stream().map(OutageTime::text).collect(Collectors.joining(", ")));
  }

  /** Returns the kind of client, and whether its connections were pinned or moved. */
  static String connections(DatabaseFigures database) {
    LoadInfo load = database.run().manifest().load();
    return VisibleText.of(load.client().name()) + ", " + load.onFailure().id();
  }

  private static double place(double ms, int decades) {
    return Math.max(0, Math.min(1, Math.log10(ms / AXIS_START_MS) / decades));
  }
}
