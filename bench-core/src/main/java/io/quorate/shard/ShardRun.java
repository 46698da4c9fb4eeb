package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.GoText;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerFacts;
import io.quorate.results.manifest.ShardFacts;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.AskedLoad;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ClientResultsReader;
import io.quorate.results.requests.FileAgreement;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A shard's measurements of one database, without its latencies, which are read when they are
 * merged.
 *
 * @param clients empty if it is not complete
 * @param referenceSeconds how far the clock by which the merged run tells times was ahead of the
 *     one that all shards share
 */
record ShardRun(
    DatabaseDirectory directory,
    Manifest manifest,
    ShardFacts facts,
    Optional<ClientResults> clients,
    double referenceSeconds) {
  private static final double MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  /**
   * Reads the files of a shard, all of which have to be files and no links.
   *
   * @throws QuorateException with all that is wrong with them
   */
  static ShardRun read(DatabaseDirectory directory) {
    requireOwnFiles(directory);
    Manifest manifest = Manifest.read(directory.manifest());
    String shown = VisibleText.of(directory.toString());
    if (!manifest.store().id().equals(directory.id())) {
      throw new QuorateException(
          "%s: found the manifest of %s, expected that of %s as the directory is named"
              .formatted(
                  shown,
                  VisibleText.line(GoText.quoted(manifest.store().id())),
                  GoText.quoted(directory.id())));
    }
    if (!manifest.shards().isEmpty()) {
      throw new QuorateException(shown + ": found a merged run, expected one of a shard");
    }
    ShardFacts facts =
        manifest
            .shard()
            .orElseThrow(
                () ->
                    new QuorateException(
                        shown + ": found a run of one load generator, expected one of a shard"));
    boolean complete = manifest.status() == RunStatus.COMPLETE;
    return new ShardRun(
        directory,
        manifest,
        facts,
        complete
            ? Optional.of(
                new ClientResultsReader(
                        directory.clientFiles(), Optional.of(AskedLoad.of(manifest.load())))
                    .read())
            : Optional.empty(),
        0);
  }

  private static void requireOwnFiles(DatabaseDirectory directory) {
    List<Path> files = new ArrayList<>(directory.clientFiles().values());
    files.add(directory.manifest());
    files.add(directory.latencyLog());
    files.add(directory.path());
    List<String> problems =
        files.stream()
            .filter(Files::isSymbolicLink)
            .map(
                file ->
                    VisibleText.of(file.toString())
                        + ": found a symbolic link, expected what the shard wrote itself")
            .toList();
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    if (!Files.isRegularFile(directory.manifest(), LinkOption.NOFOLLOW_LINKS)) {
      throw new QuorateException(
          VisibleText.of(directory.manifest().toString()) + ": found no such file");
    }
  }

  int number() {
    return facts.shard().number();
  }

  boolean isComplete() {
    return clients.isPresent();
  }

  /** Returns this shard in a run whose times are by the clock of another one. */
  ShardRun byClockOf(ShardRun other) {
    return new ShardRun(directory, manifest, facts, clients, other.lead());
  }

  /** Returns whether it had the agents that ran the servers of all. */
  boolean hasAgents() {
    return manifest
        .store()
        .servers()
        .hosting()
        .filter(ServerFacts.Hosting.AGENTS::equals)
        .isPresent();
  }

  /** Returns how far its clock was ahead of that of the merged run, as far as is known. */
  double aheadSeconds() {
    return lead() - referenceSeconds;
  }

  /** Returns how far its clock was ahead of the one that all shards share, as far as is known. */
  private double lead() {
    return facts.starts().stream()
        .flatMap(start -> start.clock().stream())
        .findFirst()
        .map(clock -> clock.aheadMicros() / MICROS_PER_SECOND)
        .orElse(0.0);
  }

  /** Returns the second of the merged run that a second of its own clock is. */
  long sharedSecond(long unixSecond) {
    return unixSecond - Math.round(aheadSeconds());
  }

  /** Returns when it began a step, by the shared clock; empty if that is not known. */
  Optional<ShardStart> start(int step) {
    return facts.starts().stream().filter(each -> each.step() == step).findFirst();
  }

  /**
   * Compares its files with each other.
   *
   * @param latencies how many there are in its log
   */
  void requireAgreement(Map<LatencyTag, Long> latencies) {
    new FileAgreement(directory, manifest.load(), latencies).check(clients.orElseThrow());
  }

  /** Returns what the manifest of the merged run says of it. */
  MergedShard summary() {
    return new MergedShard(
        number(),
        facts.shard().count(),
        Optional.of(String.valueOf(directory.path().getParent().getFileName())),
        Optional.of(manifest.status()),
        manifest.reason(),
        manifest.host().host(),
        Optional.of(manifest.suite()),
        Optional.of(manifest.host()),
        manifest.store().servers().members(),
        facts.starts(),
        clients.map(ClientResults::successCount).orElse(0L),
        clients.map(ClientResults::errorCount).orElse(0L),
        clients.map(ClientResults::shedCount).orElse(0L),
        manifest.costs());
  }
}
