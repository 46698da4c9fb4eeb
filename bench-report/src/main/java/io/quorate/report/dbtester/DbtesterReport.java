// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.format.Problems;
import io.quorate.format.TextFile;
import io.quorate.report.dbtester.DbtesterConfig.Image;
import io.quorate.report.dbtester.DbtesterConfig.Store;
import io.quorate.report.figures.Frame;
import io.quorate.report.plot.PlotCsvFiles;
import io.quorate.report.plot.PlotData;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.table.ResultTable;
import io.quorate.report.table.RowLabels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Creates the output of the reference's {@code analyze} from a directory of the reference. */
public final class DbtesterReport {
  /** Name of the file with a line for each file that Quorate has written. */
  private static final String LIST = ".quorate-report";

  private static final long MAX_LIST = 1 << 20;

  private final Path base;
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final Set<Path> inputs = new HashSet<>();
  private String table = "";
  private List<String> absentPlots = List.of();

  private DbtesterReport(Path base) {
    this.base = base.toAbsolutePath().normalize();
  }

  /**
   * Reads and analyzes all files; writes nothing.
   *
   * @param asPublished whether to reproduce the reference's defects, byte for byte; {@code
   *     src/site/markdown/reference/dbtester-differences.md} lists the differences
   * @param base directory to which the paths in the configuration are relative
   * @throws QuorateException with the first problem of each file: file, line, what was found and
   *     what was expected
   */
  public static DbtesterReport of(
      DbtesterConfig config, Path base, boolean asPublished, RowLabels labels) {
    DbtesterReport report = new DbtesterReport(base);
    checkTags(config);
    List<DbtesterDatabase> databases = new ArrayList<>();
    Problems problems = new Problems();
    for (Store store : config.databases()) {
      problems
          .attempt(
              () ->
                  DbtesterDatabase.read(
                      store, report::input, config.plotColumns(), asPublished, report::output))
          .ifPresent(databases::add);
    }
    problems.throwIfAny();
    ResultTable results =
        new ResultTable(databases.stream().map(DbtesterDatabase::result).toList(), labels);
    report.table = asPublished ? textAsPublished(results) : results.text();
    report.output(config.tableCsv(), results.csv());
    report.output(textPath(config.tableText()), report.table);
    List<DatabaseSeries> plots = databases.stream().map(DbtesterDatabase::plotted).toList();
    new DbtesterPlotFiles(config.plotDirectory(), plots, asPublished, report::output)
        .write(config.plotColumns(), !config.databases().get(0).clientNumbers().isEmpty());
    BiConsumer<String, byte[]> output =
        (name, content) -> report.output(PlotCsvFiles.path(config.plotDirectory(), name), content);
    report.absentPlots =
        RunPlots.draw(new PlotData(plots, List.of()), config.plotColumns(), output).absent();
    report.output(config.readme(), readme(config, report.table));
    return report;
  }

  /**
   * Returns the directory to which the paths in a configuration are relative: the first candidate
   * that contains the files.
   */
  public static Path base(DbtesterConfig config, List<Path> candidates) {
    String first =
        config.databases().get(0).paths().get(DbtesterPath.CLIENT_LATENCY_THROUGHPUT_TIMESERIES);
    return candidates.stream()
        .filter(directory -> Files.exists(directory.resolve(first)))
        .findFirst()
        .orElseThrow(
            () ->
                new QuorateException(
                    "found no %s in %s, expected it there: --base says where its files are"
                        .formatted(
                            first,
                            String.join(
                                ", ",
                                candidates.stream().map(Path::toString).distinct().toList()))));
  }

  /** Returns the table, and below it the errors of the last database with errors. */
  private static String textAsPublished(ResultTable table) {
    return table.results().stream()
        .filter(result -> result.errorCount() > 0)
        .reduce((before, last) -> last)
        .map(last -> table.table() + "\n\n" + ResultTable.errors(last))
        .orElseGet(table::table);
  }

  public String table() {
    return table;
  }

  public List<String> absentPlots() {
    return absentPlots;
  }

  /**
   * Writes all files into a directory, or none if one of them may not be written. A list in the
   * directory names the files that were written in this way; no others are replaced.
   *
   * @param force whether to replace other files as well
   */
  public void write(Path output, boolean force) {
    Path root = output.toAbsolutePath().normalize();
    try {
      Set<String> ours = ours(root);
      OutputFiles all = new OutputFiles(root);
      for (Map.Entry<Path, byte[]> file : files().entrySet()) {
        String name = file.getKey().toString();
        check(root.resolve(name), file.getValue(), force || ours.contains(name));
        all.add(file.getKey(), file.getValue());
        ours.add(name);
      }
      all.add(Path.of(LIST), String.join("\n", ours) + "\n");
      all.write();
    } catch (IOException impossible) {
      throw DiskSpace.exception(root, impossible);
    }
  }

  private static Set<String> ours(Path root) {
    Path list = root.resolve(LIST);
    return Files.isRegularFile(list, LinkOption.NOFOLLOW_LINKS)
        ? TextFile.read(list, MAX_LIST, "the list of our files")
            .lines()
            .collect(Collectors.toCollection(TreeSet::new))
        : new TreeSet<>();
  }

