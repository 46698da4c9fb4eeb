// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
import io.quorate.scenario.LoadShare;
import io.quorate.store.ClientKind;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The description of a run, {@code manifest.json} of a database: scenario, program, store, machine
 * and outcome. It is written before the first request and replaced when more is known.
 *
 * @param reason why the run failed or was interrupted; empty if it did not, or if the reason is not
 *     known
 * @param end end of the run; empty while it runs, and after a kill
 * @param costs costs of the complete steps, in their order
 * @param verification the result of reading keys back; empty if that was not done
 * @param shards shards that were merged into this run; empty for other runs
 * @param shard the load of all shards, if this is one of them; otherwise empty
 * @param files versions of the formats of the other files; empty if all are 1, as an earlier
 *     version of Quorate wrote them
 * @param sizes sizes of these files in bytes when the run was complete; empty for other runs, and
 *     if an earlier version of Quorate wrote them
 */
@FormatVersion(3)
public record Manifest(
    RunStatus status,
    Optional<String> reason,
    Instant start,
    Optional<Instant> end,
    BuildInfo suite,
    ScenarioInfo scenario,
    @JsonProperty("database") StoreInfo store,
    LoadInfo load,
    @JsonProperty("loadGenerator") HostInfo host,
    @JsonProperty("loadGeneratorCosts") List<StepUsage> costs,
    Optional<Verification> verification,
    Optional<ShardInfo> shard,
    List<MergedShard> shards,
    Optional<Map<String, Integer>> files,
    Optional<Map<String, Long>> sizes) {
  public Manifest {
    files.ifPresent(FileVersions::requireReadable);
    shards = List.copyOf(shards);
    costs = List.copyOf(costs);
    if (end.filter(start::isAfter).isPresent()) {
      throw new IllegalArgumentException(
          "end: found %s, expected a time that is not before start, %s"
              .formatted(end.get(), start));
    }
  }

  /** Creates the manifest of a run or a shard that starts now, before its servers are known. */
  public static Manifest starting(LoadShare load, ClientKind client, HostInfo host, Instant start) {
    return new Manifest(
        RunStatus.INTERRUPTED,
        Optional.empty(),
        start,
        Optional.empty(),
        BuildInfo.ofThisBuild(),
        ScenarioInfo.of(load.scenario()),
        StoreInfo.of(load.load()),
        LoadInfo.of(load.scenario(), load.load(), client),
        host,
        List.of(),
        Optional.empty(),
        Optional.of(ShardInfo.of(load, client)).filter(any -> !load.shard().isWhole()),
        List.of(),
        Optional.of(FileVersions.written()),
        Optional.empty());
  }

  /** Returns this manifest with its servers, whose version determines the tag of the store. */
  public Manifest withServers(ServerInfo servers) {
    return withStore(store.withServers(servers));
  }

  public Manifest withKeys(ServerInfo.RunKeys keys) {
    return withStore(store.with(keys));
  }

  /** Returns this manifest with the price of an hour of all servers. */
  public Manifest withPricePerHour(BigDecimal price) {
    return with(scenario.withPricePerHour(price), host, sizes);
  }

  public Manifest withTag(String tag) {
    return withStore(store.withTag(tag));
  }

  public Manifest asColumn(String id, String tag) {
    return withStore(new StoreInfo(id, tag, store.servers(), store.settings()));
  }

  private Manifest withStore(StoreInfo known) {
    return with(status, reason, end, known, load, costs, verification, shard);
  }

  public Manifest withRealTime(boolean granted) {
    return with(status, reason, end, store, load.withRealTime(granted), costs, verification, shard);
  }

  public Manifest withCosts(List<StepUsage> costs) {
    return with(status, reason, end, store, load, costs, verification, shard);
  }

  public Manifest withVerification(Verification found) {
    Optional<Verification> known = Optional.of(found);
    return with(status, reason, end, store, load, costs, known, shard);
  }

  public Manifest withStarts(List<ShardStart> starts) {
    return shard.map(facts -> withShard(facts.with(starts))).orElse(this);
  }

  public Manifest withShard(ShardInfo facts) {
    Optional<ShardInfo> known = Optional.of(facts);
    return with(status, reason, end, store, load, costs, verification, known);
  }

  /** Returns this manifest with another description of the load generator's machine. */
  public Manifest withHost(HostInfo machine) {
    return with(scenario, machine, sizes);
  }

  /** Returns this manifest with the sizes of the other files. */
  public Manifest withSizes(Map<String, Long> found) {
    return with(scenario, host, Optional.of(found));
  }

  private Manifest with(ScenarioInfo costing, HostInfo machine, Optional<Map<String, Long>> found) {
    return new Manifest(
        status,
        reason,
        start,
        end,
        suite,
        costing,
        store,
        load,
        machine,
        costs,
        verification,
        shard,
        shards,
        files,
        found);
  }

  /**
   * Refuses a file whose size is not that at the end of the run.
   *
   * @throws QuorateException if it was changed, cut or removed
   */
  public void requireWhole(Path file) {
    Optional<Long> expected =
        sizes.flatMap(known -> Optional.ofNullable(known.get(file.getFileName().toString())));
    if (expected.isPresent() && FileVersions.size(file) != expected.get()) {
      throw new QuorateException(
          "%s: found %s bytes, expected %s as in manifest.json: the file was changed or cut"
              .formatted(
                  file,
                  NumberFormats.commas(FileVersions.size(file)),
                  NumberFormats.commas(expected.get())));
    }
  }

  public Manifest completed(Instant at) {
    return ended(RunStatus.COMPLETE, Optional.empty(), Optional.of(at));
  }

  public Manifest failed(Instant at, String why) {
    return ended(RunStatus.FAILED, Optional.of(why), Optional.of(at));
  }

  /** Returns this manifest as of a run that a user ended. */
  public Manifest endedEarly(Instant at) {
    return ended(RunStatus.ENDED_EARLY, Optional.empty(), Optional.of(at));
  }

  /** Returns this manifest as interrupted, for a run that could not record its end. */
  public Manifest interrupted(String why) {
    return ended(RunStatus.INTERRUPTED, Optional.of(why), end);
  }

  private Manifest ended(RunStatus how, Optional<String> why, Optional<Instant> at) {
    return withHost(host.withoutProcess())
        .with(how, why, at, store, load, costs, verification, shard);
  }

  /** Returns whether the run goes on, on this machine. */
  public boolean isRunning() {
    return (status == RunStatus.INTERRUPTED || status == RunStatus.ENDED_EARLY)
        && host.process().filter(HostInfo.LoadProcess::isAlive).isPresent();
  }

  /** Returns this manifest as if the run ended now, if it goes on; it is still running. */
  public Manifest soFar() {
    return isRunning()
        ? with(RunStatus.ENDED_EARLY, reason, end, store, load, costs, verification, shard)
        : this;
  }

  /** Returns the status in words, which may be {@code running}. */
  public String statusText() {
    return isRunning() ? "running" : status.text();
  }

  private Manifest with(
      RunStatus how,
      Optional<String> why,
      Optional<Instant> at,
      StoreInfo known,
      LoadInfo generated,
      List<StepUsage> spent,
      Optional<Verification> verified,
      Optional<ShardInfo> part) {
    return new Manifest(
        how, why, start, at, suite, scenario, known, generated, host, spent, verified, part, shards,
        files, sizes);
  }

  String text() {
    return StrictJson.text(this);
  }

  public void write(DatabaseDirectory directory) {
    AtomicFile.write(directory.manifest(), text());
  }

  /**
   * Reads {@code manifest.json}.
   *
   * @throws QuorateException with file, line and column if it is not a manifest of this format
   *     version
   */
  public static Manifest read(Path file) {
    return StrictJson.read(file, Manifest.class);
  }
}
