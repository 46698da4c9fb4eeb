package io.quorate.report.page;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.CheckedLimit;
import io.quorate.report.figures.DatabaseResult;
import io.quorate.report.figures.OperationTotals;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.WatchFigures;
import io.quorate.report.findings.Caveats;
import io.quorate.report.findings.Standing;
import io.quorate.report.findings.Verdict;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.LimitCell;
import io.quorate.report.page.Page.LimitRow;
import io.quorate.report.page.Page.LimitTable;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.table.RankedRow;
import io.quorate.report.table.ResultTable;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.manifest.StoreFacts;
import io.quorate.scenario.Limit;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Builds the page about a run. */
public final class RunPage {
  private static final String NOTHING_MEASURED =
      "There is no verdict: nothing was measured here, and what was imported does not say how and"
          + " where it was measured.";

  private static final String NOTHING_WRITTEN =
      "There is no verdict: the run ended before a manifest was written, so nothing was measured.";

  private final ExperimentRun run;
  private final Map<DatabaseDirectory, DatabaseResult> results;
  private final ResultTable table;

  /**
   * @param results of the databases in the table
   */
  public RunPage(
      ExperimentRun run, Map<DatabaseDirectory, DatabaseResult> results, ResultTable table) {
    this.run = run;
    this.results = results;
    this.table = table;
  }

  /**
   * Returns the page.
   *
   * @param notes about the results, without those about errors
   * @param files that the page leads to
   */
  public Page page(List<String> notes, RunPlots plots, RunFiles files) {
    RunFacts facts = new RunFacts(run);
    Optional<Verdict> verdict =
        run.databases().isEmpty() ? Optional.empty() : Optional.of(new Verdict(standings()));
    List<String> undrawn = new ArrayList<>(plots.absent());
    plots.unable().ifPresent(undrawn::add);
    return new Page(
        title(),
        lost(),
        capacities(),
        overview(),
        firstPlot(plots),
        lead(verdict),
        limits(),
        caveats(),
        description(),
        facts.identity(),
        resultTable(),
        watchers(),
        shards(),
        Ranking.TIE_PERCENT,
        verdict.map(Verdict::further).orElse(List.of()),
        notes,
        plots.drawn().stream().map(plot -> new Page.DrawnPlot(plot, files.of(plot))).toList(),
        undrawn.stream().map(VisibleText::of).toList(),
        run.databases().stream().flatMap(each -> FailedRequests.of(each).stream()).toList(),
        facts.common(),
        facts.differing(),
        new Reproduction(run).commands(),
        lines(scenario()),
        files.all());
  }

  /** Returns the plot next to the overview; of a search only its card, as others show the probe. */
  private String firstPlot(RunPlots plots) {
    return plots
        .first()
        .filter(plot -> !run.isSearch() || plot.section() == PlotSection.CAPACITY)
        .map(Plot::name)
        .orElse("");
  }

  /** Returns the title of the scenario; of a search instead of its load, that of the search. */
  private String title() {
    return VisibleText.of(
        isSearchOfAnotherLoad()
            ? "Capacity search: " + run.databases().get(0).manifest().scenario().name()
            : run.title());
  }

  /** Returns whether a search was made with a scenario that asks for another load. */
  private boolean isSearchOfAnotherLoad() {
    return run.isSearch() && parsed().filter(each -> each.capacity().isPresent()).isEmpty();
  }

  /** Returns the most important sentences; that limits were broken comes first. */
  private List<String> lead(Optional<Verdict> verdict) {
    List<String> lead = new ArrayList<>();
    for (DatabaseRun database : run.databases()) {
      List<CheckedLimit> limits = CheckedLimit.of(database);
      List<CheckedLimit> broken = limits.stream().filter(each -> !each.isKept()).toList();
      if (!broken.isEmpty()) {
        lead.add(
            "%s broke %d of %d limits: %s."
                .formatted(
                    name(database),
                    broken.size(),
                    limits.size(),
                    broken.stream()
                        .map(each -> "%s (%s)".formatted(each.limit(), each.reason()))
                        .collect(Collectors.joining(", "))));
      }
    }
    lead.addAll(verdict.map(Verdict::lead).orElseGet(this::noVerdict));
    return lead;
  }

  private List<String> noVerdict() {
    return List.of(run.imports().isEmpty() ? NOTHING_WRITTEN : NOTHING_MEASURED);
  }

  private List<String> lost() {
    List<String> lost = new ArrayList<>();
    names()
        .forEach(
            (name, each) ->
                each.manifest()
                    .verification()
                    .filter(found -> found.failed())
                    .ifPresent(
                        found ->
                            lost.add(
                                "%s does not have what it acknowledged: %s."
                                    .formatted(name, VisibleText.of(found.reason())))));
    return lost;
  }

  private List<Page.Capacity> capacities() {
    return run.databases().stream()
        .flatMap(each -> CapacityStatement.all(each).stream())
        .map(
            each ->
                new Page.Capacity(
                    VisibleText.of(each.headline()),
                    sentence(each.gaveWay()),
                    each.details().stream().map(RunPage::sentence).toList()))
        .toList();
  }

