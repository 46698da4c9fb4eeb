// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;

/**
 * A shard in the manifest of a merged run.
 *
 * @param number number of the shard, from 1
 * @param run the name of its run's directory; empty if there was none
 * @param status status of its run; empty if there was none
 * @param reason why its run is not complete
 * @param machine machine and JVM of its load generator; empty if there was no run
 * @param members the servers that it used, {@code host:port}
 * @param succeeded number of its successful requests, as far as they are in the merged run
 * @param costs costs of its steps to its load generator
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
    @JsonAlias("shed") long dropped,
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
