// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.format.StrictJson;
import io.quorate.install.TemporaryDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixDirectory.CellRun;
import io.quorate.results.MatrixManifest;
import io.quorate.results.RunArchive;
import io.quorate.results.manifest.ScenarioInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A run or a matrix of runs that can be published, with all files that it gets.
 *
 * @param source its directory
 * @param name name of its scenario
 * @param origin see {@link Published#origin}
 * @param runs the files of its runs
 * @param facts returns all files that are not rendered, by their paths
 */
record Publication(
    Path source,
    String name,
    String origin,
    List<RunFacts> runs,
    Function<Intervals, SortedMap<String, byte[]>> facts) {
  /** Least size of plots, result.json and README.md of usual runs. */
  private static final long REPORT_BYTES = 100_000;

  /** Intervals, in the order in which they are tried. */
  private static final List<Intervals> INTERVALS =
      List.of(
          new Intervals(1, 1, 1),
          new Intervals(1, 1, 2),
          new Intervals(1, 1, 5),
          new Intervals(1, 1, 10),
          new Intervals(5, 1, 10),
          new Intervals(10, 1, 30),
          new Intervals(30, 1, 60),
          new Intervals(60, 1, 60),
          new Intervals(60, 1, 600),
          new Intervals(60, 5, 600),
          new Intervals(60, 10, 600),
          new Intervals(60, 30, 600));

  /** Number of the first intervals with which a short run has the size of one database. */
  private static final int SHORT_INTERVALS = 7;

  /**
   * Intervals of time series in seconds.
   *
   * @param servers interval of servers' own metrics
   * @param machines interval of the samples of machines
   * @param latencies interval of {@code latency.hlog}, of the load and of trials
   */
  record Intervals(int servers, int machines, int latencies) {
    FewerSamples samples() {
      return new FewerSamples(servers, machines);
    }

    private Intervals withAllLatencies() {
      return new Intervals(servers, machines, 1);
    }
  }

  /**
   * The files with which it is published.
   *
   * @param target directory, which need not exist yet
   * @param files all files, which are not written yet
   * @param intervals intervals of its time series
   */
  record Draft(Path target, OutputFiles files, Intervals intervals) {
    private long bytesWithoutPage() {
      AtomicLong bytes = new AtomicLong();
      files.forEach(
          (file, content) -> {
            if (!file.endsWith(Published.PAGE)) {
              bytes.addAndGet(content.length);
            }
          });
      return bytes.get();
    }
  }

  /**
   * Reads what can be published.
   *
   * @param scaled whether a part of the requests is enough
   * @throws QuorateException with all reasons why it cannot be published
   */
  static Publication read(Path source, boolean scaled) {
    return MatrixDirectory.isAt(source)
        ? of(new MatrixDirectory(source), scaled)
        : of(ExperimentRun.read(source), scaled);
  }

  private static Publication of(ExperimentRun run, boolean scaled) {
    Path source = run.directory().path();
    refuse(source, RunFacts.problems(run));
    refuseScaled(
        source,
        !scaled
            && run.databases().stream().anyMatch(each -> each.manifest().scenario().scale() != 1));
    ScenarioInfo scenario = run.databases().get(0).manifest().scenario();
    String origin = run.directory().id();
    RunFacts facts = RunFacts.of(run);
    SortedMap<String, byte[]> unchanged = new TreeMap<>(facts.manifests());
    unchanged.put(Published.SCENARIO, bytes(scenario.text()));
    // archives take seconds to compress
    Map<Intervals, byte[]> archives = new HashMap<>();
    return new Publication(
        source,
        run.isSearch() ? scenario.name() + "-capacity" : scenario.name(),
        origin,
        List.of(facts),
        intervals -> {
          SortedMap<String, byte[]> all = new TreeMap<>(unchanged);
          all.put(
              RunArchive.INPUTS,
              archives.computeIfAbsent(
                  facts.hasTrials() ? intervals : intervals.withAllLatencies(),
                  of -> new RunArchive(origin, facts.inputs(of)).bytes()));
          all.putAll(facts.latencies(intervals.latencies()));
          return all;
        });
  }

  private static Publication of(MatrixDirectory matrix, boolean scaled) {
    MatrixManifest manifest = matrix.readManifest();
    refuse(matrix.path(), PublishedMatrix.problems(matrix));
    refuseScaled(matrix.path(), !scaled && manifest.scale() != 1);
    Map<String, RunFacts> runs = new LinkedHashMap<>();
    for (CellRun each : matrix.lastRuns()) {
      each.last()
          .ifPresent(run -> runs.put(each.path(), RunFacts.of(ExperimentRun.read(run.path()))));
    }
    String plan = StrictJson.text(manifest.withOptions(RunFacts.withoutPaths(manifest.options())));
    return new Publication(
        matrix.path(),
        manifest.name(),
        PublishedMatrix.origin(manifest),
        List.copyOf(runs.values()),
        intervals -> {
          SortedMap<String, byte[]> cells = new TreeMap<>();
          runs.forEach(
              (directory, facts) ->
                  List.of(
                          facts.inputs(intervals),
                          facts.manifests(),
                          facts.latencies(intervals.latencies()))
                      .forEach(
                          files ->
                              files.forEach(
                                  (name, file) -> cells.put(directory + "/" + name, file))));
          SortedMap<String, byte[]> all = new TreeMap<>();
          all.put(RunArchive.CELLS, new RunArchive(MatrixDirectory.CELLS, cells).bytes());
          all.put(matrix.path().relativize(matrix.manifest()).toString(), bytes(plan));
          all.put(Published.SCENARIO, bytes(manifest.text()));
          return all;
        });
  }

  private static void refuse(Path source, List<String> problems) {
    QuorateException.throwIfAny(problems.stream().map(each -> source + ": " + each).toList());
  }

  private static void refuseScaled(Path source, boolean refused) {
    if (refused) {
      throw new QuorateException(
          source + ": sent a part of the requests only (--scale). Pass --scaled to publish it");
    }
  }

  /** Returns what the files say about the machines, for the user to judge. */
  List<String> revealed() {
    return runs.stream().flatMap(each -> each.revealed().stream()).distinct().toList();
  }

  /**
   * Prepares the files, with the shortest intervals with which the size limit of one database is
   * kept, or, if that needs long intervals, the limit of all logs of latencies. They are the same
   * for all databases and runs.
   *
   * @param target a directory that does not exist yet
   */
  Draft at(Path target) {
    long logs = runs.stream().mapToLong(RunFacts::logs).sum();
    // facts take seconds to compress, and most are needed for both limits
    Map<Intervals, SortedMap<String, byte[]>> known = new HashMap<>();
    Function<Intervals, SortedMap<String, byte[]>> once =
        intervals -> known.computeIfAbsent(intervals, facts);
    Intervals longest = INTERVALS.get(INTERVALS.size() - 1);
    return shortest(target, INTERVALS.subList(0, SHORT_INTERVALS), once, Published.MAX_BYTES)
        .or(() -> shortest(target, INTERVALS, once, logs * Published.MAX_BYTES))
        .orElseGet(() -> new Draft(target, files(once.apply(longest), target), longest));
  }

  private static Optional<Draft> shortest(
      Path target,
      List<Intervals> all,
      Function<Intervals, SortedMap<String, byte[]>> facts,
      long maxBytes) {
    for (Intervals intervals : all) {
      SortedMap<String, byte[]> unrendered = facts.apply(intervals);
      long bytes = unrendered.values().stream().mapToLong(each -> each.length).sum();
      if (bytes + REPORT_BYTES <= maxBytes) {
        Draft draft = new Draft(target, files(unrendered, target), intervals);
        if (draft.bytesWithoutPage() <= maxBytes) {
          return Optional.of(draft);
        }
      }
    }
    return Optional.empty();
  }

  private static OutputFiles files(SortedMap<String, byte[]> facts, Path target) {
    OutputFiles files = new OutputFiles(target);
    try (TemporaryDirectory draft = TemporaryDirectory.create()) {
      for (Map.Entry<String, byte[]> fact : facts.entrySet()) {
        files.add(target.resolve(fact.getKey()), fact.getValue());
        Path file = draft.path().resolve(fact.getKey());
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, fact.getValue());
      }
      Published.at(draft.path()).render(target, files);
    } catch (IOException impossible) {
      throw FileFailure.exception(
          VisibleText.of(target.toString()) + ": cannot be prepared", impossible);
    }
    return files;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
