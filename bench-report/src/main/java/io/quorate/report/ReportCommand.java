// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.format.OutputFiles;
import io.quorate.report.dbtester.DbtesterConfig;
import io.quorate.report.dbtester.DbtesterReport;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.page.ConsoleSummary;
import io.quorate.report.study.MatrixReport;
import io.quorate.report.study.MatrixResults;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate report} command: writes and prints the report of a run. */
@Command(name = "report", resourceBundle = "io.quorate.report.commands")
public final class ReportCommand extends QuorateCommand implements Callable<Integer> {
  static final String TABLE = "--table";
  static final String SUMMARY = "--summary";
  static final String JSON = "--json";

  /** Exit code of unreadable files, and of a matrix with values that cannot be. */
  private static final int WRONG = 1;

  @ArgGroup(multiplicity = "1")
  private Subject subject;

  @Option(names = TABLE)
  private boolean table;

  @Option(names = SUMMARY)
  private boolean summary;

  @Option(names = "--labels", paramLabel = "earlier|later", defaultValue = "later")
  private RowLabels labels;

  @Option(names = "--jepsen")
  private boolean jepsen;

  @Option(names = JSON)
  private boolean json;

  @Option(names = "--to-stderr", hidden = true)
  private boolean toStderr;

  @Option(names = "--watch", paramLabel = "HOST:PORT")
  private Optional<String> watch = Optional.empty();

  /** Cell of the matrix that goes on, which is predicted before it is measured. */
  @Option(names = "--predict", hidden = true)
  private Optional<String> predict = Optional.empty();

  /** Where the load generator of the run that goes on serves its metrics. */
  @Option(names = "--metrics", hidden = true)
  private Optional<String> metrics = Optional.empty();

  private static final class Subject {
    @Parameters(paramLabel = "RUN_DIR", descriptionKey = "run-dir")
    private Path directory;

    @ArgGroup(exclusive = false)
    private @Nullable Reference reference;
  }

  private static final class Reference {
    @Option(names = "--reference", paramLabel = "CONFIG.yaml", required = true)
    private Path config;

    @Option(names = "--as-published")
    private boolean asPublished;

    @Option(names = "--base", paramLabel = "DIR")
    private @Nullable Path base;

    @Option(names = "--output", paramLabel = "DIR")
    private @Nullable Path output;

    @Option(names = "--force")
    private boolean force;
  }

  @Override
  public Integer call() {
    if (subject.reference != null) {
      report(subject.reference);
      return 0;
    }
    Path directory = subject.directory;
    if (watch.isPresent()) {
      try (LivePage page = new LivePage(RunDirectory.open(directory), watch.get(), metrics)) {
        String also =
            metrics.map(any -> ", metrics at http://" + watch.get() + "/metrics").orElse("");
        err().println("page    http://" + watch.get() + "/" + also);
        page.awaitEnd();
      }
      return 0;
    }
    return OpenRuns.with(
        runs ->
            !OpenRuns.isPublished(directory)
                    && !MatrixDirectory.isAt(directory)
                    && PublishedRuns.isAt(directory)
                ? report(new PublishedRuns(directory), runs)
                : report(directory, runs));
  }

  private int report(Path directory, OpenRuns runs) {
    Path files = runs.files(directory);
    boolean published = OpenRuns.isPublished(directory);
    if (jepsen && published) {
      throw new QuorateException(
          "--jepsen: found a published run, whose directory must not change. Unpack its %s, and pass the directory in it"
              .formatted(shown(directory.resolve(RunArchive.NAME))));
    }
    PublishedRun run =
        published
            ? PublishedRuns.run(directory.toAbsolutePath().normalize(), runs)
            : new PublishedRun(directory, files, List.of());
    if (published) {
      QuorateException.throwIfAny(unreadable(run, runs));
      PublishedSums sums = new PublishedRuns(run.path().resolve("..")).sums();
      QuorateException.throwIfAny(sums.changed());
      OutputFiles written = run.written();
      if (sums.exist()) {
        sums.write(List.of(written));
      }
    }
    return MatrixDirectory.isAt(files)
        ? reportMatrix(new MatrixDirectory(files), published)
        : reportRun(run.figures(ExperimentRun.read(files)), published);
  }

  private int reportRun(RunFigures figures, boolean published) {
    ExperimentRun run = figures.run();
    RunReport report = new RunReport(figures, labels);
    if (!published) {
      warn(report.write().unable().stream().toList());
    }
    print(report, run, new RunDirectory(subject.directory));
    print(report::json);
    if (jepsen) {
      writeHistories(run);
    }
    return report.unreadable().isEmpty() ? report.exitCode() : WRONG;
  }

  private int report(PublishedRuns published, OpenRuns runs) {
    List<PublishedRun> all = published.all(runs);
    QuorateException.throwIfAny(
        all.stream().flatMap(each -> unreadable(each, runs).stream()).toList());
    QuorateException.throwIfAny(published.sums().changed());
    published.writeIndex(runs, all.stream().map(PublishedRun::written).toList());
    console().println("index: " + shown(published.index()));
    return 0;
  }

