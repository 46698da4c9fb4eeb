// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.format.StrictJson;
import io.quorate.install.TemporaryDirectory;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
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
 * The files of a run that its report reads, without the name of the load generator's machine and
 * directories on it. Their paths are those below the directory of the run.
 *
 * @param allInputs all files but manifests and latencies
 * @param manifests manifest of each database
 * @param latencyLogs unchanged logs of latencies, by the paths that they get
 * @param revealed what the files say about the machines, for the user to judge
 */
record RunFacts(
    SortedMap<String, byte[]> allInputs,
    SortedMap<String, byte[]> manifests,
    SortedMap<String, Path> latencyLogs,
    List<String> revealed) {
  /** What the report reads; other files of a run are logs, pages and pictures. */
  private static final Pattern FACTS =
      Pattern.compile(".*\\.(?:csv|json|jsonl|bin|hlog)|etcd-benchmark\\.txt");

  private static final Set<String> OTHER_DIRECTORIES = Set.of("logs", "gatling", "plots", "jepsen");

  /** Directories of a machine in messages of servers, before the name of a file. */
  private static final Pattern DIRECTORIES =
      Pattern.compile(
          "(?<![\\w./-])/(?:home|Users|root|tmp|var|opt|srv|mnt|data|work)/(?:[\\w.@+-]+/)*(?=[\\w.@+-])");

  /**
   * Returns why a run cannot be published; empty if it can. A run is refused if it is incomplete,
   * one of its files is unreadable, or its counts do not agree.
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

  /**
   * Reads the files of a run without problems.
   *
   * @throws QuorateException if a file cannot be read
   */
  static RunFacts of(ExperimentRun run) {
    SortedMap<String, byte[]> manifests = new TreeMap<>();
    SortedMap<String, Path> latencyLogs = new TreeMap<>();
    for (DatabaseRun each : run.databases()) {
      String directory = each.directory().id() + "/";
      manifests.put(
          directory + "manifest.json", bytes(StrictJson.text(withoutNames(each.manifest()))));
      latencyLogs.put(directory + "latency.hlog", each.directory().latencyLog());
    }
    try {
      return new RunFacts(inputs(run), manifests, latencyLogs, revealed(run));
    } catch (IOException unreadable) {
      throw FileFailure.unreadable(run.directory().path(), unreadable);
    }
  }

  private static SortedMap<String, byte[]> inputs(ExperimentRun run) throws IOException {
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
        if (!derived.has(file) && !own.contains(file) && !isInterpolatedToo(file)) {
          inputs.put(home.relativize(file).toString().replace('\\', '/'), withoutDirectories(file));
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
    if (!HostFiles.isMeasured(file.getFileName().toString())) {
      return false;
    }
    Path interpolated = HostFiles.interpolated(file);
    return Files.isRegularFile(interpolated) && Files.mismatch(file, interpolated) < 0;
  }

  /** Returns whether there are latencies of the trials of a search. */
  boolean hasTrials() {
    return logs() > manifests.size();
  }

  /** Returns the number of logs of latencies: of the load of each database, and of its trials. */
  int logs() {
    return manifests.size() + logs(allInputs);
  }

  /** Returns the number of logs of latencies among the files of an archive. */
  static int logs(SortedMap<String, byte[]> files) {
    return (int) files.keySet().stream().filter(RunFacts::isLatencies).count();
  }

  /**
   * Returns all files but manifests and the latencies of the load, at the intervals with which they
   * are published.
   *
   * @throws QuorateException if a file with samples or latencies is not one
   */
  SortedMap<String, byte[]> inputs(Publication.Intervals intervals) {
    SortedMap<String, byte[]> inputs = intervals.samples().of(allInputs);
    try (TemporaryDirectory work = TemporaryDirectory.create()) {
      for (Map.Entry<String, byte[]> each : inputs.entrySet()) {
        if (isLatencies(each.getKey())) {
          Path log = Files.write(work.path().resolve("trials.hlog"), each.getValue());
          each.setValue(latencies(log, intervals.latencies(), work.path()));
        }
      }
    } catch (IOException unwritable) {
      throw FileFailure.exception("latencies cannot be prepared", unwritable);
    }
    return inputs;
  }

  /**
   * Reads the logs of latencies of the load.
   *
   * @param intervalSeconds length of their intervals; 1 leaves them unchanged
   * @throws QuorateException if one cannot be read
   */
  SortedMap<String, byte[]> latencies(int intervalSeconds) {
    SortedMap<String, byte[]> latencies = new TreeMap<>();
    try (TemporaryDirectory work = TemporaryDirectory.create()) {
      for (Map.Entry<String, Path> each : latencyLogs.entrySet()) {
        latencies.put(each.getKey(), latencies(each.getValue(), intervalSeconds, work.path()));
      }
    } catch (IOException unreadable) {
      throw FileFailure.exception("latencies cannot be read", unreadable);
    }
    return latencies;
  }

  private static byte[] latencies(Path log, int intervalSeconds, Path work) throws IOException {
    if (intervalSeconds == 1) {
      return Files.readAllBytes(log);
    }
    Path lengthened = work.resolve("lengthened.hlog");
    LatencyLog.lengthen(log, lengthened, intervalSeconds);
    return Files.readAllBytes(lengthened);
  }

  private static boolean isLatencies(String name) {
    return name.endsWith(".hlog");
  }

  private static Manifest withoutNames(Manifest manifest) {
    boolean elsewhere =
        manifest.store().servers().machines().stream().anyMatch(each -> !isLoopback(each));
    return elsewhere ? manifest : manifest.withHost(manifest.host().withoutNames());
  }

  private static RunPlan withoutPaths(RunPlan plan) {
    return new RunPlan(
        Path.of(plan.file()).getFileName().toString(),
        plan.scenario(),
        withoutPaths(plan.options()));
  }

  /** Returns options without those that name directories, and with masked absolute paths. */
  static Map<String, String> withoutPaths(Map<String, String> options) {
    Map<String, String> without = new LinkedHashMap<>();
    options.forEach(
        (option, value) -> {
          if (!option.startsWith("quorate.") && !option.equals("results")) {
            without.put(option, value.matches("[/~].*|.*\\\\.*") ? HostInfo.MASK : value);
          }
        });
    without.computeIfPresent(
        "scenario",
        (option, value) ->
            value.contains("/") || value.equals(HostInfo.MASK) ? Published.SCENARIO : value);
    return without;
  }

  private static List<String> revealed(ExperimentRun run) {
    Set<String> revealed = new TreeSet<>();
    for (DatabaseRun each : run.databases()) {
      ServerInfo servers = each.manifest().store().servers();
      String where = each.directory().id() + "/manifest.json: ";
      servers.members().stream()
          .filter(member -> !isLoopback(member))
          .forEach(member -> revealed.add(where + "address " + member));
      for (ServerInfo.Agent agent : servers.agents()) {
        revealed.add(where + "agent " + agent.address() + agent.host().map(" "::concat).orElse(""));
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

  private static byte[] withoutDirectories(Path file) throws IOException {
    return file.getFileName().toString().endsWith(".bin")
        ? Files.readAllBytes(file)
        : bytes(DIRECTORIES.matcher(Files.readString(file)).replaceAll("/" + HostInfo.MASK + "/"));
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
