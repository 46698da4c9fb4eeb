// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.cli.Colors;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.history.Contradiction;
import io.quorate.history.RecordedRequest;
import io.quorate.history.UniqueValues;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.ExpectedOutage;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageSpread;
import io.quorate.report.figures.outage.OutageStatement;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.scenario.FaultPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The section of a page about faults: first screen, what was verified, and all values. */
public record FaultTables(RunFigures figures) {
  private static final double NANOS_PER_MS = 1e6;

  /** Number of requests of a contradiction that are shown. */
  private static final int MOST_ROWS = 20;

  private static final String CONTENTION = "requests with compare-and-set contradict each other";

  /** Time that commands and the start of a process may add to the length of a fault. */
  private static final double LENGTH_TOLERANCE_MS = 500;

  /**
   * What was verified of a database.
   *
   * @param history requests of the load, and their violations
   * @param contention requests of the clients with compare-and-set, and the verdict; "-" for none
   * @param members whether all members had the same values afterwards
   */
  public record Verified(String database, String history, String contention, String members) {
    private static Verified of(DatabaseFigures database) {
      FaultFigures faults = database.faults().get();
      long violations =
          faults.checked().counts().values().stream().mapToLong(Long::longValue).sum();
      return new Verified(
          database.name(),
          (violations == 0 ? "none seen" : NumberFormats.commas(violations))
              + in(faults.requests())
              + undecided(faults.checked()),
          faults.contended() == 0 ? "-" : verdict(faults) + in(faults.contended()),
          faults.agreement().map(Verified::text).orElse("-"));
    }

    private static String in(long requests) {
      return " in " + NumberFormats.count(requests, "request");
    }

    /** Returns what the check did not decide, in words. */
    private static String undecided(UniqueValues.Result checked) {
      int keys = checked.undecidedKeys().size();
      return (keys == 0
              ? ""
              : ", "
                  + NumberFormats.count(keys, "key")
                  + " not decided, as the search took too long")
          + (checked.transactions() == 0
              ? ""
              : ", one common order of %s not searched"
                  .formatted(NumberFormats.count(checked.transactions(), "transaction")));
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
      long all = found.ofKeys().orElse(found.keys());
      String keys =
          (all > found.keys() ? NumberFormats.commas(found.keys()) + " read of " : "")
              + NumberFormats.count(all, "key");
      return found.differing() == 0
          ? "equal for " + keys
          : NumberFormats.commas(found.differing()) + " of " + keys + " differ";
    }

    /** Returns the row as a sentence. */
    String text() {
      return "%s: lost, stale or unexplained values in the load: %s; with compare-and-set: %s; members: %s"
          .formatted(database, history, contention, members);
    }
  }

  /** Returns the title of the section, which calls maintenance by its name. */
  public String title() {
    List<Boolean> isMaintenance =
        all().map(each -> each.kind().fault().isMaintenance()).distinct().toList();
    return isMaintenance.size() > 1
        ? "Faults and maintenance"
        : isMaintenance.contains(true) ? "Maintenance" : "Faults";
  }

  private Stream<FaultRecord> all() {
    return figures.databases().stream().flatMap(FaultTables::all);
  }

  private static Stream<FaultRecord> all(DatabaseFigures of) {
    return of.injections().stream().map(Outage::fault);
  }

  /** Returns what each maintenance did, or each power cut discarded, a sentence for each. */
  public List<String> maintenance() {
    return figures.databases().stream()
        .flatMap(
            database ->
                database.injections().stream()
                    .filter(each -> each.fault().observed().isPresent())
                    .map(
                        each ->
                            "%s: %d, %s: %s%s"
                                .formatted(
                                    database.name(),
                                    each.fault().number(),
                                    each.fault().kind(),
                                    each.fault().observed().get(),
                                    each.calm().map(FaultTables::text).orElse(""))))
        .map(VisibleText::of)
        .toList();
  }

  private static String text(Outage.Calm calm) {
    return "; writes stopped for at most %s in the %s from its start, and %s in as long before"
        .formatted(
            calm.during().text(),
            OutageTime.text(calm.nanos() / NANOS_PER_MS),
            calm.before().text());
  }

  /** Returns the content of the first screen. */
  public FaultOverview overview() {
    return new FaultOverview(figures);
  }

  /** Returns all values. */
  public FaultDetails details() {
    return new FaultDetails(figures);
  }

  /** Returns what survived, for clients next to the load. */
  public SurvivalTable survival() {
    return new SurvivalTable(figures);
  }

  /** Returns what was verified, a row for each database. */
  public List<Verified> verified() {
    return figures.withFaults().stream().map(Verified::of).toList();
  }

  /**
   * The fewest requests that show a violation, or the first ones of them.
   *
   * @param title database, violation and reason
   */
  public record Witness(String title, List<RecordedRequest> requests) {
    private static Witness of(String database, String what, Contradiction found) {
      List<RecordedRequest> all = found.requests();
      String more =
          all.size() > MOST_ROWS
              ? "; these are the first "
                  + MOST_ROWS
                  + ", and 'report --jepsen' of the unpacked run writes all"
              : "";
      return new Witness(
          VisibleText.of("%s: %s; %s%s".formatted(database, what, found.reason(), more)),
          all.subList(0, Math.min(MOST_ROWS, all.size())));
    }
  }

