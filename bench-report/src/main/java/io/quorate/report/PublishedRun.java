// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.install.TemporaryDirectory;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.RunIndex;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A run in a directory that is committed to Git. It has the manifest and the latencies of each
 * database, a compressed file with all other files that the report reads, and the report: the page,
 * its text, a few plots, and the results for programs.
 *
 * @param directory its directory, which has the name of the scenario
 */
record PublishedRun(RunDirectory directory) implements Published {
  @Override
  public Path path() {
    return directory.path();
  }

  private RunArchive archive() {
    return RunArchive.read(path().resolve(RunArchive.INPUTS));
  }

  @Override
  public String origin() {
    return archive().directory();
  }

  @Override
  public int logs() {
    return directory.databases().size() + Published.logsIn(path().resolve(RunArchive.INPUTS));
  }

  @Override
  public List<String> facts() {
    List<String> facts = new ArrayList<>(List.of(SCENARIO, RunArchive.INPUTS));
    for (DatabaseDirectory each : directory.databases()) {
      facts.add(name(each.manifest()));
      facts.add(name(each.latencyLog()));
    }
    return facts;
  }

  /**
   * Unpacks the run, reads it and removes the unpacked files afterwards.
   *
   * @param use receives the run, whose files exist until it returns
   * @throws QuorateException if a file cannot be read
   */
  <T> T read(Function<ExperimentRun, T> use) {
    RunArchive archive = archive();
    // an unreadable manifest is named before it is copied
    directory.databases().forEach(database -> Manifest.read(database.manifest()));
    try (TemporaryDirectory unpacked = TemporaryDirectory.create()) {
      Path run = archive.unpack(unpacked.path());
      for (DatabaseDirectory database : directory.databases()) {
        DatabaseDirectory copy = new DatabaseDirectory(run.resolve(database.id()));
        copy(database.manifest(), copy.manifest());
        copy(database.latencyLog(), copy.latencyLog());
        FewerSamples.interpolate(copy);
      }
      return use.apply(ExperimentRun.read(run));
    } catch (IOException impossible) {
      throw FileFailure.exception(directory + ": cannot be unpacked", impossible);
    }
  }

  private static void copy(Path file, Path copy) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(Objects.requireNonNull(copy.getParent()));
      Files.copy(file, copy);
    }
  }

  @Override
  public List<String> problemsOfRuns() {
    return read(RunFacts::problems);
  }

  @Override
  public void render(Path target, OutputFiles files) {
    read(
        run -> {
          new RunReport(run, RowLabels.LATER).addPublished(new RunDirectory(target), files);
          return files;
        });
  }

  @Override
  public RunIndex.Part index() {
    return read(run -> new RunIndex.Run(directory.id(), RunFigures.of(run)));
  }
}
