// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.format.GoText;
import io.quorate.format.OutputFiles;
import io.quorate.format.Problems;
import io.quorate.report.page.ConsoleSummary;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.study.RwHeatmaps;
import io.quorate.report.table.RowLabels;
import io.quorate.results.EtcdBenchmarkReport;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.RunDirectory;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The {@code quorate import} command: converts the output of other tools to a run that is a column
 * of a table, or to a page.
 */
@Command(
    name = "import",
    synopsisSubcommandLabel = "(etcd-benchmark | rw-heatmaps)",
    subcommands = {ImportCommand.EtcdBenchmark.class, ImportCommand.Heatmaps.class},
    resourceBundle = "io.quorate.report.commands")
public final class ImportCommand extends QuorateCommand {
  /** The {@code quorate import rw-heatmaps} command. */
  @Command(name = "rw-heatmaps", resourceBundle = "io.quorate.report.commands")
  static final class Heatmaps extends QuorateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BASE", descriptionKey = "base")
    private Path base = Path.of("");

    @Parameters(index = "1", paramLabel = "OTHER", descriptionKey = "other")
    private Path other = Path.of("");

    @Option(names = "--again", paramLabel = "FILE")
    private Optional<Path> again = Optional.empty();

    @Option(names = "--output", paramLabel = "DIR")
    private Optional<Path> output = Optional.empty();

    @Override
    public Integer call() {
      Problems problems = new Problems();
      Optional<RwHeatmaps> before = problems.attempt(() -> RwHeatmaps.read(base));
      Optional<RwHeatmaps> after = problems.attempt(() -> RwHeatmaps.read(other));
      Optional<RwHeatmaps> same =
          again.flatMap(file -> problems.attempt(() -> RwHeatmaps.read(file)));
      problems.throwIfAny();
      List<String> command =
          new ArrayList<>(List.of("./quorate", "import", "rw-heatmaps", "" + base, "" + other));
      again.ifPresent(file -> command.addAll(List.of("--again", "" + file)));
      RwHeatmaps.HeatmapPage page =
          before.orElseThrow().compare(after.orElseThrow(), same, ShellText.of(command));
      RunDirectory directory =
          output
              .map(RunDirectory::new)
              .orElseGet(
                  () ->
                      RunDirectory.create(
                          RunDirectory.allResults(System.getProperties()),
                          "rw-heatmaps",
                          1,
                          Instant.now()));
      if (Files.exists(directory.page(), LinkOption.NOFOLLOW_LINKS)) {
        throw new QuorateException(
            VisibleText.of(directory.page().toString())
                + ": already exists. Choose another --output, or remove it");
      }
      OutputFiles files = new OutputFiles(directory.path());
      files.add(directory.page(), PageTemplate.html("heatmaps.html.ftl", page));
      files.write();
      page.maps().forEach(map -> out().println(map.title() + ": " + map.sentence()));
      page.notes().stream()
          .flatMap(note -> ConsoleText.wrapped(note).stream())
          .forEach(out()::println);
      out().println("page    " + ConsoleSummary.shown(directory.page()));
      out().flush();
      return 0;
    }
  }

  /** The {@code quorate import etcd-benchmark} command. */
  @Command(name = ImportedRun.ORIGIN, resourceBundle = "io.quorate.report.commands")
  static final class EtcdBenchmark extends QuorateCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", descriptionKey = "file")
    private List<Path> files = List.of();

    @Option(names = "--into", paramLabel = "RUN_DIR")
    private @Nullable Path into;

    @Option(names = "--name", paramLabel = "NAME")
    private @Nullable String name;

    @Option(names = "--title", paramLabel = "TITLE")
    private @Nullable String title;

    /**
     * The source of a column.
     *
     * @param report number of the report in the file, from 1
     */
    private record Source(Path file, int report) {}

    @Override
    public Integer call() {
      Map<String, Source> columns = columns();
      RunDirectory run = directory(columns);
      columns.forEach(
          (tag, source) ->
              ImportedRun.write(
                  run, tag, Optional.ofNullable(title), source.file(), source.report()));
      RunReport report = new RunReport(ExperimentRun.read(run.path()), RowLabels.LATER);
      report.write();
      out().print(ConsoleText.withTables(report.text()));
      out().println("\nrun     " + VisibleText.of(run.path().toString()));
      return 0;
    }

    private Map<String, Source> columns() {
      if (name != null && files.size() > 1) {
        throw new QuorateException("--name: found " + files.size() + " files, expected one");
      }
      Problems problems = new Problems();
      Map<String, Source> columns = new LinkedHashMap<>();
      files.forEach(file -> problems.attempt(() -> add(columns, file)));
      problems.throwIfAny();
      return columns;
    }

    private Path add(Map<String, Source> columns, Path file) {
      List<EtcdBenchmarkReport> reports = ImportedRun.reports(file);
      for (int i = 0; i < reports.size(); i++) {
        String tag = tag(file) + suffix(reports, i);
        if (columns.putIfAbsent(tag, new Source(file, i + 1)) != null) {
          throw new QuorateException(
              "%s: found a second column '%s', expected another name: import it by itself, with --name"
                  .formatted(VisibleText.of(file.toString()), tag));
        }
      }
      return file;
    }

    private String tag(Path file) {
      String text = name != null ? name : file.getFileName().toString().replaceAll("\\.\\w+$", "");
      String tag = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[.-]+", "");
      if (tag.isEmpty() || name != null && !tag.equals(name) || tag.length() > 100) {
        throw new QuorateException(
            GoText.quoted(text)
                + ": expected a --name of at most 100 letters, digits, '.', '_' and '-'");
      }
      if (RunDirectory.isOwn(tag)) {
        throw new QuorateException(
            GoText.quoted(tag) + ": is the name of a file of the report, expected another --name");
      }
      return tag;
    }

    /**
     * Returns a suffix that distinguishes a report: its part, if no other has it, or its number.
     */
    private static String suffix(List<EtcdBenchmarkReport> reports, int index) {
      Optional<String> part = reports.get(index).part();
      long same = reports.stream().filter(each -> each.part().equals(part)).count();
      return part.isPresent() && same == 1
          ? "-" + part.get()
          : reports.size() == 1 ? "" : "-" + (index + 1);
    }

    private RunDirectory directory(Map<String, Source> columns) {
      if (into == null) {
        return RunDirectory.create(
            RunDirectory.allResults(System.getProperties()), "imported", 1, Instant.now());
      }
      if (Files.exists(into, LinkOption.NOFOLLOW_LINKS)) {
        ExperimentRun.read(into);
      }
      for (String tag : columns.keySet()) {
        if (Files.exists(into.resolve(tag), LinkOption.NOFOLLOW_LINKS)) {
          throw new QuorateException(
              VisibleText.of(into.resolve(tag).toString())
                  + ": already exists. Choose another --name, or remove it");
        }
      }
      return new RunDirectory(into);
    }
  }
}
