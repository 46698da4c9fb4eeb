package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonProperty;
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
    Optional<BuildInfo> suite,
    @JsonProperty("loadGenerator") Optional<HostInfo> machine,
    List<String> members,
    List<ShardStart> starts,
    long succeeded,
    long failed,
    long shed,
    List<StepUsage> costs) {
  public MergedShard {
    members = List.copyOf(members);
    starts = List.copyOf(starts);
    costs = List.copyOf(costs);
  }

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

  public boolean isMerged() {
    return status.filter(RunStatus.COMPLETE::equals).isPresent();
  }
}
