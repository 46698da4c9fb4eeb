// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.VisibleText;
import io.quorate.cli.Colors;
import io.quorate.cli.Quorate;
import io.quorate.format.OutputFiles;
import io.quorate.format.Problems;
import io.quorate.format.Unreadable;
import io.quorate.report.dbtester.DbtesterExport;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.Probes;
import io.quorate.report.export.FaultsCsv;
import io.quorate.report.export.GlobalStatsJson;
import io.quorate.report.export.JunitXml;
import io.quorate.report.export.PerfdashJson;
import io.quorate.report.export.ResultJson;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Footnotes;
import io.quorate.report.page.ConsoleSummary;
import io.quorate.report.page.FaultTables;
import io.quorate.report.page.Page;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.page.RunCard;
import io.quorate.report.page.RunFiles;
import io.quorate.report.page.RunPage;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.RunPlotFiles;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.Card;
import io.quorate.report.table.ResultTable;
import io.quorate.report.table.RowLabels;
import io.quorate.report.table.TextSummary;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.StoreInfo;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the report of a run from its files alone. */
public final class RunReport {
  private final ExperimentRun run;
  private final RunFigures figures;
  private final ResultTable table;
  private final List<String> notes;
  private final Map<String, Diagnosis> diagnoses = new LinkedHashMap<>();
  private final Problems undiagnosed = new Problems();

  public RunReport(ExperimentRun run, RowLabels labels) {
    this(RunFigures.of(run), labels);
  }

  RunReport(RunFigures figures, RowLabels labels) {
    this.run = figures.run();
    this.figures = figures;
    this.table = new ResultTable(figures.columns(), labels);
    this.notes = Footnotes.of(figures);
    for (DatabaseFigures each : figures.databases()) {
      undiagnosed
          .attempt(
              each.run().directory().manifest(),
              "the diagnosis is left out",
              () -> Diagnosis.of(each, Probes.NONE))
          .flatMap(found -> found)
          .ifPresent(found -> diagnoses.put(each.run().manifest().store().id(), found));
    }
  }

  /**
   * Writes the report: table, summaries and servers' values of the databases, plots, the result for
   * programs, and last the page with links to the other files. It writes all files or none, each
   * atomically.
   *
   * @return the plots that were drawn
   */
  public RunPlots write() {
    OutputFiles files = new OutputFiles(run.directory().path());
    addData(files);
    run.databases().forEach(database -> DbtesterExport.writeSeconds(database.machines()));
    RunPlots plots =
        run.databases().isEmpty() ? RunPlots.NONE : RunPlotFiles.draw(figures, diagnoses, files);
    addCard(run.directory(), plots, files);
    addPage(new RunFiles(run, files), plots, files);
    files.write();
    return plots;
  }

  /** Returns the page and its plots, which are not written, of a run that may go on. */
  OutputFiles page() {
    OutputFiles files = new OutputFiles(run.directory().path());
    RunPlots plots =
        run.databases().isEmpty() ? RunPlots.NONE : RunPlotFiles.draw(figures, diagnoses, files);
    addPage(new RunFiles(run, files), plots, files);
    return files;
  }

  /** Returns the text of {@code result.json}. */
  String json() {
    return ResultJson.text(figures);
  }

  /** Adds the files with values: all but the plots and the page. */
  void addData(OutputFiles files) {
    for (DatabaseFigures each : figures.databases()) {
      each.host().ifPresent(host -> host.write(each.run().directory(), files));
    }
    files.add(run.directory().tableText(), text());
    files.add(run.directory().tableCsv(), table.csv());
    for (DatabaseFigures each : figures.databases()) {
      DatabaseRun database = each.run();
      summary(each).ifPresent(summary -> files.add(database.directory().textSummary(), summary));
      if (database.clients().isPresent()) {
        files.add(database.directory().perfdash(), PerfdashJson.text(each));
        addGlobalStats(each, files);
        Path directory = database.directory().path();
        DbtesterExport.write(each, (name, text) -> files.add(directory.resolve(name), text));
      }
    }
    files.add(run.directory().resultJson(), json());
    if (figures.databases().stream().anyMatch(each -> each.faults().isPresent())) {
      files.add(FaultsCsv.file(figures), FaultsCsv.text(figures));
    }
    if (figures.hasLimits()) {
      files.add(run.directory().junitXml(), JunitXml.ofLimits(figures).text());
    }
  }

