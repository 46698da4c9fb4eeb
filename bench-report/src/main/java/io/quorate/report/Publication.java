// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.format.OutputFiles;
import io.quorate.format.StrictJson;
import io.quorate.install.DirectoryTree;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunPlan;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files with which a run is published, without the name of the load generator's machine and
 * directories on it.
 *
 * @param files all files, which are not written yet
 * @param intervals intervals of its time series
 * @param revealed what the files say about the machines, for the user to judge
 */
record Publication(OutputFiles files, Intervals intervals, List<String> revealed) {
  /** Size of plots, result.json and README.md of usual runs. */
  private static final long REPORT_BYTES = 170_000;

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
          new Intervals(60, 2, 60),
          new Intervals(60, 5, 60),
          new Intervals(60, 10, 60),
          new Intervals(60, 30, 60));

  /** What the report reads; other files of a run are logs, pages and pictures. */
  private static final Pattern FACTS =
      Pattern.compile(".*\\.(?:csv|json|jsonl|bin|hlog)|etcd-benchmark\\.txt");

  private static final Set<String> OTHER_DIRECTORIES = Set.of("logs", "gatling", "plots", "jepsen");

  /** Directories of a machine in messages of servers, before the name of a file. */
  private static final Pattern DIRECTORIES =
      Pattern.compile(
          "(?<![\\w./-])/(?:home|Users|root|tmp|var|opt|srv|mnt|data|work)/(?:[\\w.@+-]+/)*(?=[\\w.@+-])");

  /**
   * Intervals of time series in seconds.
   *
   * @param servers interval of servers' own metrics
   * @param machines interval of the samples of machines
   * @param latencies interval of {@code latency.hlog}
   */
  record Intervals(int servers, int machines, int latencies) {
    FewerSamples samples() {
      return new FewerSamples(servers, machines);
    }
  }

  /**
   * Returns why a run cannot be published, or must not without saying so; empty if it can.
   *
   * @param run with its files
   */
  static List<String> problems(ExperimentRun run) {
    List<String> problems = new ArrayList<>();
    run.directory()
        .withoutManifest()
        .forEach(each -> problems.add(each.getFileName() + ": manifest.json is missing"));
    if (run.databases().isEmpty()) {
      problems.add("contains no database");
    }
    for (DatabaseRun each : run.databases()) {
      Manifest manifest = each.manifest();
      String id = each.directory().id();
      if (manifest.status() != RunStatus.COMPLETE) {
        problems.add(
            "%s: found status %s, expected complete%s"
                .formatted(
                    id,
                    manifest.status().id(),
                    manifest.reason().map(why -> " (" + why + ")").orElse("")));
      }
      if (manifest.shard().isPresent()) {
        problems.add(id + ": is one shard of a run: publish the merged run");
      }
    }
    if (problems.isEmpty()) {
      problems.addAll(new RunReport(run, RowLabels.LATER).unreadable());
    }
    return problems;
  }

  /** Returns whether only a part of the requests was sent. */
  static boolean isScaled(ExperimentRun run) {
    return run.databases().stream().anyMatch(each -> each.manifest().scenario().scale() != 1);
  }

  /**
   * Prepares the files of a run without problems.
   *
   * @param name name of the run, which its report shows
   * @param target directory of the published run, which does not exist yet
   */
  static Publication of(ExperimentRun run, String name, RunDirectory target) {
    try {
      Path work = Files.createTempDirectory("quorate-publish-");
      try {
        return new Draft(run, work).publication(name, target);
      } finally {
        new DirectoryTree(work).remove();
      }
    } catch (IOException impossible) {
      throw FileFailure.exception(run.directory() + ": cannot be published", impossible);
    }
  }

  /** A publication that is being made. */
  private static final class Draft {
    private final ExperimentRun run;
    private final Path work;
    private final SortedMap<String, byte[]> facts = new TreeMap<>();

    Draft(ExperimentRun run, Path work) {
      this.run = run;
      this.work = work;
    }

    Publication publication(String name, RunDirectory target) throws IOException {
      facts.put(PublishedRun.SCENARIO, bytes(run.databases().get(0).manifest().scenario().text()));
      for (DatabaseRun each : run.databases()) {
        facts.put(
            each.directory().id() + "/manifest.json",
            bytes(StrictJson.text(withoutNames(each.manifest()))));
      }
      Intervals intervals = addSeries(name);
      OutputFiles files = new OutputFiles(target.path());
      Path draft = Files.createDirectory(work.resolve("draft"));
      for (Map.Entry<String, byte[]> fact : facts.entrySet()) {
        files.add(target.path().resolve(fact.getKey()), fact.getValue());
        Path file = draft.resolve(fact.getKey());
        Files.createDirectories(file.getParent());
        Files.write(file, fact.getValue());
      }
      new PublishedRun(new RunDirectory(draft))
          .read(
              read -> {
                new RunReport(read, RowLabels.LATER).addPublished(target, files);
                return files;
              });
      return new Publication(files, intervals, revealed());
    }

    /** Returns the files that the report reads, without manifests and latencies. */
    private SortedMap<String, byte[]> inputs(FewerSamples samples) throws IOException {
      Path home = run.directory().path();
      OutputFiles derived = new OutputFiles(home);
      new RunReport(run, RowLabels.LATER).addData(derived);
      Set<Path> own = new TreeSet<>();
      run.databases().stream()
          .map(DatabaseRun::directory)
          .forEach(each -> own.addAll(List.of(each.manifest(), each.latencyLog())));
      SortedMap<String, byte[]> inputs = new TreeMap<>();
      try (Stream<Path> files = Files.walk(home)) {
        for (Path file : files.filter(each -> isFact(home, each)).toList()) {
          if (!derived.has(file)
              && !own.contains(file)
              && samples.keeps(file)
              && (samples.machines() > 1 || !isInterpolatedToo(file))) {
            inputs.put(
                home.relativize(file).toString().replace('\\', '/'),
                withoutDirectories(file, samples));
          }
        }
      }
      RunPlan.read(home)
          .ifPresent(plan -> inputs.put(RunPlan.NAME, bytes(StrictJson.text(withoutPaths(plan)))));
      return inputs;
    }

    private static boolean isFact(Path home, Path file) {
      boolean other =
          Stream.iterate(file, each -> !each.equals(home), Path::getParent)
              .anyMatch(each -> OTHER_DIRECTORIES.contains(each.getFileName().toString()));
      return !other
          && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && FACTS.matcher(file.getFileName().toString()).matches();
    }

    /** Returns whether the interpolated file has the same rows, and is read without this one. */
    private static boolean isInterpolatedToo(Path file) throws IOException {
      if (!file.getFileName().toString().endsWith("-system-metrics.csv")) {
        return false;
      }
      Path interpolated = HostFiles.interpolated(file);
      return Files.isRegularFile(interpolated) && Files.mismatch(file, interpolated) < 0;
    }

    /**
     * Adds the archive and the logs of latencies, with the shortest intervals with which the run
     * keeps its limit of size. They are the same for all databases.
     */
    private Intervals addSeries(String name) throws IOException {
      long free = PublishedRun.maxBytes(run.databases().size()) - REPORT_BYTES;
      FewerSamples samples = new FewerSamples(0, 0);
      for (Intervals intervals : INTERVALS) {
        if (!intervals.samples().equals(samples)) {
          samples = intervals.samples();
          facts.put(RunArchive.NAME, new RunArchive(name, inputs(samples)).bytes());
        }
        for (DatabaseRun each : run.databases()) {
          facts.put(each.directory().id() + "/latency.hlog", latencies(each, intervals));
        }
        if (facts.values().stream().mapToLong(fact -> fact.length).sum() <= free) {
          return intervals;
        }
      }
      return INTERVALS.get(INTERVALS.size() - 1);
    }

    private byte[] latencies(DatabaseRun database, Intervals intervals) throws IOException {
      Path log = database.directory().latencyLog();
      if (intervals.latencies() == 1) {
        return Files.readAllBytes(log);
      }
      Path lengthened =
          work.resolve(database.directory().id() + "-" + intervals.latencies() + ".hlog");
      if (!Files.exists(lengthened)) {
        LatencyLog.lengthen(log, lengthened, intervals.latencies());
      }
      return Files.readAllBytes(lengthened);
    }

    private static Manifest withoutNames(Manifest manifest) {
      boolean elsewhere =
          manifest.store().servers().machines().stream().anyMatch(each -> !isLoopback(each));
      return elsewhere ? manifest : manifest.withHost(manifest.host().withoutNames());
    }

    private static RunPlan withoutPaths(RunPlan plan) {
      Map<String, String> options = new LinkedHashMap<>();
      plan.options()
          .forEach(
              (option, value) -> {
                if (!option.startsWith("quorate.") && !option.equals("results")) {
                  options.put(option, value.matches("[/~].*|.*\\\\.*") ? HostInfo.MASK : value);
                }
              });
      options.computeIfPresent(
          "scenario", (option, value) -> value.contains("/") ? PublishedRun.SCENARIO : value);
      if (HostInfo.MASK.equals(options.get("scenario"))) {
        options.put("scenario", PublishedRun.SCENARIO);
      }
      return new RunPlan(Path.of(plan.file()).getFileName().toString(), plan.scenario(), options);
    }

    private List<String> revealed() {
      Set<String> revealed = new TreeSet<>();
      for (DatabaseRun each : run.databases()) {
        ServerInfo servers = each.manifest().store().servers();
        String where = each.directory().id() + "/manifest.json: ";
        servers.members().stream()
            .filter(member -> !isLoopback(member))
            .forEach(member -> revealed.add(where + "address " + member));
        for (ServerInfo.Agent agent : servers.agents()) {
          revealed.add(
              where + "agent " + agent.address() + agent.host().map(" "::concat).orElse(""));
        }
        each.manifest().shards().stream()
            .flatMap(shard -> shard.host().stream())
            .forEach(host -> revealed.add(where + "host " + host));
        if (servers.machines().stream().anyMatch(machine -> !isLoopback(machine))) {
          each.manifest().host().host().ifPresent(host -> revealed.add(where + "host " + host));
        }
      }
      return List.copyOf(revealed);
    }

    private static byte[] withoutDirectories(Path file, FewerSamples samples) throws IOException {
      if (file.getFileName().toString().endsWith(".bin")) {
        return Files.readAllBytes(file);
      }
      String text =
          samples.changes(file) ? samples.text(file) : Files.readString(file);
      return bytes(DIRECTORIES.matcher(text).replaceAll("/" + HostInfo.MASK + "/"));
    }

    private static boolean isLoopback(String address) {
      return address.startsWith("127.")
          || address.startsWith("localhost")
          || address.startsWith("[::1]");
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
