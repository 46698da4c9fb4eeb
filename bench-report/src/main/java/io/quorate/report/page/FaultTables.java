package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.history.Contradiction;
import io.quorate.history.Linearizability.Verdict;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.ExpectedOutage;
import io.quorate.report.figures.FaultFigures;
import io.quorate.report.figures.Outage;
import io.quorate.report.figures.RunFigures;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.scenario.FaultPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The section of a page about faults: a table for each fault, and what was verified. */
public record FaultTables(RunFigures figures) {
  private static final List<String> COLUMNS =
      List.of(
          "",
          "writes stopped",
          "expected",
          "first write",
          "new leader",
          "worst client",
          "all clients back",
          "reads stopped",
          "all members serve",
          "failed",
          "unknown");

  /** The axis of the dots, in milliseconds: logarithmic, from 10 ms to 100 s. */
  private static final double AXIS_START_MS = 10;

  private static final double AXIS_DECADES = 4;

  /**
   * A table.
   *
   * @param title the fault
   * @param rows a row for each database
   */
  public record Table(String title, List<String> columns, List<Row> rows) {}

  /**
   * A row. Places on the axis are from 0 to 1.
   *
   * @param cells name of the database, then the values of the other columns
   * @param dots place of each time without writes
   * @param expected first and last place of the expected time; empty if it is not known
   * @param words the times in words
   */
  public record Row(List<String> cells, List<Double> dots, List<Double> expected, String words) {}

