// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.Named;
import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.AtomicFile;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.OutputFiles;
import io.quorate.report.history.HistoryPlots.By;
import io.quorate.report.history.RunSeries.LevelChange;
import io.quorate.report.page.PageTemplate;
import io.quorate.results.OpenRuns;
import io.quorate.scenario.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate history} command: keeps values of runs, and finds when they changed. */
@Command(name = "history", resourceBundle = "io.quorate.report.commands")
public final class HistoryCommand extends QuorateCommand implements Callable<Integer> {
  private static final List<String> COMMITS = List.of("GITHUB_SHA", "GIT_COMMIT", "CI_COMMIT_SHA");
  private static final List<String> BUILDS =
      List.of("GITHUB_RUN_NUMBER", "BUILD_NUMBER", "CI_PIPELINE_IID");
  private static final Set<Metric> USUAL =
      EnumSet.of(
          Metric.THROUGHPUT,
          Metric.P50,
          Metric.P99,
          Metric.ERRORS,
          Metric.SERVER_CPU,
          Metric.SERVER_MEMORY,
          Metric.DISK_WRITTEN,
          Metric.CANARY_LOAD,
          Metric.CANARY_SYNC,
          Metric.CANARY_LOOP);
  private static final String PAGE = "history.html";
  private static final int MAX_LINES = 40;

  private final Map<String, String> environment;

