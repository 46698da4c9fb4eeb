package io.quorate.run;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.measure.Verification;
import io.quorate.scenario.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Merges the runs of shards into one: latencies, seconds and errors are added, and of each shard
 * its manifest and its own figures are kept beside them, in {@code shards/<number>/}.
 */
public final class ShardMerge {
  /** Directory below that of a database with what is kept of each shard. */
  static final String SHARDS = "shards";

  /** Files of a shard that are kept as they are. */
  private static final List<String> KEPT =
      List.of(
          "manifest.json",
          "steps.csv",
          "errors.csv",
          "requests.csv",
          "client-system-metrics-interpolated.csv",
          "client-system-metrics-steps.csv");

  private static final long LARGEST_KEPT_BYTES = 64L << 20;

  private final Map<String, TreeMap<Integer, ShardRun>> byDatabase;

  private ShardMerge(Map<String, TreeMap<Integer, ShardRun>> byDatabase) {
    this.byDatabase = byDatabase;
  }

  /**
   * Reads the runs of shards, all but their latencies.
   *
   * @param directories of the runs
   * @param partial whether to merge what is complete, though shards are missing or failed
   * @throws QuorateException with all that is wrong with them
   */
  public static ShardMerge of(List<Path> directories, boolean partial) {
    List<String> problems = new ArrayList<>();
    List<ShardRun> shards = new ArrayList<>();
    for (Path directory : directories) {
      read(directory, shards, problems);
    }
    Map<String, TreeMap<Integer, ShardRun>> byDatabase = new LinkedHashMap<>();
    for (ShardRun shard : shards) {
      ShardRun same =
          byDatabase
              .computeIfAbsent(shard.directory().id(), absent -> new TreeMap<>())
              .putIfAbsent(shard.number(), shard);
      if (same != null) {
        problems.add(
            "%s: found %s of %s, which is in %s already, expected each once"
                .formatted(
                    shown(shard), shard.facts().shard(), shard.directory().id(), shown(same)));
      }
    }
    byDatabase.values().forEach(each -> requireSame(each.values(), problems));
    byDatabase.values().forEach(each -> requireAll(each, partial, problems));
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return new ShardMerge(byDatabase);
  }

  private static void read(Path directory, List<ShardRun> shards, List<String> problems) {
    try {
      List<DatabaseDirectory> databases = RunDirectory.open(directory).databases();
      if (databases.isEmpty()) {
        problems.add(
            GoText.visible(directory.toString())
                + ": found no */manifest.json, expected the directory of a shard's run");
      }
      for (DatabaseDirectory each : databases) {
        try {
          shards.add(ShardRun.read(each));
        } catch (QuorateException wrong) {
          problems.add(wrong.getMessage());
        }
      }
    } catch (QuorateException wrong) {
      problems.add(wrong.getMessage());
    }
  }

  /** Reports shards of another load than the first. */
  private static void requireSame(Iterable<ShardRun> shards, List<String> problems) {
    ShardRun first = shards.iterator().next();
    for (ShardRun each : shards) {
      same(
          each,
          first,
          "scenario",
          each.manifest().scenario().name(),
          first.manifest().scenario().name(),
          problems);
      same(
          each,
          first,
          "scale",
          each.manifest().scenario().scale(),
          first.manifest().scenario().scale(),
          problems);
      same(
          each,
          first,
          "number of shards",
          each.facts().shard().count(),
          first.facts().shard().count(),
          problems);
      if (!each.manifest().scenario().text().equals(first.manifest().scenario().text())
          || !each.facts().limits().equals(first.facts().limits())) {
        problems.add(
            "%s: found another text of the scenario than in %s"
                .formatted(shown(each), shown(first)));
      } else if (!each.facts().whole().equals(first.facts().whole())) {
        problems.add(
            "%s: found another load of all shards than in %s".formatted(shown(each), shown(first)));
      }
      if (!each.manifest().store().settings().equals(first.manifest().store().settings())
          || !each.manifest().store().tag().equals(first.manifest().store().tag())) {
        problems.add("%s: found other servers than in %s".formatted(shown(each), shown(first)));
      }
    }
  }

