// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.format.OutputFiles;
import io.quorate.report.page.RunFiles;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The golden scenario as a run of ours, with what its machines did. */
public final class GoldenRun {
  private static final Map<String, String> TAGS =
      Map.of(
          "etcd", Golden.TAGS.get(0),
          "zookeeper", Golden.TAGS.get(1),
          "consul", Golden.TAGS.get(2));

  private static final String DISK = "server-disk-space-usage-summary.csv";

  private final RunDirectory directory;

  /** Writes these databases of it. */
  public GoldenRun(Path results, String... ids) {
    directory = RunDirectory.create(results.resolve("results"), "quick", 1, Manifests.START);
    for (String id : ids) {
      String tag = TAGS.get(id);
      DatabaseRun run = TestRuns.write(directory.path(), id, tag, 1, 5000, Golden.steps(tag));
      MachineRows.writeGolden(run.directory().path(), tag, run.clients().get().requests());
      write(
          id + "/" + DISK,
          PublishedTable.resource("reference/a-write-fixed-clients/" + tag + "-" + DISK));
    }
  }

  /** Gives all databases the clients of etcd, so that their values may be compared. */
  public GoldenRun withEqualClients() {
    for (String[] each : new String[][] {{"zookeeper", "7"}, {"consul", "5"}}) {
      replace(each[0] + "/manifest.json", "\"clients\" : " + each[1], "\"clients\" : 10");
    }
    return this;
  }

  public RunDirectory directory() {
    return directory;
  }

  /** The text of a file. */
  public String read(String name) {
    try {
      return Files.readString(directory.path().resolve(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Writes or replaces a file. */
  public void write(String name, String text) {
    Path file = directory.path().resolve(name);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Changes a text that is in a file. */
  public void replace(String name, String before, String after) {
    String text = read(name);
    if (!text.contains(before)) {
      throw new IllegalArgumentException(name + " does not contain " + before);
    }
    write(name, text.replace(before, after));
  }

  public RunReport report() {
    return report(directory.path());
  }

  static RunReport report(Path run) {
    return new RunReport(ExperimentRun.read(run), RowLabels.LATER);
  }

  /** Writes the files with values: all of the report but plots and page. */
  public void writeValues() {
    writeValues(directory.path());
  }

  /** Writes the files with values of a run. */
  public static void writeValues(Path run) {
    OutputFiles files = new OutputFiles(run);
    new RunReport(ExperimentRun.read(run), RowLabels.LATER).addData(files);
    files.write();
  }

  /** Writes the page with these plots, whose files exist. */
  public void writePage(RunPlots plots) {
    writePage(directory.path(), plots);
  }

  private static void writePage(Path path, RunPlots plots) {
    OutputFiles files = new OutputFiles(path);
    ExperimentRun run = ExperimentRun.read(path);
    new RunReport(run, RowLabels.LATER).addPage(new RunFiles(run, files), plots, files);
    files.write();
  }

  /** Writes the report without its plots, which cost more than all else of it. */
  public void writeWithoutPlots() {
    writeWithoutPlots(directory.path());
  }

  /** Writes the report of a run without its plots. */
  static void writeWithoutPlots(Path run) {
    writeValues(run);
    writePage(run, RunPlots.NONE);
  }
}
