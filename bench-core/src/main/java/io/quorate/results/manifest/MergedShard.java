package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.format.JsonFields;
import io.quorate.scenario.Shard;
import java.util.List;
import java.util.Optional;

/**
 * A shard in the manifest of the run that several were merged into.
 *
 * @param number from 1
 * @param count how many shards there were
 * @param run the name of its run's directory; empty if there was none
 * @param status empty if there was none
 * @param reason why it is not complete
 * @param host the machine it ran on, if that is known
 * @param suite the version of Quorate
 * @param machine the load generator's, and its JVM; empty if there was none, and in runs of earlier
 *     versions
 * @param members the servers that it used, {@code host:port}
 * @param starts of its steps
 * @param succeeded how many of its requests did, as far as it is in the merged run
 * @param costs of its steps to its load generator
 */
public record MergedShard(
    int number,
    int count,
    Optional<String> run,
    Optional<RunStatus> status,
    Optional<String> reason,
    Optional<String> host,
    Optional<SuiteVersion> suite,
    @JsonProperty("loadGenerator") Optional<HostFacts> machine,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> members,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ShardStart> starts,
    long succeeded,
    long failed,
    long shed,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StepCost> costs) {
  public MergedShard {
    members = List.copyOf(members);
    starts = List.copyOf(starts);
    costs = List.copyOf(costs);
  }

  /** Returns a shard that left nothing. */
  public static MergedShard missing(int number, int count) {
    return new MergedShard(
        number,
        count,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        0,
        0,
        0,
        List.of());
  }

  /** Returns whether its requests are in the merged run. */
  public boolean isMerged() {
    return status.filter(RunStatus.COMPLETE::equals).isPresent();
  }

  static MergedShard read(JsonFields from) {
    return new MergedShard(
        (int) from.between1And(Shard.MOST, "number"),
        (int) from.between1And(Shard.MOST, "count"),
        from.optionalText("run"),
        from.has("status")
            ? Optional.of(from.constant("status", RunStatus.class))
            : Optional.empty(),
        from.optionalText("reason"),
        from.optionalText("host"),
        from.has("suite")
            ? Optional.of(ManifestReader.suite(from.object("suite")))
            : Optional.empty(),
        from.has("loadGenerator")
            ? Optional.of(ManifestReader.host(from.object("loadGenerator")))
            : Optional.empty(),
        from.has("members") ? from.texts("members") : List.of(),
        from.optionalObjects("starts").stream().map(ShardStart::read).toList(),
        from.amount("succeeded"),
        from.amount("failed"),
        from.amount("shed"),
        ManifestReader.costs(from, "costs"));
  }
}
