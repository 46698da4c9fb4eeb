// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.Requests;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Operation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The number of the requests before the measured ones, their rate, and their keys. Immutable.
 *
 * @param asked requests of the scenario
 */
public record WarmUp(Requests asked, StoreLoad load) {
  /** Longest time of a warm-up by time, until its last requests begin. */
  public static final Duration LONGEST = Duration.ofSeconds(30);

  /** Most requests by time, for which values are reserved: 30 s at 160,000/s. */
  private static final long MOST = 5_000_000;

  /** Most bytes that are written by time: stores keep them for a while, some up to a quota. */
  private static final long MOST_BYTES = 256L << 20;

  /** Returns whether it has keys that no measured request has: those that can be used once only. */
  boolean hasOwnKeys() {
    return !asked.keys().prepared() || asked.mix().removesEachKey();
  }

  /** Returns the most requests that it may have. */
  public long mostRequests() {
    long least = asked.warmUp();
    if (!asked.warmsUpByTime() || asked.mix().has(Operation.LEASE_GRANT)) { // stay for a TTL
      return least;
    }
    boolean writes = asked.mix().operations().stream().anyMatch(each -> !each.isRead());
    long bytes = Math.max(1, asked.bytesPerKey() * asked.mix().keysPerRequest());
    long most = Math.min(MOST, rate().orElse(MOST) * (LONGEST.toSeconds() + 1));
    return Math.max(least, writes ? Math.min(most, MOST_BYTES / bytes) : most);
  }

  /**
   * Returns the most requests in a second: those of the load, if its steps have rates and others
   * use the cluster; empty for no limit.
   */
  public OptionalLong rate() {
    boolean isInExistingCluster = !asked.keys().prefix().isEmpty();
    List<OptionalLong> rates = load.steps().stream().map(step -> step.model().rate()).toList();
    return isInExistingCluster && rates.stream().allMatch(OptionalLong::isPresent)
        ? rates.stream().mapToLong(OptionalLong::getAsLong).max()
        : OptionalLong.empty();
  }

  /**
   * Returns how many requests may be sent before their keys are removed, so that none is created
   * twice.
   */
  public long requestsOfRound() {
    return hasOwnKeys() && asked.warmsUpByTime()
        ? Math.max(1, asked.keys().count() / asked.mix().keysPerRequest())
        : Math.max(1, mostRequests());
  }

  /**
   * Returns the most separate keys, if it has any. After the last key of the key space it begins
   * again with the first.
   */
  long mostKeys() {
    return Math.min(mostRequests() * asked.mix().keysPerRequest(), asked.keys().count());
  }

  /** Returns how many separate keys some consecutive requests have. */
  public long keys(long requests) {
    long taken = firstKey(requests);
    return asked.keys().order().takesEachKeyOnce() ? Math.min(taken, asked.keys().count()) : taken;
  }

  /** Returns the number of the first separate key of a request. */
  public long firstKey(long request) {
    return request * asked.mix().keysPerRequest();
  }
}
