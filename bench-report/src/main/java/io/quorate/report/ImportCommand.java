package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.report.imports.ImportedColumns;
import io.quorate.report.table.RowLabels;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.RunDirectory;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The {@code quorate import} command: converts the output of other tools to a run that has a column
 * in a table.
 */
@Command(
    name = "import",
    description = "Turns the output of another tool into a column of the result table.",
    synopsisSubcommandLabel = "etcd-benchmark")
final class ImportCommand {
  private ImportCommand() {}

  static CommandLine commandLine() {
    return new CommandLine(new ImportCommand()).addSubcommand(new EtcdBenchmark(Clock.systemUTC()));
  }

  /** The {@code quorate import etcd-benchmark} command. */
  @Command(
      name = ImportedRun.ORIGIN,
      description = {
        "Reads the output of etcd's tools/benchmark, also as pasted in issues.",
        "Fences, prompts, log lines and progress bars are ignored. Each report becomes a column of"
            + " the table;",
        "figures that it does not have are missing there."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate import etcd-benchmark put.txt range.txt",
        "                                  a table of their own, in results/imported",
        "  ./quorate import etcd-benchmark put.txt --into results/quick/RUN",
        "                                  beside what was measured here"
      })
  static final class EtcdBenchmark implements Callable<Integer> {
    private final Clock clock;

    @Spec private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "files with the tool's output")
    private List<Path> files = List.of();

    @Option(
        names = "--into",
        paramLabel = "RUN_DIR",
        description =
            "the run to whose table the columns are added, measured or imported; created if it does"
                + " not exist (default: a new one in results/imported)")
    private Path into;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "heading of the column (default: the name of the file); for one file only")
    private String name;

    @Option(
        names = "--title",
        paramLabel = "TITLE",
        description = "heading of the table, if it has only imported columns")
    private String title;

    EtcdBenchmark(Clock clock) {
      this.clock = clock;
    }

    @Override
    public Integer call() {
      Map<String, ImportedColumns.Source> columns =
          new ImportedColumns(Optional.ofNullable(name)).of(files);
      RunDirectory run = directory(columns);
      columns.forEach(
          (tag, source) ->
              ImportedRun.write(
                  run, tag, Optional.ofNullable(title), source.file(), source.report()));
      RunReport report = new RunReport(ExperimentRun.read(run.path()), RowLabels.LATER);
      report.write();
      PrintWriter out = spec.commandLine().getOut();
      out.print(report.text());
      out.print("\nrun directory: " + VisibleText.of(run.path().toString()) + "\n");
      out.flush();
      return 0;
    }

    private RunDirectory directory(Map<String, ImportedColumns.Source> columns) {
      if (into == null) {
        return RunDirectory.create(
            RunDirectory.allResults(System.getProperties()), "imported", 1, clock.instant());
      }
      if (Files.exists(into, LinkOption.NOFOLLOW_LINKS)) {
        ExperimentRun.read(into);
      }
      for (String tag : columns.keySet()) {
        if (Files.exists(into.resolve(tag), LinkOption.NOFOLLOW_LINKS)) {
          throw new QuorateException(
              VisibleText.of(into.resolve(tag).toString())
                  + ": is there already: choose another --name, or remove it");
        }
      }
      return new RunDirectory(into);
    }
  }
}
