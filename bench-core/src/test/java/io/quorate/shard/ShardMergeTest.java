// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.Latencies;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.FileVersions;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.ShardInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.manifest.Verifications;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationSteps;
import io.quorate.results.requests.SecondRow;
import io.quorate.results.requests.TenthRow;
import io.quorate.scenario.Shard;
import io.quorate.scenario.SloLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardMergeTest {
  private static final int SHARDS = 3;
  private static final SyntheticShards RUNS = new SyntheticShards(SHARDS, 5, 40);

  @TempDir private Path directory;

  private List<Path> shards(int... numbers) {
    List<Path> runs = new ArrayList<>();
    for (int number : numbers) {
      runs.add(RUNS.write(directory.resolve("results"), number).path());
    }
    return runs;
  }

  private Path into() {
    return directory.resolve("merged");
  }

  private DatabaseRun merged(List<Path> runs, boolean partial) {
    ShardMerge.of(runs, partial).into(into(), line -> {});
    List<DatabaseRun> databases = ExperimentRun.read(into()).databases();
    assertThat(databases).hasSize(1);
    return databases.get(0);
  }

  private static Latencies latencies(ClientResults results) {
    return results.latencies(any -> true, Optional.empty());
  }

  @Test
  void latencies_seconds_and_errors_are_added_exactly() {
    List<Path> runs = shards(2, 3, 1);
    DatabaseRun merged = merged(runs, false);
    ClientResults results = merged.clients().orElseThrow();
    assertThat(results.successCount()).isEqualTo(3 * 199);
    assertThat(results.errorCount()).isEqualTo(3);
    assertThat(results.requests())
        .extracting(SecondRow::succeeded)
        .containsExactly(117L, 120L, 120L, 120L, 120L);
    Histogram sum = new Histogram(3);
    Latencies both = Latencies.NONE;
    for (Path run : runs) {
      DatabaseRun shard = DatabaseRun.read(run.resolve("etcd"));
      sum.add(shard.latencies().all());
      both = both.plus(latencies(shard.clients().orElseThrow()));
    }
    assertThat(merged.latencies().all()).isEqualTo(sum);
    assertThat(latencies(results))
        .usingRecursiveComparison()
        .withEqualsForType((a, b) -> Math.abs(a - b) <= 1e-9 * a, Double.class)
        .isEqualTo(both);
    assertThat(
            merged.latencies().byTag().get(LatencyTag.of(1, LatencyTag.Time.LAG)).getTotalCount())
        .isEqualTo(600);
    assertThat(merged.latencies().intervals()).hasSize(5).allMatch(each -> each.count() >= 117);
    // from the beginning of the first to the end of the last, 2 ms later
    assertThat(results.steps().get(0).durationNanos()).isEqualTo(5_002_000_000L);
  }

  @Test
  void the_manifest_is_that_of_the_whole_load_and_keeps_that_of_each_shard() {
    Manifest manifest = merged(shards(1, 2, 3), false).manifest();
    assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(manifest.load().requests()).isEqualTo(600);
    assertThat(manifest.load().steps().get(0).connections()).isEqualTo(30);
    assertThat(manifest.scenario().limits()).containsExactly(SloLimit.parse("errors = 0").get());
    assertThat(manifest.shard()).isEmpty();
    assertThat(manifest.shards()).extracting(MergedShard::number).containsExactly(1, 2, 3);
    assertThat(manifest.shards()).extracting(MergedShard::succeeded).containsOnly(199L);
    assertThat(manifest.shards())
        .allSatisfy(
            shard -> {
              assertThat(shard.machine().orElseThrow().jvmVersion()).isEqualTo("17.0.15+6");
              assertThat(shard.members()).containsExactly("10.0.0.1:2379", "10.0.0.2:2379");
            });
    for (int number = 1; number <= SHARDS; number++) {
      Path kept = into().resolve("etcd/shards/" + number);
      assertThat(
              Manifest.read(kept.resolve("manifest.json")).shard().orElseThrow().shard().number())
          .isEqualTo(number);
      assertThat(kept.resolve("errors.csv")).content().contains("no answer");
    }
  }

  @Test
  void shards_that_are_missing_or_failed_are_named_and_nothing_is_written() {
    List<Path> runs = shards(1);
    RunDirectory failed =
        RunDirectory.create(
            directory.resolve("results"), "quick", 1, new Shard(2, SHARDS), Manifests.START);
    RUNS.write(
        failed, RUNS.manifest(2).failed(Manifests.START.plusSeconds(1), "no space\u001b left"));
    runs.add(failed.path());
    assertThatThrownBy(() -> ShardMerge.of(runs, false))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "etcd: shard 3 of 3 is missing: expected all of the 3 shards, complete; --partial"
                + " merges the others, and the run is marked as failed\netcd: shard 2 of 3 is"
                + " failed: no space\\x1b left ("
                + failed.path().resolve("etcd")
                + "): expected all of the 3 shards, complete; --partial merges the others, and the"
                + " run is marked as failed");

    assertThatThrownBy(() -> ShardMerge.of(shards(1), false))
        .hasMessageStartingWith("etcd: shards 2, 3 of 3 are missing: expected all of the 3 shards");

    Manifest manifest = merged(runs, true).manifest();
    assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
    assertThat(manifest.reason().orElseThrow())
        .startsWith(
            "merged from 1 of 3 shards: shard 3 of 3 is missing; shard 2 of 3 is failed: no"
                + " space\\x1b left (");
    assertThat(manifest.shards())
        .extracting(MergedShard::isMerged)
        .containsExactly(true, false, false);
  }

  @Test
  void a_shard_of_which_a_file_was_cut_is_refused() throws Exception {
    List<Path> runs = shards(1, 2, 3);
    DatabaseDirectory cut = new DatabaseDirectory(runs.get(1).resolve("etcd"));
    Manifest.read(cut.manifest()).withSizes(FileVersions.sizes(cut.path())).write(cut);
    assertThat(merged(runs, false).manifest().sizes().orElseThrow()).containsKey("latency.hlog");

    List<String> lines = Files.readAllLines(cut.latencyLog());
    Files.write(cut.latencyLog(), lines.subList(0, lines.size() - 1));
    assertThatThrownBy(() -> ShardMerge.of(runs, false))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("latency.hlog: found ")
        .hasMessageContaining(" as in manifest.json: the file was changed or cut");
  }

  @Test
  void hostile_shards_are_refused_with_every_problem_at_once() throws Exception {
    List<Path> runs = shards(1, 2);
    runs.add(shards(2).get(0));
    Path other = new SyntheticShards(4, 5, 40).write(directory.resolve("other"), 3).path();
    runs.add(other);
    Path alone = OperationSteps.write(directory.resolve("alone")).path().getParent();
    runs.add(alone);
    Path garbage = Files.createDirectories(directory.resolve("garbage/etcd"));
    Files.writeString(garbage.resolve("manifest.json"), "{\"status\": [");
    runs.add(garbage.getParent());
    runs.add(directory.resolve("nothing"));
    assertThatThrownBy(() -> ShardMerge.of(runs, false))
        .isInstanceOf(QuorateException.class)
        .message()
        .contains(
            alone + "/etcd: found a run of one load generator, expected one of a shard",
            garbage + "/manifest.json",
            directory.resolve("nothing") + ": is not a directory",
            runs.get(2) + "/etcd: found shard 2 of 3 of etcd, which is in " + runs.get(1),
            other + "/etcd: number of shards: found 4, expected 3 as in " + runs.get(0),
            other + "/etcd: found another load of all shards than in " + runs.get(0));
    assertThat(into()).doesNotExist();
  }

  /** Writes a shard that asked for real-time priority. */
  private Path realTimeShard(int number, boolean granted) {
    RunDirectory run =
        RunDirectory.create(
            directory.resolve("results"),
            "quick",
            1,
            new Shard(number, SHARDS),
            Manifests.START.plusSeconds(1));
    RUNS.write(
        run, RUNS.manifest(number).withRealTime(granted).completed(Manifests.START.plusSeconds(5)));
    return run.path();
  }

  @Test
  void keys_and_attempts_of_all_shards_are_added() {
    List<Path> runs = new ArrayList<>();
    for (int number = 1; number <= SHARDS; number++) {
      RunDirectory run =
          RunDirectory.create(
              directory.resolve("results"), "quick", 1, new Shard(number, SHARDS), Manifests.START);
      RUNS.write(
          run,
          RUNS.manifest(number)
              .withVerification(Verifications.LOST)
              .completed(Manifests.START.plusSeconds(5)));
      runs.add(run.path());
    }
    Verification all = merged(runs, false).manifest().verification().orElseThrow();
    assertThat(all)
        .extracting(
            Verification::acknowledgedKeys,
            Verification::chosenKeys,
            Verification::readKeys,
            Verification::missingKeys,
            Verification::wrongKeys,
            Verification::leastKeyCount)
        .containsExactly(3_000_000L, 300_000L, 299_970L, 3L, 3L, 3_000_000L);
    assertThat(all.firstFaults()).hasSize(6);
    assertThat(all.obstacle()).contains("timeout: no answer");

    AttemptCounts shard = new AttemptCounts(1, "stm", 10, 3);
    assertThat(AttemptCounts.merged(List.of(shard, shard)))
        .containsExactly(new AttemptCounts(1, "stm", 20, 6));
  }

  private Path shardOf(int number, String version, String... members) {
    RunDirectory run =
        RunDirectory.create(
            directory.resolve("other"), "quick", 1, new Shard(number, SHARDS), Manifests.START);
    Manifest manifest = RUNS.manifest(number);
    RUNS.write(
        run,
        manifest
            .withServers(
                Manifests.servers(Optional.of(version), List.of(members), Optional.empty()))
            .withTag(manifest.store().tag())
            .completed(Manifests.START.plusSeconds(5)));
    return run.path();
  }

  @Test
  void
      shards_with_other_versions_or_numbers_of_members_are_refused_although_their_tag_is_the_same() {
    List<Path> runs = shards(1);
    runs.add(shardOf(2, "3.5.0", "10.0.0.1:2379", "10.0.0.2:2379"));
    runs.add(shardOf(3, "3.6.16", "10.0.0.1:2379", "10.0.0.2:2379", "10.0.0.3:2379"));
    assertThatThrownBy(() -> ShardMerge.of(runs, true))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "%s/etcd: version of the servers: found 3.5.0, expected 3.6.16 as in %s/etcd%n"
                    .formatted(runs.get(1), runs.get(0))
                + "%s/etcd: number of members: found 3, expected 2 as in %s/etcd"
                    .formatted(runs.get(2), runs.get(0)));
    assertThat(into()).doesNotExist();
  }

  @Test
  void the_merged_run_had_real_time_priority_if_its_shards_had() {
    List<Path> runs =
        List.of(realTimeShard(1, true), realTimeShard(2, true), realTimeShard(3, true));
    assertThat(merged(runs, false).manifest().load().realTime()).contains(true);
  }

  @Test
  void shards_of_which_some_had_real_time_priority_are_refused() {
    List<Path> runs = shards(1);
    runs.add(realTimeShard(2, true));
    runs.add(realTimeShard(3, false));
    assertThatThrownBy(() -> ShardMerge.of(runs, false))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "%s/etcd: real-time priority: found granted, expected none as in %s/etcd%n"
                    .formatted(runs.get(1), runs.get(0))
                + "%s/etcd: real-time priority: found refused by the system, expected none as in %s/etcd"
                    .formatted(runs.get(2), runs.get(0)));
    assertThat(into()).doesNotExist();
  }

  @Test
  void a_log_that_cannot_be_read_leaves_nothing_behind() throws Exception {
    List<Path> runs = shards(1, 2, 3);
    Path log = runs.get(1).resolve("etcd/latency.hlog");
    Files.writeString(log, "Tag=step=1;op=put,1,1,1,garbage\n");
    assertThatThrownBy(() -> ShardMerge.of(runs, false).into(into(), line -> {}))
        .hasMessageStartingWith(log + ":1: found no readable histogram");
    assertThat(into()).doesNotExist();
  }

  @Test
  void nothing_that_is_there_is_replaced() throws Exception {
    List<Path> runs = shards(1, 2, 3);
    Files.createDirectories(into());
    assertThatThrownBy(() -> ShardMerge.of(runs, false).into(into(), line -> {}))
        .isInstanceOf(QuorateException.class)
        .hasMessage(into() + ": already exists. Pass a new directory. Nothing was written");
    assertThat(into()).isEmptyDirectory();
    Path mine = into().resolve("mine");
    Files.writeString(mine, "text");
    assertThatThrownBy(() -> ShardMerge.of(runs, false).into(into(), line -> {}))
        .isInstanceOf(QuorateException.class)
        .hasMessage(into() + ": already exists. Pass a new directory. Nothing was written");
    try (Stream<Path> entries = Files.list(into())) {
      assertThat(entries).containsExactly(mine);
    }
  }

  private RunDirectory ofAgents(int number, double aheadSeconds) {
    Manifest manifest = RUNS.manifest(number);
    ServerInfo servers = manifest.store().servers();
    ShardInfo facts = manifest.shard().orElseThrow();
    ShardStart start = facts.starts().get(0);
    RunDirectory run =
        RunDirectory.create(
            directory.resolve("results"),
            "quick",
            1,
            new Shard(number, SHARDS),
            Manifests.START.plusSeconds(number));
    ShardStart.SharedClock clock =
        new ShardStart.SharedClock((long) (aheadSeconds * 1_000_000), 5_000);
    RUNS.write(
        run,
        manifest
            .withServers(
                new ServerInfo(
                    servers.version(),
                    servers.members(),
                    servers.leader(),
                    Optional.empty(),
                    Optional.of(ServerInfo.Hosting.AGENTS),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()))
            .withTag(manifest.store().tag())
            .withShard(
                facts.with(
                    List.of(
                        new ShardStart(1, start.began(), start.lateMicros(), Optional.of(clock)))))
            .completed(Manifests.START.plusSeconds(5)));
    return run;
  }

  @Test
  void what_agents_measured_is_in_the_merged_run_once_and_its_times_are_by_their_clock()
      throws Exception {
    RunDirectory holder = ofAgents(2, 10);
    Path etcd = holder.path().resolve("etcd");
    List<String> files =
        List.of(
            "1-server-system-metrics.csv",
            "1-server-system-metrics-steps.csv",
            "server-internals.csv",
            "server-disk-space-usage-summary.csv");
    for (String name : files) {
      Files.writeString(etcd.resolve(name), name);
    }
    Files.createSymbolicLink(
        etcd.resolve("3-server-system-metrics.csv"), etcd.resolve(files.get(0)));
    Files.writeString(etcd.resolve("server-memory-by-key-number.csv"), "made by the report");
    List<Path> runs = shards(1, 3);
    Files.writeString(runs.get(0).resolve("etcd/1-server-system-metrics.csv"), "of another");
    runs.add(holder.path());
    long start = Manifests.START.toEpochMilli();
    TenthRow tenth = new TenthRow(1, "put", start, start + 100, 4, 5, 6);
    RunEvent stall = RunEvent.stall(1, start * 1_000_000, start * 1_000_000 + 1, 7);
    for (Path run : List.of(holder.path(), runs.get(0))) {
      TenthRow.FILE.append(run.resolve("etcd"), List.of(tenth));
      RunEvent.append(new DatabaseDirectory(run.resolve("etcd")), List.of(stall));
    }
    // 10 s before the others, by the clock that all share
    DatabaseRun merged = merged(runs, false);
    assertThat(merged.manifest().store().servers().hosting()).contains(ServerInfo.Hosting.AGENTS);
    for (String name : files) {
      assertThat(into().resolve("etcd").resolve(name)).content().isEqualTo(name);
    }
    assertThat(into().resolve("etcd/3-server-system-metrics.csv")).doesNotExist();
    assertThat(into().resolve("etcd/server-memory-by-key-number.csv")).doesNotExist();
    long first = Manifests.START.getEpochSecond();
    assertThat(merged.clients().orElseThrow().requests())
        .filteredOn(second -> second.succeeded() > 0)
        .extracting(SecondRow::unixSecond)
        .contains(first, first + 4, first + 10, first + 14)
        .hasSize(10);
    assertThat(TenthRow.FILE.read(into().resolve("etcd")).rows())
        .containsExactlyInAnyOrder(tenth, tenth.shifted(10_000));
    assertThat(RunEvent.FILE.read(merged.directory()))
        .containsExactly(stall, stall.shifted(10_000_000_000L));
  }

  @Test
  void agents_of_two_shards_and_servers_that_are_not_theirs_are_refused() {
    List<Path> runs = new ArrayList<>();
    runs.add(ofAgents(1, 0).path());
    runs.add(ofAgents(2, 0).path());
    Manifest third = RUNS.manifest(3);
    RunDirectory other =
        RunDirectory.create(
            directory.resolve("results"), "quick", 1, new Shard(3, SHARDS), Manifests.START);
    RUNS.write(
        other,
        third
            .withServers(
                Manifests.servers(
                    Optional.of("3.6.16"), List.of("10.0.0.9:1", "10.0.0.9:2"), Optional.empty()))
            .withTag(third.store().tag())
            .completed(Manifests.START.plusSeconds(5)));
    runs.add(other.path());
    assertThatThrownBy(() -> ShardMerge.of(runs, true))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            runs.get(1)
                + "/etcd: found servers that agents ran, as in "
                + runs.get(0)
                + "/etcd: expected agents of one shard only\n"
                + runs.get(2)
                + "/etcd: found other servers than those that agents ran in "
                + runs.get(0)
                + "/etcd");
    assertThat(into()).doesNotExist();
  }
}