  /**
   * Adds the files of the report to a directory in which the run is published: the results for
   * programs, the table, the page, and a few plots.
   */
  void addPublished(RunDirectory published, OutputFiles files) {
    RunPlots plots = RunPlotFiles.drawOnly(figures, diagnoses);
    files.add(published.resultJson(), ResultJson.text(figures));
    for (Plot each : plots.essential()) {
      files.add(published.plots().resolve(each.name() + ".svg"), each.svg());
    }
    files.add(published.tableText(), text());
    addCard(published, plots, files);
    addPage(new RunFiles(published, run, files), plots, files);
  }

  /** Adds the picture to share, if this Java can draw. */
  private void addCard(RunDirectory directory, RunPlots plots, OutputFiles files) {
    if (!plots.drawn().isEmpty()) {
      files.add(directory.path().resolve(Card.FILE), RunCard.of(figures).png());
    }
  }

  private static void addGlobalStats(DatabaseFigures database, OutputFiles files) {
    for (Path gatling : database.run().directory().gatlingReports()) {
      Path file = gatling.resolveSibling("js").resolve("global_stats.json");
      GlobalStatsJson.text(database).ifPresent(text -> files.add(file, text));
    }
  }

  /**
   * Returns the exit code of a readable run: 3 if a limit or a guarantee was broken, 4 if only the
   * load generator's delay broke one, fewer faults took effect than planned or a search has no
   * verdict, otherwise 0.
   */
  int exitCode() {
    FaultTables faults = new FaultTables(figures);
    return any(DatabaseFigures::brokenLimits) || faults.isViolated()
        ? Quorate.LIMIT_BROKEN
        : faults.isUndecided() || any(DatabaseFigures::undecidedLimits) || isSearchUndecided()
            ? Quorate.UNDECIDED
            : 0;
  }

  private boolean any(Function<DatabaseFigures, List<LimitResult>> of) {
    return figures.databases().stream().anyMatch(each -> !of.apply(each).isEmpty());
  }

  private boolean isSearchUndecided() {
    return figures.databases().stream()
        .anyMatch(each -> !each.run().searches().isEmpty() && each.disturbance().isPresent());
  }

  /** Adds the page with links to these files. */
  void addPage(RunFiles links, RunPlots plots, OutputFiles files) {
    Page page = new RunPage(figures, table, diagnoses).page(notes, plots, links);
    files.add(links.directory().page(), PageTemplate.html("index.html.ftl", page));
  }

  /**
   * Returns the chosen settings of the servers, to be shown above the table: a line for each column
   * with settings; empty if they are the same for all.
   */
  private String settings() {
    List<StoreInfo> columns =
        figures.compared().stream().map(each -> each.run().manifest().store()).toList();
    return columns.stream().map(StoreInfo::settings).distinct().count() < 2
        ? ""
        : columns.stream()
            .filter(store -> !store.settings().isEmpty())
            .map(
                store ->
                    VisibleText.of(
                        "%s: servers with %s"
                            .formatted(store.tag(), String.join(", ", store.settingTexts()))))
            .collect(Collectors.joining("\n", "", "\n"));
  }

  /**
   * Returns why the run may not be used, the table, the errors, and the notes that are necessary to
   * read it correctly.
   */
  public String text() {
    String text =
        figures.doNotUse().map(why -> VisibleText.of(why) + "\n\n").orElse("")
            + settings()
            + table.text();
    List<String> below = Stream.concat(table.legends().stream(), notes.stream()).toList();
    return below.isEmpty()
        ? text
        : (text.isEmpty() ? "" : text + "\n") + String.join("\n", below) + "\n";
  }

  /** Returns the end of the console output. */
  public ConsoleSummary consoleSummary(Colors colors) {
    return new ConsoleSummary(figures, diagnoses.values(), colors);
  }

  List<String> unreadable() {
    return Stream.of(
            run.databases().stream().flatMap(database -> database.unreadable().stream()),
            figures.databases().stream()
                .flatMap(each -> each.host().stream())
                .flatMap(host -> host.unreadable().stream()),
            undiagnosed.unreadable().stream())
        .flatMap(each -> each)
        .map(Unreadable::text)
        .toList();
  }

  Map<String, String> summaries() {
    Map<String, String> summaries = new LinkedHashMap<>();
    for (DatabaseFigures each : figures.databases()) {
      String tag = each.run().manifest().store().tag();
      summary(each).ifPresent(text -> summaries.put(tag, text));
    }
    return summaries;
  }

  private static Optional<String> summary(DatabaseFigures database) {
    List<String> notes = Footnotes.of(database);
    String head = notes.isEmpty() ? "" : "\n" + String.join("\n", notes) + "\n";
    return database
        .run()
        .clients()
        .map(results -> head + TextSummary.text(database.requests(), results));
  }
}