  private static void same(
      ShardRun shard,
      ShardRun first,
      String what,
      Object found,
      Object expected,
      List<String> problems) {
    if (!found.equals(expected)) {
      problems.add(
          "%s: %s: found %s, expected %s as in %s"
              .formatted(
                  shown(shard),
                  what,
                  GoText.visible(found.toString()),
                  GoText.visible(expected.toString()),
                  shown(first)));
    }
  }

  /** Reports shards that are missing or not complete. */
  private static void requireAll(
      TreeMap<Integer, ShardRun> shards, boolean partial, List<String> problems) {
    ShardRun first = shards.firstEntry().getValue();
    List<String> absent = absent(shards);
    if (!partial) {
      absent.forEach(
          each ->
              problems.add(
                  "%s: %s: expected all of the %d shards, complete; --partial merges the others, and the run is marked as failed"
                      .formatted(first.directory().id(), each, first.facts().shard().count())));
    } else if (shards.values().stream().noneMatch(ShardRun::isComplete)) {
      problems.add(first.directory().id() + ": found no shard that is complete, expected one");
    }
  }

  /** Names the shards that are not in the merged run. */
  private static List<String> absent(TreeMap<Integer, ShardRun> shards) {
    List<String> absent = new ArrayList<>();
    int count = shards.firstEntry().getValue().facts().shard().count();
    for (int number = 1; number <= count; number++) {
      ShardRun shard = shards.get(number);
      String name = new Shard(number, count).toString();
      if (shard == null) {
        absent.add(name + " is missing");
      } else if (!shard.isComplete()) {
        absent.add(
            "%s is %s%s (%s)"
                .formatted(
                    name,
                    shard.manifest().status().label(),
                    shard.manifest().reason().map(why -> ": " + GoText.visible(why)).orElse(""),
                    shown(shard)));
      }
    }
    return absent;
  }

  private static String shown(ShardRun shard) {
    return GoText.visible(shard.directory().toString());
  }

  /**
   * Writes the merged run.
   *
   * @param into a directory that is not there yet, or is empty
   * @throws QuorateException if there is something, or the latencies of a shard cannot be read;
   *     then nothing is left there
   */
  public RunDirectory into(Path into) {
    requireNothing(into);
    RunDirectory run = new RunDirectory(into);
    try {
      for (TreeMap<Integer, ShardRun> shards : byDatabase.values()) {
        write(shards, run);
      }
      return run;
    } catch (QuorateException failure) {
      remove(run.path());
      throw failure;
    }
  }

  private static void requireNothing(Path into) {
    boolean empty = !Files.exists(into, LinkOption.NOFOLLOW_LINKS);
    if (Files.isDirectory(into, LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> entries = Files.list(into)) {
        empty = entries.findAny().isEmpty();
      } catch (IOException impossible) {
        throw unreadable(into, impossible);
      }
    }
    if (!empty) {
      throw new QuorateException(
          GoText.visible(into.toString())
              + ": is there already, expected a new directory: nothing was written");
    }
  }

  private void write(TreeMap<Integer, ShardRun> shards, RunDirectory run) {
    List<ShardRun> complete = shards.values().stream().filter(ShardRun::isComplete).toList();
    ShardRun first = complete.get(0);
    DatabaseDirectory directory = run.createDatabase(first.directory().id());
    MergedLatencies latencies = new MergedLatencies();
    complete.forEach(
        each ->
            latencies.add(
                each.directory().latencyLog(), each.manifest().load(), each.aheadSeconds()));
    latencies.write(directory.latencyLog(), start(complete));
    Problems problems = new Problems();
    for (int i = 0; i < complete.size(); i++) {
      ShardRun shard = complete.get(i);
      Map<LatencyTag, Long> counts = latencies.counts().get(i);
      problems.attempt(
          () -> {
            shard.requireAgreement(counts);
            return shard;
          });
    }
    problems.throwIfAny();
    new ClientFiles(directory)
        .write(new MergedClients(complete, first.facts().whole(), latencies).steps());
    complete.forEach(each -> keep(each, directory));
    manifest(shards, complete).write(directory);
  }

