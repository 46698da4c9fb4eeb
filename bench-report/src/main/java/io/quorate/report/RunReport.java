package io.quorate.report;

import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.format.Unreadable;
import io.quorate.report.dbtester.DbtesterExport;
import io.quorate.report.export.GlobalStatsJson;
import io.quorate.report.export.LimitsXml;
import io.quorate.report.export.PerfdashJson;
import io.quorate.report.export.ResultJson;
import io.quorate.report.figures.CheckedLimit;
import io.quorate.report.figures.DatabaseResult;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.report.findings.RunNotes;
import io.quorate.report.page.Page;
import io.quorate.report.page.PageWriter;
import io.quorate.report.page.RunFiles;
import io.quorate.report.page.RunPage;
import io.quorate.report.plot.RunPlotFiles;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.table.ResultTable;
import io.quorate.report.table.RowLabels;
import io.quorate.report.table.TextSummary;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.StoreFacts;
import io.quorate.results.requests.ClientResults;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the report of a run from its files alone. */
public final class RunReport {
  private final ExperimentRun run;
  private final ResultTable table;
  private final Map<DatabaseDirectory, HostAnalysis> hosts = new LinkedHashMap<>();
  private final Map<DatabaseDirectory, DatabaseResult> results = new LinkedHashMap<>();
  private final List<String> notes;

  public RunReport(ExperimentRun run, RowLabels labels) {
    this.run = run;
    for (DatabaseRun database : run.databases()) {
      if (database.manifest().status() == RunStatus.COMPLETE && database.clients().isPresent()) {
        ClientResults clients = database.clients().get();
        HostAnalysis host = HostAnalysis.of(database, clients);
        hosts.put(database.directory(), host);
        results.put(database.directory(), DatabaseResult.of(database, clients, host.figures()));
      }
    }
    List<DatabaseResult> columns = new ArrayList<>(results.values());
    run.imports().forEach(imported -> columns.add(DatabaseResult.of(imported)));
    this.table = new ResultTable(columns, labels);
    this.notes = new RunNotes(run, hosts).all();
  }

  /**
   * Writes the table as text and CSV, for each database a summary and what its servers did, the
   * plots, the result for programs, and last the page, which leads to the other files; all of them
   * or none, and each file atomically.
   *
   * @return what was drawn
   */
  public RunPlots write() {
    OutputFiles files = new OutputFiles(run.directory().path());
    hosts.forEach((directory, host) -> host.write(directory, files));
    files.add(run.directory().tableText(), text());
    files.add(run.directory().tableCsv(), table.csv());
    for (DatabaseRun database : run.databases()) {
      summary(database)
          .ifPresent(summary -> files.add(database.directory().textSummary(), summary));
      if (database.clients().isPresent()) {
        files.add(database.directory().perfdash(), PerfdashJson.text(database));
        addGlobalStats(database, files);
        Path directory = database.directory().path();
        DbtesterExport.write(
            database,
            database.clients().get(),
            (name, text) -> files.add(directory.resolve(name), text));
      }
    }
    RunPlots plots =
        run.databases().isEmpty() ? RunPlots.NONE : new RunPlotFiles(run, hosts).draw(files);
    addPage(plots, files);
    files.write();
    return plots;
  }

  private static void addGlobalStats(DatabaseRun database, OutputFiles files) {
    for (Path gatling : database.directory().gatlingReports()) {
      Path file = gatling.resolveSibling("js").resolve("global_stats.json");
      GlobalStatsJson.text(database).ifPresent(text -> files.add(file, text));
    }
  }

  /** Writes the result for programs, and the page with these plots, whose files exist. */
  public void writePage(RunPlots plots) {
    OutputFiles files = new OutputFiles(run.directory().path());
    addPage(plots, files);
    files.write();
  }

  private void addPage(RunPlots plots, OutputFiles files) {
    files.add(run.directory().resultJson(), ResultJson.text(run, hosts));
    if (run.databases().stream().anyMatch(each -> !CheckedLimit.of(each).isEmpty())) {
      files.add(run.directory().limitsXml(), LimitsXml.text(run));
    }
    Page page = new RunPage(run, results, table).page(notes, plots, new RunFiles(run, files));
    files.add(run.directory().page(), PageWriter.html(page));
  }

  /**
   * Returns what was chosen for the servers, a line for each column that has settings, to stand
   * above the table; empty if it is the same for all.
   */
  private String settings() {
    List<StoreFacts> columns =
        run.databases().stream()
            .filter(each -> results.containsKey(each.directory()))
            .map(each -> each.manifest().store())
            .toList();
    return columns.stream().map(StoreFacts::settings).distinct().count() < 2
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

  /** Returns the table, the errors, and what is needed to read it correctly. */
  public String text() {
    String text = settings() + table.text();
    if (notes.isEmpty()) {
      return text;
    }
    return (text.isEmpty() ? "" : text + "\n") + String.join("\n", notes) + "\n";
  }

  /** Returns the limits of the scenario that were broken, as sentences without a full stop. */
  List<String> brokenLimits() {
    return RunNotes.brokenLimits(run);
  }

  /** Returns which files, or lines of files, cannot be read, as sentences without a full stop. */
  List<String> unreadable() {
    return Stream.concat(
            run.databases().stream().flatMap(database -> database.unreadable().stream()),
            hosts.values().stream().flatMap(host -> host.unreadable().stream()))
        .map(Unreadable::text)
        .toList();
  }

  /** Returns the text summary of a database; empty if nothing was measured. */
  Optional<String> summary(DatabaseRun database) {
    return database
        .clients()
        .map(
            results -> {
              List<String> notes = RunNotes.of(database);
              String head = notes.isEmpty() ? "" : "\n" + String.join("\n", notes) + "\n";
              return head + TextSummary.text(results, database.latencies().all());
            });
  }
}