  private void check(Path target, byte[] content, boolean ours) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (Path input : inputs) {
      if (Files.isSameFile(input, target)) {
        throw new QuorateException(
            target + ": is an input, and never replaced: choose another --output");
      }
    }
    if (!ours && !isSame(target, content)) {
      throw new QuorateException(
          target
              + ": exists and was not created by this command. Choose another --output, or "
              + "replace it with --force");
    }
  }

  private static boolean isSame(Path target, byte[] content) throws IOException {
    return Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
        && Arrays.equals(Files.readAllBytes(target), content);
  }

  /**
   * Returns the contents of all files by their paths below the output directory. The paths are as
   * in the configuration if all of them are below its base, otherwise relative to the common parent
   * of all files.
   */
  private Map<Path, byte[]> files() {
    List<Path> paths = files.keySet().stream().map(this::absolute).toList();
    boolean inside = paths.stream().allMatch(path -> path.startsWith(base));
    Path above = inside ? base : parent(paths.get(0));
    for (Path path : paths) {
      while (!path.startsWith(above)) {
        above = parent(above);
      }
    }
    Map<Path, byte[]> below = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      below.put(above.relativize(absolute(file.getKey())), file.getValue());
    }
    return below;
  }

  private static Path parent(Path absolute) {
    return Objects.requireNonNull(absolute.getParent());
  }

  private Path absolute(String path) {
    return base.resolve(path).normalize();
  }

  private Path input(String path) {
    Path file = absolute(path);
    inputs.add(file);
    return file;
  }

  private void output(String path, String text) {
    output(path, text.getBytes(StandardCharsets.UTF_8));
  }

  private void output(String path, byte[] content) {
    if (files.putIfAbsent(path, content) != null) {
      throw new QuorateException(
          "found the output " + path + " twice in the configuration, expected it once");
    }
  }

  private static void checkTags(DbtesterConfig config) {
    Set<String> tags = new HashSet<>();
    for (Store store : config.databases()) {
      if (!tags.add(store.tag())) {
        throw new QuorateException(
            ("%s: found the tag %s of another database, expected a different "
                    + "database_description")
                .formatted(store.id(), store.tag()));
      }
    }
  }

  /**
   * Returns the path of the text; the reference replaces the text of the extension wherever it
   * occurs in the path.
   */
  private static String textPath(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? path + ".txt" : path.replace(name.substring(dot), ".txt");
  }

  private static String readme(DbtesterConfig config, String table) {
    StringBuilder text = new StringBuilder();
    text.append(
        "\n\n<br><br><hr>\n##### %s\n\n%s\n\n```\n%s```\n\n\n"
            .formatted(config.title(), config.description(), table));
    for (Image image : config.images()) {
      String name = image.path().substring(image.path().lastIndexOf('/') + 1);
      text.append(
          image.remote()
              ? "<img src=\"" + image.path() + "\" alt=\"" + image.title() + "\">"
              : "![" + image.title() + "](./" + name + ")");
      text.append("\n\n\n\n");
    }
    return text.toString();
  }

  /** Writes the CSV files with the data of the plots by the reference's rules. */
  static final class DbtesterPlotFiles extends PlotCsvFiles {
    private final List<DatabaseSeries> databases;
    private final boolean asPublished;

    DbtesterPlotFiles(
        String directory,
        List<DatabaseSeries> databases,
        boolean asPublished,
        BiConsumer<String, String> output) {
      super(directory, databases, output);
      this.databases = List.copyOf(databases);
      this.asPublished = asPublished;
    }

    /** Returns true: a column without values is written as well. */
    @Override
    protected boolean isKnown(String column) {
      return true;
    }

    /** Returns true: a file without rows is written as well. */
    @Override
    protected boolean isKnown(Function<DatabaseSeries, Frame> frame) {
      return true;
    }

    /**
     * Returns the numbers of clients.
     *
     * @throws QuorateException unless every database has the same
     */
    @Override
    protected SortedSet<Long> clientNumbers() {
      SortedSet<Long> expected = clientNumbers(databases.get(0));
      for (DatabaseSeries database : databases) {
        SortedSet<Long> found = clientNumbers(database);
        if (!found.equals(expected)) {
          throw new QuorateException(
              "%s: all keys must be %s, got %s: every database needs the same numbers of clients"
                  .formatted(
                      database.id(),
                      expected.toString().replace(",", ""),
                      found.toString().replace(",", "")));
        }
      }
      return expected;
    }

    /**
     * Returns the mean. As published it is not a mean: each second has as much weight as all
     * earlier ones together.
     */
    @Override
    protected double mean(DatabaseSeries database, String column, long clients) {
      if (!asPublished) {
        return super.mean(database, column, clients);
      }
      double[] values = database.seconds().numbers(column);
      double halved = Double.NaN;
      for (int i = 0; i < values.length; i++) {
        if (database.clients().get(i).clients() == clients) {
          double value = Double.isNaN(values[i]) ? 0 : values[i];
          halved = Double.isNaN(halved) ? value : (halved + value) / 2;
        }
      }
      return halved;
    }
  }
}
