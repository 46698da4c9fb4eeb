// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.count;
import static io.quorate.format.NumberFormats.fixed;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.Verification;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.DatabaseFigures.ErrorSummary;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.report.findings.Headline;
import io.quorate.report.findings.Warnings;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.ErrorKind;
import io.quorate.report.page.Page.Errors;
import io.quorate.report.page.Page.LimitCell;
import io.quorate.report.page.Page.LimitRow;
import io.quorate.report.page.Page.LimitTable;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.table.ResultTable;
import io.quorate.report.table.SummaryRow;
import io.quorate.results.Errata;
import io.quorate.results.ExperimentRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.WatchRow;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.SloLimit;
import io.quorate.scenario.yaml.ScenarioReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the page about a run.
 *
 * @param diagnoses diagnosis of each database that has one, by its id
 */
public record RunPage(RunFigures figures, ResultTable table, Map<String, Diagnosis> diagnoses) {
  /** Kinds of errors that are shown; further ones are in the files only. */
  private static final int MAX_KINDS = 20;

  private static final int MAX_MESSAGE = 400;

  private ExperimentRun run() {
    return figures.run();
  }

  /**
   * Returns the page.
   *
   * @param notes notes about the results, without notes about errors
   * @param files files that the page links to
   */
  public Page page(List<String> notes, RunPlots plots, RunFiles files) {
    RunInfo facts = new RunInfo(run());
    List<String> undrawn = new ArrayList<>(plots.absent());
    plots.unable().ifPresent(undrawn::add);
    List<Page.DrawnPlot> drawn =
        Page.DrawnPlot.all(plots, files).stream()
            .filter(each -> !plots.isInAnother(each.plot()))
            .toList();
    return new Page(
        title(),
        files.isPublished()
            ? Page.notToBeCompared(figures.ties(), "this run measured each database once")
            : List.of(),
        facts.parameters(),
        chips(facts),
        lost(files),
        capacities(),
        new Overview(figures).table(),
        colors(),
        loads(figures),
        of(drawn, plots.first(run().isSearch())),
        plots.tiles(run().isSearch()).stream().map(tile -> of(drawn, tile)).toList(),
        new FaultTables(figures),
        new RecipeTables(figures),
        new CostTable(figures).table(),
        diagnoses.values().stream().map(DoctorTables::new).toList(),
        new SoakTable(figures),
        sentences(),
        limits(),
        Warnings.sentences(figures),
        description(),
        facts.identity(),
        resultTable(),
        watchers(),
        facts.shards(),
        figures.ties(),
        notes,
        drawn,
        undrawn.stream().map(VisibleText::of).toList(),
        figures.databases().stream().flatMap(each -> errors(each).stream()).toList(),
        facts.common(),
        facts.differing(),
        Reproduction.forReaders(run()).commands(),
        lines(scenario()),
        files.all(),
        Page.Scripts.of(drawn));
  }

  private static List<Page.DrawnPlot> of(List<Page.DrawnPlot> all, List<Plot> some) {
    return some.stream()
        .flatMap(plot -> all.stream().filter(each -> each.plot().equals(plot)))
        .toList();
  }

  /** Returns the load of each database, by its name; empty if it is the same or not one. */
  static Map<String, String> loads(RunFigures figures) {
    Map<String, String> loads = new LinkedHashMap<>();
    figures.compared().stream()
        .filter(each -> each.byLoad().size() == 1)
        .forEach(each -> loads.put(each.name(), each.steps().get(0).loadText()));
    boolean all = loads.size() == figures.compared().size();
    return all && Set.copyOf(loads.values()).size() > 1 ? loads : Map.of();
  }

  private Map<String, String> colors() {
    List<DatabaseFigures> databases = figures.databases();
    List<LineStyle> inks =
        LineStyle.of(databases.stream().map(each -> each.run().manifest().store().id()).toList());
    Map<String, String> colors = new LinkedHashMap<>();
    for (int i = 0; i < inks.size(); i++) {
      colors.put(databases.get(i).name(), inks.get(i).hex());
    }
    return colors;
  }