  /** Returns why the report of a published run cannot be written again; its old one stays. */
  private static List<String> unreadable(PublishedRun published, OpenRuns runs) {
    return published.problems().stream()
        .map(runs::named)
        .map(problem -> shown(published.path()) + ": " + problem + ". The report stays as it is")
        .toList();
  }

  private void writeHistories(ExperimentRun run) {
    List<DatabaseRun> recorded =
        run.databases().stream().filter(each -> each.journals().history().isPresent()).toList();
    if (recorded.isEmpty()) {
      QuorateException.throwIfAny(
          run.databases().stream()
              .flatMap(each -> each.unreadable().stream())
              .filter(each -> each.file().endsWith(FaultRecord.HISTORY))
              .map(each -> "--jepsen: " + each.text())
              .toList());
      throw new QuorateException("--jepsen: found a run without faults, which has no history");
    }
    for (DatabaseRun each : recorded) {
      Path target = subject.directory.resolve(each.directory().id()).resolve("jepsen");
      FaultFigures.writeHistory(each.journals().history().orElseThrow(), target);
      console().println("history " + shown(target));
    }
  }

  private int reportMatrix(MatrixDirectory files, boolean published) {
    MatrixDirectory directory = new MatrixDirectory(subject.directory);
    MatrixResults results = MatrixResults.read(files);
    MatrixReport report = new MatrixReport(results);
    if (predict.isPresent()) {
      report.predict(directory, predict.get()).forEach(console()::println);
      return 0;
    }
    if (!published) {
      report.write(directory);
    }
    int code = print(results, report, directory);
    report
        .comparison(directory)
        .ifPresent(command -> console().println("compare " + VisibleText.of(command)));
    print(results::json);
    return code;
  }

  /** Returns where people read: standard error if programs read standard output. */
  private PrintWriter console() {
    return json || toStderr ? err() : out();
  }

  private void print(Supplier<String> document) {
    if (json) {
      out().print(document.get());
      out().flush();
    }
  }

  private int print(MatrixResults results, MatrixReport report, MatrixDirectory directory) {
    console().print("\n" + report.text());
    console().println("\npage    " + ConsoleSummary.shown(directory.page()));
    results.brokenLimits().forEach(broken -> err().println(VisibleText.of(broken)));
    results.undecided().forEach(each -> err().println(VisibleText.of(each)));
    report.impossible().forEach(each -> err().println(VisibleText.of(each)));
    results.unreadable().forEach(each -> err().println("unreadable: " + each));
    return !report.impossible().isEmpty() || !results.unreadable().isEmpty()
        ? WRONG
        : !results.brokenLimits().isEmpty()
            ? Quorate.LIMIT_BROKEN
            : results.undecided().isEmpty() ? 0 : Quorate.UNDECIDED;
  }

  private void report(Reference reference) {
    DbtesterConfig config = DbtesterConfig.read(reference.config);
    Path home = Objects.requireNonNull(reference.config.toAbsolutePath().normalize().getParent());
    Path above = home.getParent() == null ? home : home.getParent();
    Path base =
        reference.base != null
            ? reference.base
            : DbtesterReport.base(config, List.of(Path.of("").toAbsolutePath(), home, above));
    DbtesterReport report = DbtesterReport.of(config, base, reference.asPublished, labels);
    String name = reference.config.getFileName().toString().replaceAll("\\.ya?ml$", "");
    Path output = reference.output != null ? reference.output : home.resolve(name + "-report");
    warn(report.absentPlots());
    report.write(output, reference.force);
    out().print(VisibleText.of(config.title()) + "\n" + report.table());
    out().println("\nwritten to: " + shown(output));
  }

  private void warn(List<String> warnings) {
    warnings.forEach(warning -> err().println("warning: " + VisibleText.of(warning)));
  }

  /** Prints what was asked for, and last the answer: values, broken limits, and the page. */
  private void print(RunReport report, ExperimentRun run, RunDirectory directory) {
    if (summary) {
      report
          .summaries()
          .forEach((tag, text) -> console().print("\n" + VisibleText.of(tag) + "\n" + text));
    }
    if (table) {
      console()
          .print("\n" + ConsoleText.withTables(VisibleText.of(run.title()) + "\n" + report.text()));
    }
    console().println();
    ConsoleSummary summed = report.consoleSummary(colors());
    summed
        .lines()
        .forEach(line -> ConsoleText.wrapped(line).forEach(each -> console().println(each)));
    report.unreadable().forEach(each -> err().println("unreadable: " + each));
    console().println();
    summed.next(directory).forEach(line -> console().println(line));
  }

  private static String shown(Path path) {
    return VisibleText.of(path.toString());
  }
}
