package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The content of {@code manifest.json}, with its fields in their order. */
record ManifestFile(
    int formatVersion,
    RunStatus status,
    Optional<String> reason,
    Instant start,
    Optional<Instant> end,
    SuiteVersion suite,
    ScenarioFacts scenario,
    StoreFacts database,
    LoadEntry load,
    Optional<ShardEntry> shard,
    HostFacts loadGenerator,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StepCost> loadGeneratorCosts,
    Optional<VerificationEntry> verification,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<MergedShard> shards) {
  static final int FORMAT_VERSION = 2;

  static ManifestFile of(Manifest manifest) {
    return new ManifestFile(
        FORMAT_VERSION,
        manifest.status(),
        manifest.reason(),
        manifest.start(),
        manifest.end(),
        manifest.suite(),
        manifest.scenario(),
        manifest.store(),
        LoadEntry.of(manifest.load()),
        manifest.shard().map(ShardEntry::of),
        manifest.host(),
        manifest.costs(),
        manifest.verification().map(VerificationEntry::of),
        manifest.shards());
  }
}