  private static String sentence(String words) {
    return VisibleText.of(words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1))
        + ".";
  }

  private Table overview() {
    Overview overview = new Overview();
    for (DatabaseRun each : run.databases()) {
      DatabaseResult result = results.get(each.directory());
      if (result != null) {
        overview.add(name(each), result, OperationTotals.of(each));
      }
    }
    run.imports()
        .forEach(
            each -> overview.add(VisibleText.of(each.tag()), DatabaseResult.of(each), List.of()));
    return overview.table();
  }

  private Table watchers() {
    WatchTable watchers = new WatchTable();
    for (DatabaseRun each : run.databases()) {
      if (results.containsKey(each.directory())) {
        watchers.add(name(each), WatchFigures.of(each));
      }
    }
    return watchers.table();
  }

  private Table shards() {
    ShardTable shards = new ShardTable();
    run.databases().forEach(each -> shards.add(name(each), each));
    return shards.table();
  }

  /** Returns the limits of the scenario, with the values of all databases that were begun. */
  private LimitTable limits() {
    List<String> names = new ArrayList<>();
    Map<Limit, List<LimitCell>> cells = new LinkedHashMap<>();
    for (DatabaseRun database : run.databases()) {
      names.add(name(database));
      for (CheckedLimit each : CheckedLimit.of(database)) {
        cells
            .computeIfAbsent(each.limit(), any -> new ArrayList<>())
            .add(new LimitCell(each.foundText(), each.isKept()));
      }
    }
    List<LimitRow> rows = new ArrayList<>();
    cells.forEach((limit, values) -> rows.add(new LimitRow(limit.toString(), values)));
    return new LimitTable(names, rows);
  }

  private List<String> caveats() {
    if (run.databases().isEmpty()) {
      return List.of();
    }
    List<String> caveats = new ArrayList<>(Caveats.sentences(names(), standings()));
    if (!run.imports().isEmpty()) {
      caveats.add(
          "What was imported is not compared, since the figures do not say how and where it was"
              + " measured: %s."
                  .formatted(
                      run.imports().stream()
                          .map(each -> VisibleText.of(each.tag()))
                          .collect(Collectors.joining(", "))));
    }
    return caveats;
  }

  /** Returns the text of the scenario; empty if there is none. */
  private String scenario() {
    return run.databases().stream()
        .findFirst()
        .map(each -> each.manifest().scenario().text())
        .orElse("");
  }

  /** Returns the scenario; empty if its text cannot be read by this version. */
  private Optional<Scenario> parsed() {
    try {
      return Optional.of(ScenarioReader.read("scenario.yaml", scenario(), 1));
    } catch (QuorateException unreadable) {
      return Optional.empty();
    }
  }

  /** Returns the description of the scenario, unless a search replaced its load. */
  private List<String> description() {
    if (isSearchOfAnotherLoad()) {
      return List.of(
          "The search takes operations, keys, values and clients from the scenario %s. The load of"
                  .formatted(VisibleText.of(run.databases().get(0).manifest().scenario().name()))
              + " the scenario was not run.");
    }
    return parsed().map(Scenario::description).stream()
        .flatMap(text -> Arrays.stream(text.split("\n\\s*\n")))
        .map(paragraph -> VisibleText.of(paragraph.strip().replaceAll("\\s+", " ")))
        .filter(paragraph -> !paragraph.isEmpty())
        .toList();
  }

  private static String lines(String text) {
    return text.lines()
        .map(line -> VisibleText.of(line.replace("\t", "    ")))
        .collect(Collectors.joining("\n"));
  }

  /** Returns the databases by ids, and by tags where an id is not enough to tell two apart. */
  private Map<String, DatabaseRun> names() {
    Map<String, DatabaseRun> names = new LinkedHashMap<>();
    for (DatabaseRun each : run.databases()) {
      names.put(name(each), each);
    }
    return names;
  }

  private String name(DatabaseRun of) {
    StoreFacts store = of.manifest().store();
    boolean unique =
        run.databases().stream()
                .filter(each -> each.manifest().store().id().equals(store.id()))
                .count()
            == 1;
    boolean tagged =
        run.databases().stream()
                .filter(each -> each.manifest().store().tag().equals(store.tag()))
                .count()
            == 1;
    return VisibleText.of(unique ? store.id() : tagged ? store.tag() : of.directory().id());
  }

  private List<Standing> standings() {
    List<Standing> standings = new ArrayList<>();
    for (DatabaseRun each : run.databases()) {
      DatabaseResult result = results.get(each.directory());
      if (result != null) {
        standings.add(Standing.of(each, name(each), result));
      }
    }
    return standings;
  }

  private Table resultTable() {
    List<DatabaseResult> measured = List.copyOf(results.values());
    List<String> columns =
        table.results().stream().map(result -> VisibleText.of(result.tag())).toList();
    List<Row> rows = new ArrayList<>();
    table
        .textRows()
        .forEach(
            (row, texts) -> {
              Optional<DatabaseResult> winner = RankedRow.winner(row, measured);
              List<Cell> cells = new ArrayList<>();
              for (int i = 0; i < columns.size(); i++) {
                DatabaseResult result = table.results().get(i);
                boolean best = winner.filter(it -> it == result).isPresent();
                cells.add(new Cell(texts.get(i), best));
              }
              rows.add(new Row(row.label(table.labels()), cells));
            });
    Map<String, Set<String>> reasons = new LinkedHashMap<>();
    table
        .textRows()
        .forEach(
            (row, texts) ->
                RankedRow.reservations(row, measured)
                    .forEach(
                        text ->
                            reasons
                                .computeIfAbsent(text, any -> new LinkedHashSet<>())
                                .add(row.label(table.labels()))));
    return new Table(columns, rows, Table.notes(reasons));
  }
}
