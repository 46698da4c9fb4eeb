package io.quorate.results.manifest;

import io.quorate.scenario.Limit;
import io.quorate.scenario.Shard;
import io.quorate.scenario.ShardedLoad;
import io.quorate.store.ClientKind;
import java.util.List;

/**
 * The load that all shards make together, as the manifest of one of them has it.
 *
 * @param limits that the results of all together have to keep
 * @param whole the load of all together
 * @param starts of its steps, as far as they are known
 */
public record ShardFacts(
    Shard shard, List<Limit> limits, LoadFacts whole, List<ShardStart> starts) {
  public ShardFacts {
    limits = List.copyOf(limits);
    starts = List.copyOf(starts);
  }

  static ShardFacts of(ShardedLoad load, ClientKind client) {
    return new ShardFacts(
        load.shard(),
        load.wholeScenario().limits(),
        LoadFacts.of(load.wholeScenario(), load.whole(), client),
        List.of());
  }

  public ShardFacts with(List<ShardStart> known) {
    return new ShardFacts(shard, limits, whole, known);
  }
}