  private String title() {
    return VisibleText.of(
        isSearchOfAnotherLoad()
            ? "Capacity search: " + run().databases().get(0).manifest().scenario().name()
            : run().title());
  }

  private boolean isSearchOfAnotherLoad() {
    return run().isSearch()
        && parsed().filter(each -> each.goals().capacity().isPresent()).isEmpty();
  }

  private List<Page.Chip> chips(RunInfo facts) {
    List<Page.Chip> chips = new ArrayList<>();
    List<LimitResult> limits =
        figures.databases().stream().flatMap(each -> each.limits().stream()).toList();
    if (!limits.isEmpty()) {
      boolean broken = limits.stream().anyMatch(each -> !each.isKept() && !each.isUndecided());
      boolean kept = limits.stream().allMatch(LimitResult::isKept);
      chips.add(
          broken
              ? new Page.Chip("thresholds broken", "bad")
              : new Page.Chip(
                  kept ? "thresholds kept" : "thresholds undecided", kept ? "good" : ""));
    }
    facts.chips().forEach(text -> chips.add(new Page.Chip(text, "")));
    return chips;
  }

  /** Returns the sentences of the verdict; the page begins with the one against its use. */
  private List<String> sentences() {
    List<String> sentences = Headline.sentences(figures);
    return sentences.subList(figures.doNotUse().isPresent() ? 1 : 0, sentences.size());
  }

  private List<String> lost(RunFiles files) {
    List<String> lost = new ArrayList<>(Errata.warning(files.directory().path()));
    figures.doNotUse().ifPresent(lost::add);
    for (DatabaseFigures each : figures.databases()) {
      Optional<Verification> found = each.run().manifest().verification();
      if (found.filter(Verification::failed).isPresent()) {
        String reason = VisibleText.of(found.get().reason());
        lost.add("%s does not have what it acknowledged: %s.".formatted(each.name(), reason));
      }
    }
    return lost;
  }

  private List<CapacityView> capacities() {
    return figures.databases().stream()
        .flatMap(
            each ->
                IntStream.range(0, each.capacities().size())
                    .mapToObj(
                        i ->
                            CapacityView.of(
                                each.capacities().get(i), each.run().searches().get(i))))
        .toList();
  }

  private Table watchers() {
    List<Map<String, String>> rows = new ArrayList<>();
    for (DatabaseFigures each : figures.compared()) {
      for (StepFigures step : each.steps()) {
        step.watch().ifPresent(watch -> rows.add(watchers(each.name(), step, watch)));
      }
    }
    return Table.of(rows);
  }

  private static Map<String, String> watchers(String name, StepFigures step, WatchFigures watch) {
    WatchRow row = step.watchers().orElseThrow();
    String past =
        step.asked()
            .watch()
            .filter(load -> load.history() > 0)
            .map(load -> " of the " + commas(load.history()) + " puts before")
            .orElse("");
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put(
        "",
        "%s, %s on %s%s"
            .formatted(
                name, count(row.watchers(), "watcher"), count(row.streams(), "stream"), past));
    cells.put("first p50", ms(watch.firstMs(), Percentile.P50));
    cells.put("median p50", ms(watch.medianMs(), Percentile.P50));
    cells.put("last p50", ms(watch.lastMs(), Percentile.P50));
    cells.put("last p99", ms(watch.lastMs(), Percentile.P99));
    cells.put(
        "delivered events",
        commas(watch.counts().delivered()) + " of " + commas(watch.counts().expected()));
    cells.put("coalesced", commas(watch.counts().coalesced()));
    cells.put("lost", commas(watch.counts().lost()));
    cells.put("twice", commas(watch.counts().duplicated()));
    cells.put("early", commas(watch.counts().early()));
    cells.put("made in", NumberFormats.milliseconds(row.createdNanos() / 1e6));
    return cells;
  }

  private static String ms(Map<Percentile, Double> percentiles, Percentile percentile) {
    Double value = percentiles.get(percentile);
    return value == null ? "-" : NumberFormats.milliseconds(value);
  }

