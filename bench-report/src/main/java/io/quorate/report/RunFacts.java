// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.format.StrictJson;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.FileVersions;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a run that its report reads, without the name of the load generator's machine and
 * directories on it.
 *
 * @param files contents by their paths below the directory of the run
 * @param revealed what the files say about the machines, for the user to judge
 */
record RunFacts(SortedMap<String, byte[]> files, List<String> revealed) {
  /**
   * What the report reads; other files are logs, pages, pictures and dbtester's rows of machines.
   */
  private static final Pattern FACTS =
      Pattern.compile(".*(?<!-interpolated)\\.(?:csv|json|jsonl|bin|hlog)|etcd-benchmark\\.txt");

  /** Files without texts of servers or users. */
  private static final Pattern UNCHANGED = Pattern.compile(".*\\.(?:bin|hlog)");

  private static final Set<String> OTHER_DIRECTORIES = Set.of("logs", "gatling", "plots", "jepsen");

  /** Directories of a machine in messages of servers, before the name of a file. */
  private static final Pattern DIRECTORIES =
      Pattern.compile(
          "(?<![\\w./-])/(?:home|Users|root|tmp|var|opt|srv|mnt|data|work)/(?:[\\w.@+-]+/)*(?=[\\w.@+-])");

  /**
   * Returns why a run cannot be published; empty if it can. A run is refused if it has none of the
   * statuses, one of its files is unreadable, or its counts do not agree.
   *
   * @param run with its files
   */
  static List<String> problems(ExperimentRun run, Set<RunStatus> statuses) {
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
      if (!statuses.contains(manifest.status())) {
        problems.add(
            "%s: found status %s, expected %s%s"
                .formatted(
                    id,
                    manifest.status().id(),
                    statuses.stream().map(RunStatus::id).collect(Collectors.joining(" or ")),
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
    Path home = run.directory().path();
    OutputFiles derived = new OutputFiles(home);
    new RunReport(run, RowLabels.LATER).addData(derived);
    SortedMap<String, byte[]> facts = new TreeMap<>();
    try {
      for (Path file : DatabaseDirectory.files(home)) {
        if (isFact(home, file) && !derived.has(file)) {
          facts.put(home.relativize(file).toString().replace('\\', '/'), withoutDirectories(file));
        }
      }
    } catch (IOException unreadable) {
      throw FileFailure.unreadable(home, unreadable);
    }
    for (DatabaseRun each : run.databases()) {
      String id = each.directory().id() + "/";
      Map<String, Long> sizes = new TreeMap<>();
      facts.tailMap(id).entrySet().stream()
          .takeWhile(fact -> fact.getKey().startsWith(id))
          .filter(fact -> FileVersions.has(fact.getKey().substring(id.length())))
          .forEach(
              fact ->
                  sizes.put(fact.getKey().substring(id.length()), (long) fact.getValue().length));
      facts.put(
          id + each.directory().manifest().getFileName(),
          withoutDirectories(StrictJson.text(withoutNames(each.manifest()).withSizes(sizes))));
    }
    RunPlan.read(home)
        .ifPresent(plan -> facts.put(RunPlan.NAME, bytes(StrictJson.text(withoutPaths(plan)))));
    return new RunFacts(facts, revealed(run));
  }

  private static boolean isFact(Path home, Path file) {
    boolean other =
        Stream.iterate(file, each -> !each.equals(home), Path::getParent)
            .anyMatch(each -> OTHER_DIRECTORIES.contains(each.getFileName().toString()));
    return !other
        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && FACTS.matcher(file.getFileName().toString()).matches();
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
            value.contains("/") || value.equals(HostInfo.MASK) ? PublishedRun.SCENARIO : value);
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
    return UNCHANGED.matcher(file.getFileName().toString()).matches()
        ? Files.readAllBytes(file)
        : withoutDirectories(Files.readString(file));
  }

  private static byte[] withoutDirectories(String text) {
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
