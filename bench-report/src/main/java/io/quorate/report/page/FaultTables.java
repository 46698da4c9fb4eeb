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
import io.quorate.results.manifest.LoadInfo;
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

/** The section of a page about faults: what was verified, and a table for each fault. */
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
          "unknown",
          "connections");

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

  /**
   * What was verified of a database.
   *
   * @param history requests of the load, and their violations
   * @param contention requests of the clients with compare-and-set, and the verdict; "-" for none
   * @param members whether all members had the same values afterwards
   */
  public record Verified(String database, String history, String contention, String members) {
    private static Verified of(String name, FaultFigures faults) {
      long violations =
          faults.checked().counts().values().stream().mapToLong(Long::longValue).sum();
      return new Verified(
          name,
          (violations == 0 ? "none seen" : NumberFormats.commas(violations))
              + in(faults.requests()),
          faults.contended() == 0 ? "-" : verdict(faults) + in(faults.contended()),
          faults.agreement().map(Verified::text).orElse("-"));
    }

    private static String in(long requests) {
      return " in " + NumberFormats.count(requests, "request");
    }

    private static String verdict(FaultFigures faults) {
      return switch (faults.contention().verdict()) {
        case LINEARIZABLE -> "none seen";
        case NOT_DECIDED -> "not decided, as the search took too long,";
        case NOT_LINEARIZABLE -> "a contradiction";
      };
    }

    private static String text(MemberAgreement found) {
      if (found.problem().isPresent()) {
        return "not compared";
      }
      return found.differing() == 0
          ? "equal for " + NumberFormats.count(found.keys(), "key")
          : "%s of %s differ"
              .formatted(
                  NumberFormats.commas(found.differing()),
                  NumberFormats.count(found.keys(), "key"));
    }

    /** Returns the row as a sentence. */
    String text() {
      return "%s: lost, stale or unexplained values: %s; with compare-and-set: %s; members: %s"
          .formatted(database, history, contention, members);
    }
  }

  /** Returns what connections did when their member failed, which is the same for all databases. */
  public String binding() {
    return figures.databases().get(0).run().manifest().load().binding().id();
  }

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
    String id = kind.fault().id();
    return kind.fault().lasts() ? id + ", for " + kind.length().toSeconds() + " s" : id;
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
        NumberFormats.commas(outages.stream().mapToLong(Outage::unknown).sum()),
        connections(database.run().manifest().load()));
  }

  /** Returns the kind of client, and what its connections did when their member failed. */
  private static String connections(LoadInfo load) {
    return VisibleText.of(load.client().name()) + ", " + load.binding().id();
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

  /** Returns what was verified, a row for each database. */
  public List<Verified> verified() {
    return figures.databases().stream()
        .flatMap(
            database ->
                database.faults().stream().map(faults -> Verified.of(database.name(), faults)))
        .toList();
  }

  /** Returns sentences about violations, and about faults without effect. */
  public List<String> problems() {
    List<String> sentences = new ArrayList<>();
    for (DatabaseFigures database : figures.databases()) {
      database.faults().ifPresent(faults -> add(database.name(), faults, sentences));
    }
    return sentences;
  }

  private static void add(String name, FaultFigures faults, List<String> sentences) {
    faults.checked().lines().forEach(line -> sentences.add(VisibleText.of(name + ": " + line)));
    faults
        .contention()
        .witness()
        .ifPresent(
            witness ->
                sentences.add(
                    VisibleText.of(
                        name + ": requests with compare-and-set contradict: " + witness.text())));
    faults
        .agreement()
        .flatMap(FaultTables::problem)
        .ifPresent(text -> sentences.add(VisibleText.of(name + ": " + text)));
    for (FaultRecord each : faults.withoutEffect()) {
      sentences.add(
          VisibleText.of(
              "%s: fault %d, %s: %s."
                  .formatted(name, each.number(), each.kind(), each.problem().orElse(""))));
    }
  }

  private static Optional<String> problem(MemberAgreement found) {
    return found
        .problem()
        .map(why -> "the members could not be compared: " + why + ".")
        .or(() -> found.differences().stream().findFirst());
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
            "%s: %s: writes stopped for %s%s; connections: %s"
                .formatted(
                    table.title(),
                    row.cells().get(0),
                    row.cells().get(1),
                    usual,
                    row.cells().get(row.cells().size() - 1)));
      }
    }
    verified().forEach(each -> lines.add(each.text()));
    lines.addAll(problems());
    return lines;
  }
}
