// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Shard;
import io.quorate.scenario.SloLimit;
import io.quorate.store.ClientKind;
import java.util.List;

/**
 * The load that all shards generate together, in the manifest of one of them.
 *
 * @param limits limits for the results of all shards together
 * @param starts starts of its steps, as far as they are known
 */
public record ShardInfo(
    Shard shard, List<SloLimit> limits, LoadInfo whole, List<ShardStart> starts) {
  public ShardInfo {
    limits = List.copyOf(limits);
    starts = List.copyOf(starts);
  }

  static ShardInfo of(LoadShare load, ClientKind client) {
    return new ShardInfo(
        load.shard(),
        load.wholeScenario().goals().limits(),
        LoadInfo.of(load.wholeScenario(), load.whole(), client),
        List.of());
  }

  public ShardInfo with(List<ShardStart> known) {
    return new ShardInfo(shard, limits, whole, known);
  }
}
