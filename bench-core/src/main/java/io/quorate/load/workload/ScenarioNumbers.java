package io.quorate.load.workload;

import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import java.util.List;

/**
 * Tells the number of a request among those of all shards together: of each step a shard makes
 * every so many-th one. Its operation and when it is due follow from that number, so that they are
 * the same for any number of shards. Immutable.
 */
final class ScenarioNumbers {
  private final Shard shard;

  /** Number of the first request of each step, of this shard and of all together. */
  private final long[] own;

  private final long[] all;

  private ScenarioNumbers(Shard shard, long[] own, long[] all) {
    this.shard = shard;
    this.own = own;
    this.all = all;
  }

  /** Returns the numbers of the requests of a load. */
  static ScenarioNumbers of(Shard shard, List<Step> whole) {
    long[] own = new long[whole.size()];
    long[] all = new long[whole.size()];
    for (int i = 1; i < own.length; i++) {
      own[i] = own[i - 1] + shard.share(whole.get(i - 1).requests());
      all[i] = all[i - 1] + whole.get(i - 1).requests();
    }
    return new ScenarioNumbers(shard, own, all);
  }

  /** Returns the numbers of requests that belong to no step. */
  static ScenarioNumbers of(Shard shard) {
    return new ScenarioNumbers(shard, new long[1], new long[1]);
  }

  /** Returns the number that a request of this shard has among all. */
  long of(long index) {
    if (shard.isWhole()) {
      return index;
    }
    int step = own.length - 1;
    while (index < own[step]) {
      step--;
    }
    return all[step] + (index - own[step]) * shard.count() + shard.number() - 1;
  }
}
