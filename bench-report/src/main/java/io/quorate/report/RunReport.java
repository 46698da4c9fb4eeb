package io.quorate.report;

import io.quorate.report.page.Page;
import io.quorate.report.page.PageWriter;
import io.quorate.report.plot.RunPlots;
import io.quorate.run.ClientResults;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.DatabaseRun;
import io.quorate.run.ExperimentRun;
import io.quorate.run.GoText;
import io.quorate.run.ImportedRun;
import io.quorate.run.NumberFormats;
import io.quorate.run.OutputFiles;
import io.quorate.run.RunStatus;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates the report of a run from its files alone. */
final class RunReport {
  /** results/scenario/run/database */
  private static final int SHOWN_NAMES = 4;

  private final ExperimentRun run;
  private final ResultTable table;
  private final Map<DatabaseDirectory, HostAnalysis> hosts = new LinkedHashMap<>();
  private final Map<DatabaseDirectory, DatabaseResult> results = new LinkedHashMap<>();

  RunReport(ExperimentRun run, RowLabels labels) {
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
  }

  /**
   * Writes the table as text and CSV, for each database a summary and what its servers did, the
   * plots, the result for programs, and last the pages, which lead to the other files; all of them
   * or none, and each file atomically.
   *
   * @return what was drawn
   */
  RunPlots write() {
    OutputFiles files = new OutputFiles(run.directory().path());
    hosts.forEach((directory, host) -> host.write(directory, files));
    files.add(run.directory().tableText(), text());
    files.add(run.directory().tableCsv(), table.csv());
    for (DatabaseRun database : run.databases()) {
      summary(database)
          .ifPresent(summary -> files.add(database.directory().textSummary(), summary));
    }
    RunPlots plots =
        run.databases().isEmpty() ? RunPlots.NONE : new RunPlotFiles(run, hosts).draw(files);
    addPages(plots, files);
    files.write();
    return plots;
  }

  /** Writes the result for programs, and the pages with these plots, whose files exist. */
  void writePages(RunPlots plots) {
    OutputFiles files = new OutputFiles(run.directory().path());
    addPages(plots, files);
    files.write();
  }

  private void addPages(RunPlots plots, OutputFiles files) {
    files.add(run.directory().resultJson(), new ResultJson(run, hosts).text());
    Page page =
        new RunPage(run, results, table).page(text(), notes(), plots, new RunFiles(run, files));
    files.add(run.directory().readme(), PageWriter.markdown(page));
    files.add(run.directory().page(), PageWriter.html(page));
  }

  /** Returns the table, the errors, and the notes that are needed to read it correctly. */
  String text() {
    List<String> notes = notes();
    String text = table.text();
    if (notes.isEmpty()) {
      return text;
    }
    return (text.isEmpty() ? "" : text + "\n") + String.join("\n", notes) + "\n";
  }

  /** Returns the text summary of a database; empty if nothing was measured. */
  Optional<String> summary(DatabaseRun database) {
    return database
        .clients()
        .map(
            results -> {
              List<String> notes = new ArrayList<>();
              scaled(database).ifPresent(notes::add);
              if (database.manifest().status() != RunStatus.COMPLETE) {
                notes.add(ending(database));
              }
              range(database).ifPresent(notes::add);
              String head = notes.isEmpty() ? "" : "\n" + String.join("\n", notes) + "\n";
              return head + TextSummary.text(results, database.latencies().all());
            });
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    run.databases().stream().limit(1).flatMap(each -> scaled(each).stream()).forEach(notes::add);
    for (DatabaseRun database : run.databases()) {
      if (database.manifest().status() != RunStatus.COMPLETE) {
        notes.add(ending(database) + ", not in the table: " + shown(database));
      }
      incomplete(database).ifPresent(notes::add);
      if (results.containsKey(database.directory())) {
        range(database).ifPresent(notes::add);
      }
      sharedMachine(database).ifPresent(notes::add);
      if (hosts.values().stream().anyMatch(HostAnalysis::isMeasured)) {
        Optional.ofNullable(hosts.get(database.directory()))
            .ifPresent(
                host -> host.missing().forEach(what -> notes.add(id(database) + ": " + what)));
      }
      notes.addAll(LoadGeneratorNotes.of(database));
      notes.addAll(OpenLoopNotes.of(database));
      if (database.latencies().truncated()) {
        notes.add(id(database) + ": the incomplete last line of latency.hlog was left out");
      }
    }
    for (Path without : run.directory().withoutManifest()) {
      notes.add(
          GoText.visible(without.getFileName().toString())
              + ": not in the table, since its manifest.json is not there");
    }
    run.imports().forEach(imported -> notes.add(origin(imported)));
    return notes;
  }

