package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.MissingCommandException;
import io.quorate.run.EtcdBenchmarkReport;
import io.quorate.run.ExperimentRun;
import io.quorate.run.GoText;
import io.quorate.run.ImportedRun;
import io.quorate.run.RunDirectory;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    description = "Makes a column of the result table from what another tool printed.",
    synopsisSubcommandLabel = "etcd-benchmark")
final class ImportCommand implements Runnable {
  @Spec private CommandSpec spec;

  private ImportCommand() {}

  static CommandLine commandLine() {
    return new CommandLine(new ImportCommand()).addSubcommand(new EtcdBenchmark(Clock.systemUTC()));
  }

  @Override
  public void run() {
    throw new MissingCommandException(spec.commandLine());
  }

  /** The {@code quorate import etcd-benchmark} command. */
  @Command(
      name = ImportedRun.ORIGIN,
      description = {
        "Reads what etcd's tools/benchmark printed, as it is pasted in issues.",
        "Fences, prompts, log lines and progress bars do not matter. Each report in it becomes",
        "a column of the table; what it does not say is missing there."
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

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "what the tool printed")
    private List<Path> files = List.of();

    @Option(
        names = "--into",
        paramLabel = "RUN_DIR",
        description =
            "the run, ours or imported, in whose table it shall stand; made if it is not there"
                + " (default: a new one in results/imported)")
    private Path into;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "heads the column (default: the name of the file); for one file only")
    private String name;

    @Option(
        names = "--title",
        paramLabel = "TITLE",
        description = "what stands above the table, if nothing in it was measured here")
    private String title;

    EtcdBenchmark(Clock clock) {
      this.clock = clock;
    }

    @Override
    public Integer call() {
      Map<String, Source> columns = columns();
      RunDirectory run = directory(columns);
      columns.forEach(
          (tag, source) ->
              ImportedRun.write(run, tag, Optional.ofNullable(title), source.file, source.report));
      RunReport report = new RunReport(ExperimentRun.read(run.path()), RowLabels.LATER);
      report.write();
      PrintWriter out = spec.commandLine().getOut();
      out.print(report.text());
      out.print("\nrun directory: " + GoText.visible(run.path().toString()) + "\n");
      out.flush();
      return 0;
    }

    /** The source of a column. */
    private record Source(Path file, int report) {}

    /** Returns all columns by their names; nothing is written before all files were read. */
    private Map<String, Source> columns() {
      if (name != null && files.size() > 1) {
        throw new QuorateException("--name: found " + files.size() + " files, expected one");
      }
      List<String> problems = new ArrayList<>();
      Map<String, Source> columns = new LinkedHashMap<>();
      for (Path file : files) {
        try {
          List<EtcdBenchmarkReport> reports = ImportedRun.reports(file);
          for (int i = 0; i < reports.size(); i++) {
            String tag = tag(file) + suffix(reports, i);
            if (columns.putIfAbsent(tag, new Source(file, i + 1)) != null) {
              problems.add(
                  GoText.visible(file.toString())
                      + (": found a second column '" + tag + "', expected another name:")
                      + " import it by itself, with --name");
            }
          }
        } catch (QuorateException unreadable) {
          problems.add(unreadable.getMessage());
        }
      }
      if (!problems.isEmpty()) {
        throw new QuorateException(String.join("\n", problems));
      }
      return columns;
    }

    private String tag(Path file) {
      String text = name != null ? name : file.getFileName().toString().replaceAll("\\.\\w+$", "");
      String tag = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[.-]+", "");
      if (tag.isEmpty() || name != null && !tag.equals(name) || tag.length() > 100) {
        throw new QuorateException(
            GoText.quoted(text)
                + ": expected a --name of at most 100 letters, digits, '.', '_' and '-'");
      }
      return tag;
    }

    /** Returns a suffix that distinguishes the reports of a text: their part, or their number. */
    private static String suffix(List<EtcdBenchmarkReport> reports, int index) {
      long named = reports.stream().flatMap(each -> each.part().stream()).distinct().count();
      return named == reports.size()
          ? "-" + reports.get(index).part().orElseThrow()
          : reports.size() == 1 ? "" : "-" + (index + 1);
    }

    private RunDirectory directory(Map<String, Source> columns) {
      if (into == null) {
        return RunDirectory.create(
            Path.of(System.getProperty("quorate.home", ""), "results"),
            "imported",
            1,
            clock.instant());
      }
      if (Files.exists(into, LinkOption.NOFOLLOW_LINKS)) {
        ExperimentRun.read(into);
      }
      for (String tag : columns.keySet()) {
        if (Files.exists(into.resolve(tag), LinkOption.NOFOLLOW_LINKS)) {
          throw new QuorateException(
              GoText.visible(into.resolve(tag).toString())
                  + ": is there already: choose another --name, or remove it");
        }
      }
      return new RunDirectory(into);
    }
  }
}