  /** Returns a table for each fault. */
  public List<Table> tables() {
    Map<FaultPlan.Kind, List<Row>> tables = new LinkedHashMap<>();
    for (DatabaseFigures database : figures.databases()) {
      database
          .faults()
          .map(FaultFigures::byKind)
          .orElse(Map.of())
          .forEach(
              (kind, outages) ->
                  tables
                      .computeIfAbsent(kind, any -> new ArrayList<>())
                      .add(row(database, kind, outages)));
    }
    return tables.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().fault()))
        .map(each -> new Table(title(each.getKey()), COLUMNS, each.getValue()))
        .toList();
  }

  private static String title(FaultPlan.Kind kind) {
    return kind.fault().id() + ", for " + kind.length().toSeconds() + " s";
  }

  private static Row row(DatabaseFigures database, FaultPlan.Kind kind, List<Outage> outages) {
    Optional<ExpectedOutage> expected = ExpectedOutage.of(database.run().manifest().store(), kind);
    return new Row(
        cells(database, outages, expected),
        outages.stream()
            .flatMapToDouble(each -> each.writes().longestMs().stream())
            .map(FaultTables::place)
            .boxed()
            .toList(),
        expected
            .map(each -> List.of(place(each.leastMs()), place(each.mostMs())))
            .orElse(List.of()),
        outages.stream()
            .map(each -> time(each.writes().longestMs()))
            .collect(Collectors.joining(", ")));
  }

  private static double place(double ms) {
    return Math.max(0, Math.min(1, Math.log10(ms / AXIS_START_MS) / AXIS_DECADES));
  }

  private static List<String> cells(
      DatabaseFigures database, List<Outage> outages, Optional<ExpectedOutage> expected) {
    return List.of(
        database.name(),
        spread(outages, each -> each.writes().longestMs()),
        expected.map(ExpectedOutage::text).orElse("-"),
        spread(outages, each -> each.writes().firstMs()),
        spread(outages, Outage::electedMs),
        spread(outages, each -> each.writes().worstClientMs()),
        spread(outages, each -> each.writes().allBackMs()),
        spread(outages, each -> each.reads().longestMs()),
        spread(outages, Outage::servingMs),
        NumberFormats.commas(outages.stream().mapToLong(Outage::failed).sum()),
        NumberFormats.commas(outages.stream().mapToLong(Outage::unknown).sum()));
  }

  /** Returns the median, with the least and the greatest time; a missing one is beyond the end. */
  private static String spread(List<Outage> outages, Function<Outage, OptionalDouble> time) {
    double[] known =
        outages.stream().map(time).flatMapToDouble(OptionalDouble::stream).sorted().toArray();
    if (known.length == 0) {
      return "-";
    }
    if (known.length < outages.size()) {
      return "%s and more; %d of %d without an end"
          .formatted(time(known[0]), outages.size() - known.length, outages.size());
    }
    int half = known.length / 2;
    double median = known.length % 2 == 1 ? known[half] : (known[half - 1] + known[half]) / 2;
    return known.length == 1
        ? time(median)
        : "%s (%s to %s)".formatted(time(median), time(known[0]), time(known[known.length - 1]));
  }

  private static String time(OptionalDouble ms) {
    return ms.isPresent() ? time(ms.getAsDouble()) : "no end";
  }

  static String time(double ms) {
    return ms < 1000
        ? Math.round(ms) + " ms"
        : NumberFormats.fixed(ms / 1000, ms < 10_000 ? 2 : 1) + " s";
  }

  /** Returns sentences about what was verified, and about faults without effect. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (DatabaseFigures database : figures.databases()) {
      database.faults().ifPresent(faults -> add(database.name(), faults, sentences));
    }
    return sentences;
  }

  private static void add(String name, FaultFigures faults, List<String> sentences) {
    long injections = faults.outages().stream().filter(each -> each.fault().tookEffect()).count();
    List<String> violations = faults.checked().lines();
    sentences.add(
        violations.isEmpty()
            ? "%s: no lost write, no stale or unexplained read seen in %s requests with %s."
                .formatted(
                    name,
                    NumberFormats.commas(faults.requests()),
                    NumberFormats.count(injections, "fault"))
            : "%s: %s requests with %s were checked."
                .formatted(
                    name,
                    NumberFormats.commas(faults.requests()),
                    NumberFormats.count(injections, "fault")));
    violations.forEach(line -> sentences.add(VisibleText.of(name + ": " + line)));
    if (faults.contended() > 0) {
      sentences.add(VisibleText.of(name + ": " + contention(faults)));
    }
    faults.agreement().ifPresent(found -> sentences.add(name + ": " + text(found)));
    for (FaultRecord each : faults.withoutEffect()) {
      sentences.add(
          VisibleText.of(
              "%s: fault %d, %s: %s."
                  .formatted(name, each.number(), each.kind(), each.problem().orElse(""))));
    }
  }

  private static String contention(FaultFigures faults) {
    String requests =
        NumberFormats.commas(faults.contended()) + " requests of clients that use compare-and-set";
    return switch (faults.contention().verdict()) {
      case LINEARIZABLE -> "no contradiction seen in " + requests + ".";
      case NOT_DECIDED ->
          "not decided whether %s contradict each other: the search took too long."
              .formatted(requests);
      case NOT_LINEARIZABLE ->
          "%s contradict each other; %s"
              .formatted(requests, faults.contention().witness().orElseThrow().text());
    };
  }

  private static String text(MemberAgreement found) {
    if (found.problem().isPresent()) {
      return "the members could not be compared: " + VisibleText.of(found.problem().get()) + ".";
    }
    return found.differing() == 0
        ? "all members had the same values of %s keys afterwards."
            .formatted(NumberFormats.commas(found.keys()))
        : "%d of %d keys differ between members, such as %s."
            .formatted(found.differing(), found.keys(), VisibleText.of(found.differences().get(0)));
  }

  /** Returns whether a guarantee was broken. */
  public boolean isViolated() {
    return figures.databases().stream()
        .flatMap(each -> each.faults().stream())
        .anyMatch(
            each ->
                !each.checked().isLinearizable()
                    || each.contention().verdict() == Verdict.NOT_LINEARIZABLE
                    || each.checked().counts().containsKey(Contradiction.Kind.LOST_WRITE)
                    || each.agreement().filter(found -> found.differing() > 0).isPresent());
  }

  /** Returns the lines for a console: the times without writes, and what was verified. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Table table : tables()) {
      for (Row row : table.rows()) {
        String usual = row.cells().get(2).equals("-") ? "" : "; expected " + row.cells().get(2);
        lines.add(
            "%s: %s: writes stopped for %s%s"
                .formatted(table.title(), row.cells().get(0), row.cells().get(1), usual));
      }
    }
    lines.addAll(sentences());
    return lines;
  }
}