  private static Optional<String> range(DatabaseRun database) {
    return database
        .clients()
        .flatMap(results -> new ThroughputRange(StepFigures.of(database), results).note())
        .map(note -> id(database) + ": " + note);
  }

  private static String origin(ImportedRun imported) {
    String successes =
        imported.report().successes().isPresent()
            ? ", %s requests succeeded"
                .formatted(NumberFormats.commas(imported.report().successes().getAsLong()))
            : "";
    return GoText.visible(
        "%s: imported from %s (%s)%s; only what that text says is here, as exactly as it says it"
            .formatted(imported.tag(), ImportedRun.ORIGIN, imported.source(), successes));
  }

  /**
   * Returns a note about members that share a machine: network and disk are the whole machine's, so
   * they are counted several times.
   */
  private Optional<String> sharedMachine(DatabaseRun database) {
    List<String> members = database.manifest().store().members();
    long machines = database.manifest().store().machines().stream().distinct().count();
    HostAnalysis host = hosts.get(database.directory());
    return host == null || !host.knowsServers() || machines == members.size()
        ? Optional.empty()
        : Optional.of(
            "%s: %d members share %d machine%s, and each counts all of its network and disk"
                .formatted(id(database), members.size(), machines, machines == 1 ? "" : "s"));
  }

  private static Optional<String> scaled(DatabaseRun database) {
    double scale = database.manifest().experiment().scale();
    BigDecimal percent =
        new BigDecimal(Double.toString(scale)).movePointRight(2).stripTrailingZeros();
    return scale == 1
        ? Optional.empty()
        : Optional.of("scaled to " + percent.toPlainString() + " % of the scenario's requests");
  }

  private static String ending(DatabaseRun database) {
    String after =
        database
            .clients()
            .map(results -> " after " + NumberFormats.fixed(results.totalSeconds(), 1) + " s")
            .orElse(" before the first request was measured");
    String reason =
        database.manifest().reason().map(why -> " (" + GoText.visible(why) + ")").orElse("");
    return id(database) + ": " + database.manifest().status().label() + after + reason;
  }

  /**
   * Returns a note about a run that claims to be complete, but of which requests are missing. Where
   * a step ends by time, fewer requests than it might make are no fault.
   */
  private static Optional<String> incomplete(DatabaseRun database) {
    long expected = database.requests();
    return database
        .clients()
        .filter(results -> database.manifest().status() == RunStatus.COMPLETE)
        .map(ClientResults::requestCount)
        .filter(measured -> measured != expected)
        .map(
            measured ->
                "%s: %s of %s requests were measured"
                    .formatted(
                        id(database),
                        NumberFormats.commas(measured),
                        NumberFormats.commas(expected)));
  }

  private static String id(DatabaseRun database) {
    return GoText.visible(database.manifest().store().id());
  }

  /** Returns the end of the path, the same wherever the report is made. */
  private static String shown(DatabaseRun database) {
    Path path = database.directory().path();
    int names = path.getNameCount();
    List<String> shown = new ArrayList<>();
    path.subpath(Math.max(0, names - SHOWN_NAMES), names)
        .forEach(name -> shown.add(name.toString()));
    return GoText.visible(String.join("/", shown));
  }
}