  @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "dir")
  private Path directory;

  @Option(names = "--add", paramLabel = "RUN")
  private List<String> added = List.of();

  @Option(names = "--commit", paramLabel = "ID")
  private Optional<String> commit = Optional.empty();

  @Option(names = "--build", paramLabel = "NUMBER")
  private Optional<String> build = Optional.empty();

  @Option(names = "--metric", paramLabel = "METRIC")
  private List<String> metrics = List.of();

  @Option(names = "--database", paramLabel = "ID")
  private List<String> databases = List.of();

  @Option(names = "--by", paramLabel = "AXIS")
  private Optional<String> by = Optional.empty();

  @Option(names = "--format", paramLabel = "FORMAT")
  private Optional<String> format = Optional.empty();

  @Option(names = "--output", paramLabel = "PATH")
  private Optional<Path> output = Optional.empty();

  public HistoryCommand() {
    this(System.getenv());
  }

  HistoryCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    Set<Metric> chosen = metrics();
    Optional<HistoryFormat> export =
        format.map(id -> chosen("--format", id, HistoryFormat.values()));
    Optional<By> axis = by.map(id -> chosen("--by", id, By.values()));
    commit.ifPresent(id -> checkId("--commit", id));
    build.ifPresent(id -> checkId("--build", id));
    if (output.isPresent() && export.isEmpty()) {
      throw wrongUsage("--output: needs --format. The page is DIR/" + PAGE);
    }
    HistoryStore store = new HistoryStore(directory);
    List<String> notes = OpenRuns.with(runs -> add(store, runs));
    HistoryStore.Contents contents = store.read();
    RunHistory history = RunHistory.of(contents.entries(), chosen, Set.copyOf(databases));
    List<String> cautions = new ArrayList<>(contents.incomplete().stream().toList());
    if (export.isPresent() || history.series().isEmpty()) {
      Stream.concat(notes.stream(), cautions.stream()).forEach(err()::println);
    }
    if (history.series().isEmpty()) {
      throw nothing(store, contents);
    }
    if (export.isPresent()) {
      export(export.get(), history);
      return 0;
    }
    cautions.addAll(tooFew(history));
    Stream.concat(notes.stream(), cautions.stream()).forEach(out()::println);
    By across = axis.orElseGet(() -> By.of(history.entries()));
    OutputFiles files = new OutputFiles(directory);
    files.add(directory.resolve(PAGE).toAbsolutePath(), page(history, across, cautions));
    files.write();
    print(history);
    return 0;
  }

  private Set<Metric> metrics() {
    if (metrics.isEmpty()) {
      return format.isPresent() ? EnumSet.allOf(Metric.class) : USUAL;
    }
    return metrics.stream()
        .map(id -> chosen("--metric", id, Metric.values()))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Metric.class)));
  }

  private <T extends Named> T chosen(String option, String id, T[] all) {
    return Arrays.stream(all)
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                wrongUsage(
                    "%s: found %s, expected %s"
                        .formatted(
                            option,
                            VisibleText.quoted(id),
                            Arrays.stream(all).map(Named::id).collect(Collectors.joining(", ")))));
  }

  /** Adds the named runs or the runs in the directory; returns sentences about them. */
  private List<String> add(HistoryStore store, OpenRuns runs) {
    if (added.isEmpty()) {
      return Files.isDirectory(directory)
          ? new HistoryUpdate(store, runs, commit, build).addFound()
          : new ArrayList<>();
    }
    return new HistoryUpdate(
            store, runs, commit.or(() -> variable(COMMITS)), build.or(() -> variable(BUILDS)))
        .add(added);
  }

  /** Returns the first variable that is not blank. */
  private Optional<String> variable(List<String> names) {
    for (String name : names) {
      String id = environment.getOrDefault(name, "");
      if (!id.isBlank()) {
        checkId(name, id);
        return Optional.of(id);
      }
    }
    return Optional.empty();
  }

  private void checkId(String source, String id) {
    if (id.isBlank() || id.length() > HistoryEntry.MAX_TEXT) {
      throw wrongUsage(
          "%s: found %s, expected an id of 1 to %d that are not all blank"
              .formatted(
                  source, NumberFormats.count(id.length(), "character"), HistoryEntry.MAX_TEXT));
    }
  }

  private QuorateException nothing(HistoryStore store, HistoryStore.Contents contents) {
    String name = VisibleText.of(directory.toString());
    if (contents.entries().isEmpty()) {
      return new QuorateException(
          "%s: found no history. Add a run that may be compared: ./quorate history %s --add results/<scenario>/<run>"
              .formatted(
                  VisibleText.of((store.exists() ? store.file() : directory).toString()),
                  VisibleText.of(ShellText.quoted(directory.toString()))));
    }
    return new QuorateException(
        "%s: no run has these metrics and databases. Its databases are %s"
            .formatted(
                name,
                contents.entries().stream()
                    .map(HistoryEntry::database)
                    .distinct()
                    .map(VisibleText::quoted)
                    .collect(Collectors.joining(", "))));
  }

  private static List<String> tooFew(RunHistory history) {
    int runs = history.longest();
    return runs >= RunHistory.ENOUGH_RUNS
        ? List.of()
        : List.of(
            "The longest series has %s. Changes are reliable from %d runs on."
                .formatted(NumberFormats.count(runs, "run"), RunHistory.ENOUGH_RUNS));
  }

  private String page(RunHistory history, By across, List<String> notes) {
    return PageTemplate.html(
        "history.html.ftl",
        HistoryPage.of(history, HistoryPlots.draw(history, across), notes, command()));
  }

  private String command() {
    List<String> words = new ArrayList<>(List.of("./quorate", "history", directory.toString()));
    metrics.forEach(each -> words.addAll(List.of("--metric", each)));
    databases.forEach(each -> words.addAll(List.of("--database", each)));
    by.ifPresent(each -> words.addAll(List.of("--by", each)));
    return VisibleText.of(ShellText.of(words));
  }

  private void print(RunHistory history) {
    List<LevelChange> changes = history.changes();
    changes.stream()
        .limit(MAX_LINES)
        .flatMap(each -> ConsoleText.wrapped(line(each)).stream())
        .forEach(out()::println);
    if (changes.size() > MAX_LINES) {
      out().println("... and " + (changes.size() - MAX_LINES) + " older changes on the page");
    }
    out()
        .println(
            "%s in %s series of %s"
                .formatted(
                    changes.isEmpty() ? "No change" : NumberFormats.count(changes.size(), "change"),
                    NumberFormats.commas(history.series().size()),
                    NumberFormats.count(history.runs(), "run")));
    out().println("page: " + VisibleText.of(directory.resolve(PAGE).toString()));
  }

  /** Returns a change in words, such as {@code slower: p99 of etcd, 10 clients, put: ...}. */
  static String line(LevelChange change) {
    RunSeries series = change.series();
    String commits = change.commits().map(range -> ", commits " + range).orElse("");
    return VisibleText.of(
        "%s: %s of %s, %s (%s): %s -> %s (%s) since %s%s%s%s"
            .formatted(
                change.word(),
                series.metric().title(),
                series.name(),
                series.row().group(),
                series.scenario(),
                change.before(),
                change.after(),
                change.size(),
                HistoryPlots.time(change.to().start()),
                commits,
                change.to().build().map(id -> ", build " + id).orElse(""),
                change.note().isEmpty() ? "" : ", " + change.note()));
  }

  private void export(HistoryFormat kind, RunHistory history) {
    Map<String, String> files = kind.files(history);
    if (output.isPresent()) {
      Path path = output.get().toAbsolutePath();
      if (files.size() == 1) {
        files.values().forEach(text -> AtomicFile.write(path, text));
      } else {
        OutputFiles written = new OutputFiles(path);
        files.forEach((name, text) -> written.add(path.resolve(name), text));
        written.write();
      }
      return;
    }
    List<String> texts =
        files.keySet().stream().filter(name -> name.matches(".*\\.(json|txt)")).toList();
    if (texts.size() > 1) {
      throw wrongUsage(
          "--format %s writes %d files: pass --output DIR".formatted(kind.id(), files.size()));
    }
    out().print(files.get(texts.get(0)));
    out().flush();
  }
}
