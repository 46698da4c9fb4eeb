// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
import io.quorate.install.DirectoryTree;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunEvent;
import io.quorate.results.RunPlan;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.manifest.FileVersions;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ShardInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.ClientFiles;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ErrorRow;
import io.quorate.results.requests.SecondRow;
import io.quorate.results.requests.StepTimes;
import io.quorate.results.requests.TenthRow;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Merges the runs of shards into one: latencies, seconds and errors are added. The manifest and the
 * machine's values of each shard are kept in {@code shards/<number>/}.
 */
public final class ShardMerge {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Options that say which shard a load generator is, and where it meets the others. */
  private static final Set<String> OF_ONE_SHARD = Set.of("shard", "start-at", "barrier");

  /** Subdirectory of a database with the kept files of each shard. */
  static final String SHARDS = "shards";

  /** Size limit of a kept file: more than the metrics of servers have after a day. */
  private static final long MAX_KEPT_BYTES = 1L << 30;

  /** The shards of each database by their numbers. */
  private final Collection<TreeMap<Integer, ShardRun>> databases;

  private ShardMerge(Collection<TreeMap<Integer, ShardRun>> databases) {
    this.databases = databases;
  }

  /**
   * Reads the runs of shards without their latencies: each shard once, all with the same load and
   * servers.
   *
   * @param partial whether to merge the complete shards even if others are missing or failed
   * @throws QuorateException with all problems of the runs
   */
  public static ShardMerge of(List<Path> directories, boolean partial) {
    Problems problems = new Problems();
    List<ShardRun> shards = new ArrayList<>();
    directories.forEach(directory -> read(directory, shards, problems));
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
                    MergeConditions.shown(shard),
                    shard.facts().shard(),
                    shard.directory().id(),
                    MergeConditions.shown(same)));
      }
    }
    byDatabase.values().forEach(each -> MergeConditions.requireSame(each.values(), problems));
    byDatabase.values().forEach(each -> MergeConditions.requireOneHolder(each.values(), problems));
    byDatabase.values().forEach(each -> MergeConditions.requireAll(each, partial, problems));
    problems.throwIfAny();
    return new ShardMerge(byDatabase.values());
  }

  private static void read(Path directory, List<ShardRun> shards, Problems problems) {
    problems
        .attempt(() -> RunDirectory.open(directory).databases())
        .ifPresent(
            databases -> {
              if (databases.isEmpty()) {
                problems.add(
                    VisibleText.of(directory.toString())
                        + ": found no */manifest.json, expected the directory of a shard's run");
              }
              databases.forEach(
                  each -> problems.attempt(() -> ShardRun.read(each)).ifPresent(shards::add));
            });
  }

  /**
   * Writes the merged run.
   *
   * @param into directory that is missing
   * @param console receives lines about the progress
   * @throws QuorateException if the directory exists, or the latencies of a shard cannot be read;
   *     then nothing is left there
   */
  public RunDirectory into(Path into, Consumer<String> console) {
    requireNothing(into);
    RunDirectory run = new RunDirectory(into);
    try {
      for (TreeMap<Integer, ShardRun> shards : databases) {
        write(shards, run, console);
      }
      plan().ifPresent(plan -> plan.write(run));
      return run;
    } catch (QuorateException failure) {
      new DirectoryTree(run.path()).remove();
      throw failure;
    }
  }

  /** Returns the plan of the first shard without what was about that shard alone. */
  private Optional<RunPlan> plan() {
    Path first = databases.iterator().next().firstEntry().getValue().directory().path();
    return RunPlan.read(Objects.requireNonNull(first.toAbsolutePath().getParent()))
        .map(
            plan -> {
              Map<String, String> options = new LinkedHashMap<>(plan.options());
              options.keySet().removeAll(OF_ONE_SHARD);
              return new RunPlan(plan.file(), plan.scenario(), options);
            });
  }

  /** Fails if something is where the merged run is to be. */
  public static void requireNothing(Path into) {
    if (Files.exists(into, LinkOption.NOFOLLOW_LINKS)) {
      throw new QuorateException(
          VisibleText.of(into.toString())
              + ": already exists. Pass a new directory. Nothing was written");
    }
  }

  private void write(
      TreeMap<Integer, ShardRun> shards, RunDirectory run, Consumer<String> console) {
    Optional<ShardRun> holder = shards.values().stream().filter(ShardRun::hasAgents).findFirst();
    List<ShardRun> complete =
        shards.values().stream()
            .filter(ShardRun::isComplete)
            .map(each -> holder.map(each::byClockOf).orElse(each))
            .toList();
    ShardRun first = complete.get(0);
    DatabaseDirectory directory = run.createDatabase(first.directory().id());
    MergedLatencies latencies = new MergedLatencies();
    complete.forEach(each -> latencies.add(each.directory().latencyLog(), each.aheadSeconds()));
    Instant start = start(complete);
    String seconds =
        first
            .manifest()
            .end()
            .map(end -> " of " + Duration.between(start, end).toSeconds())
            .orElse("");
    console.accept(
        "%s: merging %s".formatted(directory.id(), NumberFormats.count(complete.size(), "shard")));
    latencies.write(
        directory.latencyLog(),
        start,
        second ->
            console.accept(
                "%s: merged %s%s s of latencies"
                    .formatted(directory.id(), second - start.getEpochSecond(), seconds)));
    writeClients(complete, first.facts().whole(), directory);
    RunEvent.append(directory, events(complete));
    complete.forEach(each -> keep(each, directory));
    holder.filter(ShardRun::isComplete).ifPresent(each -> copyServers(each, directory));
    manifest(shards, complete).withSizes(FileVersions.sizes(directory.path())).write(directory);
  }

  /** Returns the events of all shards, by the clock that they share. */
  private static List<RunEvent> events(List<ShardRun> shards) {
    return shards.stream()
        .flatMap(
            shard -> {
              long aheadNanos = Math.round(shard.aheadSeconds() * NANOS_PER_SECOND);
              return RunEvent.FILE.read(shard.directory()).stream()
                  // one shard does not know whether the others had successes meanwhile
                  .filter(event -> event.kind() != RunEvent.Kind.NO_SUCCESS)
                  .map(event -> event.shifted(-aheadNanos));
            })
        .sorted(Comparator.comparingLong(RunEvent::startUnixNanos))
        .toList();
  }

  private static Instant start(List<ShardRun> shards) {
    return shards.stream()
        .map(each -> each.manifest().start())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private Manifest manifest(TreeMap<Integer, ShardRun> shards, List<ShardRun> complete) {
    Manifest first = complete.get(0).manifest();
    ShardInfo facts = complete.get(0).facts();
    List<String> absent = MergeConditions.absent(shards);
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
        complete.stream()
            .filter(ShardRun::hasAgents)
            .findFirst()
            .orElse(complete.get(0))
            .manifest()
            .store(),
        first.load().realTime().map(facts.whole()::withRealTime).orElse(facts.whole()),
        machines(complete),
        List.of(),
        complete.stream()
            .flatMap(each -> each.manifest().verification().stream())
            .reduce(ShardMerge::together),
        Optional.empty(),
        summaries(shards, facts.shard().count()),
        Optional.of(FileVersions.written()),
        Optional.empty());
  }

  private static List<MergedShard> summaries(TreeMap<Integer, ShardRun> shards, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(
            number ->
                shards.containsKey(number)
                    ? shards.get(number).summary()
                    : MergedShard.missing(number, count))
        .toList();
  }

  /** Returns the facts of the first machine, with the names and the cores of all machines. */
  private static HostInfo machines(List<ShardRun> shards) {
    HostInfo first = shards.get(0).manifest().host();
    Map<String, HostInfo> byName = new LinkedHashMap<>();
    shards.forEach(
        each ->
            byName.putIfAbsent(
                each.manifest().host().host().orElse("unknown"), each.manifest().host()));
    return byName.size() == 1
        ? first
        : new HostInfo(
            Optional.of(VisibleText.line(String.join(", ", byName.keySet()))),
            first.os(),
            first.kernel(),
            byName.values().stream().mapToInt(HostInfo::cores).sum(),
            first.cpuModel(),
            first.memoryBytes(),
            first.disk(),
            first.container(),
            first.jvmVersion(),
            first.jvmVendor(),
            first.jvmFlags(),
            Optional.empty());
  }

  private static Verification together(Verification one, Verification other) {
    return new Verification(
        one.acknowledgedKeys() + other.acknowledgedKeys(),
        one.chosenKeys() + other.chosenKeys(),
        one.readKeys() + other.readKeys(),
        one.missingKeys() + other.missingKeys(),
        one.wrongKeys() + other.wrongKeys(),
        Stream.concat(one.firstFaults().stream(), other.firstFaults().stream()).toList(),
        one.leastKeyCount() + other.leastKeyCount(),
        OptionalLong.empty(),
        one.valuesCompared() && other.valuesCompared(),
        Stream.concat(one.obstacle().stream(), other.obstacle().stream())
            .distinct()
            .collect(Collectors.collectingAndThen(Collectors.joining("; "), Optional::of))
            .filter(text -> !text.isEmpty()),
        Math.max(one.elapsedNanos(), other.elapsedNanos()));
  }

  /** Copies the manifest, and what the load generator measured. */
  private static void keep(ShardRun shard, DatabaseDirectory merged) {
    DatabaseDirectory directory = shard.directory();
    Path client = new HostFiles(directory).client();
    copy(
        Stream.of(
            directory.manifest(),
            StepTimes.FILE.in(directory.path()),
            ErrorRow.FILE.in(directory.path()),
            SecondRow.FILE.in(directory.path()),
            client,
            HostFiles.steps(client)),
        merged.path().resolve(SHARDS).resolve(Integer.toString(shard.number())));
  }

  /** Copies the measurements of the servers by the shard with the agents. */
  private static void copyServers(ShardRun shard, DatabaseDirectory merged) {
    HostFiles files = new HostFiles(shard.directory());
    copy(
        Stream.concat(
            files.servers().values().stream().flatMap(raw -> Stream.of(raw, HostFiles.steps(raw))),
            Stream.of(files.diskUsage(), files.internals())),
        merged.path());
  }

  /** Copies the existing files of a shard within a size limit, and no links. */
  private static void copy(Stream<Path> files, Path into) {
    FileAction.require(
        VisibleText.of(into.toString()) + ": cannot be written",
        () -> {
          Files.createDirectories(into);
          for (Path file : files.toList()) {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) <= MAX_KEPT_BYTES) {
              Files.copy(file, into.resolve(file.getFileName()), LinkOption.NOFOLLOW_LINKS);
            }
          }
        });
  }

  /** Adds the measurements of complete shards, by the clock that they share. */
  private static void writeClients(
      List<ShardRun> shards, LoadInfo whole, DatabaseDirectory merged) {
    SecondRow.FILE.append(
        merged.path(),
        SecondRow.merged(
            rows(
                shards,
                (shard, clients) ->
                    clients.requests().stream()
                        .map(row -> row.at(shard.sharedSecond(row.unixSecond()))))));
    ErrorRow.FILE.append(
        merged.path(),
        rows(
            shards,
            (shard, clients) ->
                clients.errorRows().stream()
                    .map(row -> row.at(shard.sharedSecond(row.unixSecond())))));
    List<TenthRow> tenths = shards.stream().flatMap(ShardMerge::tenths).toList();
    if (!tenths.isEmpty()) {
      TenthRow.FILE.append(merged.path(), tenths);
    }
    StepTimes.FILE.append(
        merged.path(),
        IntStream.rangeClosed(1, whole.steps().size())
            .mapToObj(step -> times(shards, step))
            .toList());
    List<AttemptCounts> attempts =
        AttemptCounts.merged(rows(shards, (shard, clients) -> clients.attempts().stream()));
    if (!attempts.isEmpty()) {
      AttemptCounts.FILE.append(merged.path(), attempts);
    }
  }

  /** Returns the tenths of seconds of a shard, by the clock that all share. */
  private static Stream<TenthRow> tenths(ShardRun shard) {
    Problems problems = new Problems();
    List<TenthRow> rows = new ClientFiles(shard.directory()).readTenths(shard.manifest(), problems);
    problems.throwIfAny();
    long aheadMillis = Math.round(shard.aheadSeconds() * MILLIS_PER_SECOND);
    return rows.stream().map(row -> row.shifted(-aheadMillis));
  }

  private static <T> List<T> rows(
      List<ShardRun> shards, BiFunction<ShardRun, ClientResults, Stream<T>> rows) {
    return shards.stream()
        .flatMap(shard -> rows.apply(shard, shard.clients().orElseThrow()))
        .toList();
  }

  /**
   * Returns the time from the first beginning to the last end, by the shared clock. How long no
   * shard had a success is unknown.
   */
  private static StepTimes times(List<ShardRun> shards, int number) {
    List<Instant> begins = new ArrayList<>();
    List<Instant> ends = new ArrayList<>();
    long longest = 0;
    for (ShardRun shard : shards) {
      long duration = shard.clients().orElseThrow().steps().get(number - 1).durationNanos();
      longest = Math.max(longest, duration);
      Optional<Instant> begin = shard.start(number).map(ShardStart::sharedTime);
      begin.ifPresent(begins::add);
      begin.ifPresent(time -> ends.add(time.plusNanos(duration)));
    }
    long nanos =
        begins.size() == shards.size()
            ? Duration.between(
                    begins.stream().min(Instant::compareTo).orElseThrow(),
                    ends.stream().max(Instant::compareTo).orElseThrow())
                .toNanos()
            : longest;
    return StepTimes.ofDuration(number, nanos);
  }
}
