package io.quorate.report;

import io.quorate.run.DatabaseRun;
import io.quorate.run.ExperimentRun;
import io.quorate.run.GoText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quorate report}: writes and prints what the files of a run say. */
@Command(
    name = "report",
    description = "Write and print the result table and the summaries of a run, from its files.")
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN_DIR", description = "the run: results/<scenario>/<run>")
  private Path directory;

  @Option(
      names = "--reference",
      paramLabel = "earlier|later",
      defaultValue = "later",
      description = "name the rows as dbtester did in its 2017Q1 tables, or later (the default)")
  private String reference;

  /** Called by picocli. */
  @Override
  public Integer call() {
    RowLabels labels = RowLabels.parse(reference);
    ExperimentRun run = ExperimentRun.read(directory);
    RunReport report = new RunReport(run, labels);
    report.write();
    print(report, run, spec.commandLine().getOut());
    return 0;
  }

  private static void print(RunReport report, ExperimentRun run, PrintWriter out) {
    for (DatabaseRun database : run.databases()) {
      report
          .summary(database)
          .ifPresent(
              summary -> {
                out.print("\n" + GoText.visible(database.manifest().store().tag()) + "\n");
                out.print(summary);
              });
    }
    out.print("\n" + GoText.visible(run.databases().get(0).manifest().experiment().title()) + "\n");
    out.print(report.text());
    out.print("\nrun directory: " + shown(run.directory().path()) + "\n");
    out.print("table:         " + shown(run.directory().tableText()) + "\n");
    for (DatabaseRun database : run.databases()) {
      for (Path page : database.directory().gatlingReports()) {
        out.print("Gatling:       " + shown(page) + "\n");
      }
    }
    out.flush();
  }

  private static String shown(Path path) {
    return GoText.visible(path.toString());
  }
}