  private LimitTable limits() {
    Map<SloLimit, List<LimitCell>> cells = new LinkedHashMap<>();
    for (DatabaseFigures database : figures.databases()) {
      for (LimitResult each : database.limits()) {
        cells
            .computeIfAbsent(each.limit(), any -> new ArrayList<>())
            .add(
                new LimitCell(
                    each.foundText(),
                    each.isKept() ? "kept" : each.isUndecided() ? "undecided" : "broken"));
      }
    }
    List<LimitRow> rows = new ArrayList<>();
    cells.forEach((limit, values) -> rows.add(new LimitRow(limit.toString(), values)));
    return new LimitTable(figures.databases().stream().map(DatabaseFigures::name).toList(), rows);
  }

  private String scenario() {
    return run().databases().stream()
        .findFirst()
        .map(each -> each.manifest().scenario().text())
        .orElse("");
  }

  /** Returns the scenario; empty if its text cannot be read by this version. */
  private Optional<Scenario> parsed() {
    try {
      return Optional.of(ScenarioReader.read(Reproduction.SCENARIO, scenario(), 1));
    } catch (QuorateException unreadable) {
      return Optional.empty();
    }
  }

  /** Returns the description of the scenario, unless a search replaced its load. */
  private List<String> description() {
    if (isSearchOfAnotherLoad()) {
      return List.of(
          "The search takes operations, keys, values and clients from the scenario %s. The load of"
                  .formatted(VisibleText.of(run().databases().get(0).manifest().scenario().name()))
              + " the scenario was not run.");
    }
    return parsed().map(scenario -> scenario.heading().description()).stream()
        .flatMap(text -> Page.paragraphs(text).stream())
        .toList();
  }

  private static String lines(String text) {
    return text.lines()
        .map(line -> VisibleText.of(line.replace("\t", "    ")))
        .collect(Collectors.joining("\n"));
  }

  private static Optional<Errors> errors(DatabaseFigures figures) {
    List<ErrorSummary> all = figures.errors();
    long made =
        figures.run().clients().map(each -> each.successCount() + each.errorCount()).orElse(0L);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String id = figures.name();
    List<ErrorKind> kinds = all.stream().limit(MAX_KINDS).map(error -> shown(error, made)).toList();
    String more =
        all.size() <= MAX_KINDS
            ? ""
            : "%s more messages are in %s/errors.csv."
                .formatted(commas(all.size() - MAX_KINDS), figures.run().manifest().store().id());
    return Optional.of(new Errors(id, kinds, more));
  }

  private static ErrorKind shown(ErrorSummary error, long made) {
    String message = error.message();
    String cut =
        message.codePointCount(0, message.length()) <= MAX_MESSAGE
            ? message
            : message.substring(0, message.offsetByCodePoints(0, MAX_MESSAGE)) + " ...";
    return new ErrorKind(
        error.kind().map(VisibleText::of).orElse("-"),
        VisibleText.of(cut),
        commas(error.count()),
        fixed(100.0 * error.count() / made, 2) + "%");
  }

  private Table resultTable() {
    List<TotalFigures> measured =
        figures.databases().stream().flatMap(each -> each.total().stream()).toList();
    List<String> columns =
        table.results().stream().map(result -> VisibleText.of(result.tag())).toList();
    List<Row> rows = new ArrayList<>();
    Map<String, Set<String>> reasons = new LinkedHashMap<>();
    Map<SummaryRow, List<String>> textRows = table.textRows();
    for (SummaryRow row : textRows.keySet()) {
      String label = row.label(table.labels());
      Optional<TotalFigures> winner =
          figures.doNotUse().isPresent() ? Optional.empty() : row.winner(measured);
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        TotalFigures result = table.results().get(i);
        boolean best = winner.filter(it -> it == result).isPresent();
        cells.add(new Cell(textRows.get(row).get(i), best));
      }
      rows.add(new Row(label, cells));
      for (String text : row.reservations(measured)) {
        reasons.computeIfAbsent(text, any -> new LinkedHashSet<>()).add(label);
      }
    }
    return new Table(columns, rows, Table.notes(reasons));
  }
}