  private static Instant start(List<ShardRun> shards) {
    return shards.stream()
        .map(each -> each.manifest().start())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private Manifest manifest(TreeMap<Integer, ShardRun> shards, List<ShardRun> complete) {
    Manifest first = complete.get(0).manifest();
    ShardFacts facts = complete.get(0).facts();
    List<String> absent = absent(shards);
    return new Manifest(
        absent.isEmpty() ? RunStatus.COMPLETE : RunStatus.FAILED,
        absent.isEmpty()
            ? Optional.empty()
            : Optional.of(
                "merged from %d of %d shards: %s"
                    .formatted(complete.size(), facts.shard().count(), String.join("; ", absent))),
        start(complete),
        complete.stream()
            .flatMap(each -> each.manifest().end().stream())
            .max(Comparator.naturalOrder()),
        first.suite(),
        first.scenario().withLimits(facts.limits()),
        first.store(),
        facts.whole(),
        machines(complete),
        List.of(),
        verification(complete),
        Optional.empty(),
        summaries(shards, facts.shard().count()));
  }

  private static List<MergedShard> summaries(TreeMap<Integer, ShardRun> shards, int count) {
    List<MergedShard> all = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      ShardRun shard = shards.get(number);
      all.add(shard == null ? MergedShard.missing(number, count) : shard.summary());
    }
    return all;
  }

  /** Returns the facts of the first machine, with the names and the cores of all. */
  private static HostFacts machines(List<ShardRun> shards) {
    HostFacts first = shards.get(0).manifest().host();
    Map<String, HostFacts> byName = new LinkedHashMap<>();
    shards.forEach(
        each ->
            byName.putIfAbsent(
                each.manifest().host().host().orElse("unknown"), each.manifest().host()));
    return byName.size() == 1
        ? first
        : new HostFacts(
            Optional.of(GoText.shortened(String.join(", ", byName.keySet()))),
            first.os(),
            first.kernel(),
            byName.values().stream().mapToInt(HostFacts::cores).sum(),
            first.memoryBytes(),
            first.jvmVersion(),
            first.jvmVendor(),
            first.jvmFlags());
  }

  private static Optional<Verification> verification(List<ShardRun> shards) {
    List<Verification> all =
        shards.stream().flatMap(each -> each.manifest().verification().stream()).toList();
    return all.stream().reduce(ShardMerge::together);
  }

  private static Verification together(Verification one, Verification other) {
    return new Verification(
        one.acknowledged() + other.acknowledged(),
        one.chosen() + other.chosen(),
        one.read() + other.read(),
        one.missing() + other.missing(),
        one.wrong() + other.wrong(),
        Stream.concat(one.first().stream(), other.first().stream()).toList(),
        one.leastCount() + other.leastCount(),
        OptionalLong.empty(),
        one.valuesCompared() && other.valuesCompared(),
        Stream.concat(one.obstacle().stream(), other.obstacle().stream())
            .distinct()
            .collect(Collectors.collectingAndThen(Collectors.joining("; "), Optional::of))
            .filter(text -> !text.isEmpty()),
        Math.max(one.elapsedNanos(), other.elapsedNanos()));
  }

  private static void keep(ShardRun shard, DatabaseDirectory merged) {
    Path kept = merged.path().resolve(SHARDS).resolve(Integer.toString(shard.number()));
    try {
      Files.createDirectories(kept);
      for (String name : KEPT) {
        Path file = shard.directory().path().resolve(name);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Files.size(file) <= LARGEST_KEPT_BYTES) {
          Files.copy(file, kept.resolve(name), LinkOption.NOFOLLOW_LINKS);
        }
      }
    } catch (IOException impossible) {
      throw new QuorateException(
          GoText.visible(kept.toString())
              + ": cannot be written: "
              + FileFailure.reason(impossible),
          impossible);
    }
  }

  private static QuorateException unreadable(Path path, IOException why) {
    return new QuorateException(
        GoText.visible(path.toString()) + ": cannot be read: " + FileFailure.reason(why), why);
  }

  /** Removes what was written here; links are removed, not followed. */
  private static void remove(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
    } catch (IOException impossible) {
      throw unreadable(directory, impossible);
    }
  }
}