  /** Returns the requests of each violation. */
  public List<Witness> witnesses() {
    List<Witness> all = new ArrayList<>();
    for (DatabaseFigures database : figures.withFaults()) {
      FaultFigures faults = database.faults().get();
      new TreeMap<>(faults.checked().witnesses())
          .forEach(
              (kind, found) ->
                  all.add(Witness.of(database.name(), faults.checked().count(kind), found)));
      faults
          .contention()
          .witness()
          .ifPresent(found -> all.add(Witness.of(database.name(), CONTENTION, found)));
    }
    return all;
  }

  /** Returns sentences about the members, the clients next to the load, and the faults. */
  public List<String> problems() {
    List<String> sentences = new ArrayList<>();
    for (DatabaseFigures database : figures.withFaults()) {
      add(database.name(), database.faults().get(), sentences);
    }
    sentences.addAll(survival().problems());
    return sentences;
  }

  private static void add(String name, FaultFigures faults, List<String> sentences) {
    faults
        .shortfall()
        .ifPresent(text -> sentences.add(name + ": " + text + ", so the run does not show them."));
    faults
        .agreement()
        .flatMap(FaultTables::problem)
        .ifPresent(text -> sentences.add(VisibleText.of(name + ": " + text)));
    for (Outage each : faults.outages()) {
      double planned = each.fault().kind().length().toMillis();
      double real = (each.fault().endNanos() - each.fault().startNanos()) / NANOS_PER_MS;
      if (each.fault().tookEffect()
          && each.fault().kind().fault().lasts()
          && Math.abs(real - planned) > LENGTH_TOLERANCE_MS + planned / 10) {
        sentences.add(
            "%s: %s, injection %d, lasted %s instead of %s."
                .formatted(
                    name,
                    each.fault().kind(),
                    each.fault().number(),
                    OutageTime.text(real),
                    OutageTime.text(planned)));
      }
    }
    notStarted(faults).forEach(text -> sentences.add(VisibleText.of(name + ": " + text + ".")));
    Map<String, String> withoutEffect = new LinkedHashMap<>();
    for (FaultRecord each : faults.withoutEffect()) {
      String which =
          "%s %d, %s"
              .formatted(
                  each.kind().fault().isMaintenance() ? "maintenance" : "fault",
                  each.number(),
                  each.kind());
      withoutEffect.merge(each.problem().orElse(""), which, (before, next) -> before + "; " + next);
    }
    withoutEffect.forEach(
        (why, which) -> sentences.add(VisibleText.of("%s: %s: %s.".formatted(name, which, why))));
  }

  /** Returns which members did not start again after a power cut, and why. */
  private static Stream<String> notStarted(FaultFigures faults) {
    return faults.outages().stream()
        .map(Outage::fault)
        .flatMap(
            fault ->
                fault.notStarted().stream()
                    .flatMap(List::stream)
                    .map(text -> "%s %d: %s".formatted(fault.kind(), fault.number(), text)));
  }

  private static Optional<String> problem(MemberAgreement found) {
    return found
        .problem()
        .map(why -> "the members could not be compared: " + why + ".")
        .or(() -> found.differences().stream().findFirst());
  }

  /** Returns whether a guarantee was broken. */
  public boolean isViolated() {
    return overview().statements().stream().anyMatch(OutageStatement::violated);
  }

  /** Returns whether a complete run caused fewer faults than planned. */
  public boolean isUndecided() {
    return overview().statements().stream().anyMatch(OutageStatement::undecided);
  }

  /** Returns the lines for a console: the times without writes, and what was verified. */
  List<String> lines(Colors colors) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "", "no writes for", "expected", "worst client"));
    List<String> lines = new ArrayList<>();
    for (DatabaseFigures database : figures.withFaults()) {
      FaultFigures faults = database.faults().get();
      faults.byKind().forEach((kind, of) -> rows.add(row(database, kind, faults, of)));
    }
    if (rows.size() > 1) {
      lines.addAll(ConsoleText.table(rows, any -> true));
      lines.add(
          figures.databases().stream()
              .map(each -> each.name() + " " + FaultOverview.connections(each))
              .distinct()
              .collect(Collectors.joining("; ", "Connections: ", "")));
    }
    lines.addAll(maintenance());
    lines.addAll(survival().lines());
    for (DatabaseFigures database : figures.withFaults()) {
      FaultFigures faults = database.faults().get();
      boolean isKept =
          !OutageStatement.isViolated(faults) && notStarted(faults).findAny().isEmpty();
      lines.add(colors.mark(isKept, Verified.of(database).text()));
    }
    for (Witness each : witnesses()) {
      lines.add(each.title + ":");
      lines.addAll(
          ConsoleText.table(
              each.requests.stream()
                  .map(of -> List.of("  " + of.what(), of.sender(), of.sent(), of.result()))
                  .toList(),
              column -> true));
    }
    lines.addAll(problems());
    lines.addAll(overview().explanations());
    return lines;
  }

  private static List<String> row(
      DatabaseFigures database, FaultPlan.Kind kind, FaultFigures faults, List<Outage> outages) {
    return List.of(
        database.name(),
        kind.toString(),
        text(outages, OutageMetric.WRITES_STOPPED),
        faults.expected(kind).map(ExpectedOutage::text).orElse("-"),
        text(outages, OutageMetric.WORST_CLIENT));
  }

  private static String text(List<Outage> outages, OutageMetric metric) {
    return OutageStatement.spread(outages, metric).map(OutageSpread::text).orElse("-");
  }
}
