// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.GoText;
import io.quorate.format.Problems;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.ShardInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.ClientFiles;
import io.quorate.results.requests.ClientResults;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A shard's measurements of one database, without its latencies, which are read when they are
 * merged.
 *
 * @param clients results of its clients; empty if its run is not complete
 * @param referenceSeconds how far the clock of the merged run was ahead of the clock that all
 *     shards share
 */
record ShardRun(
    DatabaseDirectory directory,
    Manifest manifest,
    ShardInfo facts,
    Optional<ClientResults> clients,
    double referenceSeconds) {
  private static final double MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  /** Reads the files of a shard; fails with all problems. */
  static ShardRun read(DatabaseDirectory directory) {
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
    ShardInfo facts =
        manifest
            .shard()
            .orElseThrow(
                () ->
                    new QuorateException(
                        shown + ": found a run of one load generator, expected one of a shard"));
    boolean complete = manifest.status() == RunStatus.COMPLETE;
    return new ShardRun(
        directory, manifest, facts, complete ? clients(directory, manifest) : Optional.empty(), 0);
  }

  private static Optional<ClientResults> clients(DatabaseDirectory directory, Manifest manifest) {
    Problems problems = new Problems();
    manifest
        .sizes()
        .ifPresent(
            known ->
                known.keySet().stream()
                    .map(directory.path()::resolve)
                    .forEach(file -> problems.attempt(() -> manifest.requireWhole(file))));
    Optional<ClientResults> clients = new ClientFiles(directory).read(manifest, problems);
    problems.throwIfAny();
    return clients;
  }

  int number() {
    return facts.shard().number();
  }

  boolean isComplete() {
    return clients.isPresent();
  }

  /** Returns this shard for a merged run with the clock of another shard. */
  ShardRun byClockOf(ShardRun other) {
    return new ShardRun(directory, manifest, facts, clients, other.lead());
  }

  /** Returns whether it had the agents that ran the servers for all. */
  boolean hasAgents() {
    return manifest.store().servers().are(ServerInfo.Hosting.AGENTS);
  }

  /** Returns how far its clock was ahead of the merged run's clock; 0 if unknown. */
  double aheadSeconds() {
    return lead() - referenceSeconds;
  }

  /** Returns how far its clock was ahead of the clock that all shards share; 0 if unknown. */
  private double lead() {
    return facts.starts().stream()
        .flatMap(start -> start.clock().stream())
        .findFirst()
        .map(clock -> clock.aheadMicros() / MICROS_PER_SECOND)
        .orElse(0.0);
  }

  /** Converts a second of its clock to a second of the merged run. */
  long sharedSecond(long unixSecond) {
    return unixSecond - Math.round(aheadSeconds());
  }

  /** Returns when it began a step, by the shared clock; empty if that is not known. */
  Optional<ShardStart> start(int step) {
    return facts.starts().stream().filter(each -> each.step() == step).findFirst();
  }

  MergedShard summary() {
    return new MergedShard(
        number(),
        facts.shard().count(),
        Optional.of(
            String.valueOf(Objects.requireNonNull(directory.path().getParent()).getFileName())),
        Optional.of(manifest.status()),
        manifest.reason(),
        manifest.host().host(),
        Optional.of(manifest.suite()),
        Optional.of(manifest.host()),
        manifest.store().servers().members(),
        facts.starts(),
        clients.map(ClientResults::successCount).orElse(0L),
        clients.map(ClientResults::errorCount).orElse(0L),
        clients.map(results -> results.counts().dropped()).orElse(0L),
        manifest.costs());
  }
}
