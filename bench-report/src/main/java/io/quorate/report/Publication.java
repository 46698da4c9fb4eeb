// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.format.StrictJson;
import io.quorate.format.TextFile;
import io.quorate.results.Canary;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixDirectory.CellRun;
import io.quorate.results.MatrixManifest;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import io.quorate.results.SizePrediction;
import io.quorate.results.manifest.ScenarioInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A run or a matrix of runs that can be published.
 *
 * @param source its directory
 * @param name name of its scenario
 * @param archive the files that its report reads
 * @param revealed what the files say about the machines, for the user to judge
 */
record Publication(Path source, String name, RunArchive archive, List<String> revealed) {
  /**
   * Reads what can be published.
   *
   * @param scaled whether a part of the requests is enough
   * @throws QuorateException with all reasons why it cannot be published
   */
  static Publication read(Path source, boolean scaled) {
    QuorateException.throwIfAny(
        new PublishedRun(source, source, List.of())
            .problems().stream().map(each -> source + ": " + each).toList());
    return MatrixDirectory.isAt(source)
        ? of(new MatrixDirectory(source), scaled)
        : of(ExperimentRun.read(source), scaled);
  }

  private static Publication of(ExperimentRun run, boolean scaled) {
    RunDirectory source = run.directory();
    refuse(
        source.path(),
        !scaled
            && run.databases().stream().anyMatch(each -> each.manifest().scenario().scale() != 1));
    ScenarioInfo scenario = run.databases().get(0).manifest().scenario();
    RunFacts facts = RunFacts.of(run);
    Canary.file(run.databases().get(0).directory()).ifPresent(file -> add(file, facts.files()));
    return new Publication(
        source.path(),
        run.isSearch() ? scenario.name() + "-capacity" : scenario.name(),
        new RunArchive(source.id(), facts.files()),
        facts.revealed());
  }

  private static Publication of(MatrixDirectory matrix, boolean scaled) {
    MatrixManifest manifest = matrix.readManifest();
    refuse(matrix.path(), !scaled && manifest.scale() != 1);
    SortedMap<String, byte[]> files = new TreeMap<>();
    List<String> revealed = new ArrayList<>();
    for (CellRun each : matrix.lastRuns()) {
      RunFacts facts = RunFacts.of(ExperimentRun.read(each.last().orElseThrow().path()));
      String directory = MatrixDirectory.CELLS + "/" + each.path() + "/";
      facts.files().forEach((name, file) -> files.put(directory + name, file));
      revealed.addAll(facts.revealed());
    }
    for (String name : List.of(Canary.FILE, SizePrediction.FILE)) {
      Path file = matrix.path().resolve(name);
      if (Files.isRegularFile(file)) {
        add(file, files);
      }
    }
    String plan = StrictJson.text(manifest.withOptions(RunFacts.withoutPaths(manifest.options())));
    files.put(
        matrix.path().relativize(matrix.manifest()).toString(),
        plan.getBytes(StandardCharsets.UTF_8));
    return new Publication(
        matrix.path(),
        manifest.name(),
        new RunArchive(new RunDirectory(matrix.path()).id(), files),
        revealed.stream().distinct().toList());
  }

  private static void add(Path file, SortedMap<String, byte[]> files) {
    files.put(file.getFileName().toString(), TextFile.read(file).getBytes(StandardCharsets.UTF_8));
  }

  private static void refuse(Path source, boolean refused) {
    if (refused) {
      throw new QuorateException(
          source + ": sent a part of the requests only (--scale). Pass --scaled to publish it");
    }
  }

  /**
   * Returns all files that are published; they are not written yet.
   *
   * @param target a directory that does not exist yet
   */
  OutputFiles at(Path target, OpenRuns runs) {
    OutputFiles files = new OutputFiles(target);
    files.add(target.resolve(RunArchive.NAME), archive.bytes());
    new PublishedRun(target, runs.unpack(archive, target), List.of()).render(files);
    return files;
  }
}
