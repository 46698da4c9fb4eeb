// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.WatchLoad;
import io.quorate.store.Watch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The keys whose puts are watched: a single key, all keys, each created by one put, or all keys
 * with one of some prefixes, which are written several times. Immutable.
 *
 * @param prefixes prefixes of keys that are written several times, each with separate watchers, in
 *     turn; empty for the other keys
 * @param putOfValue returns the number of the put that wrote a value; negative for other values
 * @param fromRevision returns the revision of the first put if it comes before the watch, otherwise
 *     0
 * @param watchers what the watches report, and how fast they are read; empty for watches that
 *     report values only
 */
public record WatchedKeys(
    KeySequence keys,
    long count,
    List<String> prefixes,
    ToLongFunction<byte[]> putOfValue,
    LongSupplier fromRevision,
    Optional<WatchLoad> watchers) {
  /** Creates keys that are watched from now on, by watches that report values only. */
  WatchedKeys(
      KeySequence keys, long count, List<String> prefixes, ToLongFunction<byte[]> putOfValue) {
    this(keys, count, prefixes, putOfValue, () -> 0, Optional.empty());
  }

  /** Returns the same keys, with the watchers to which their changes are reported. */
  public WatchedKeys reportedTo(WatchLoad load) {
    return new WatchedKeys(keys, count, prefixes, putOfValue, fromRevision, Optional.of(load));
  }

  public boolean isOneKey() {
    return count == 1 && prefixes.isEmpty();
  }

  /** Returns the only key, or the first one. */
  public byte[] first() {
    return keys.at(0);
  }

  /** Returns a key that is watched with all keys, and belongs to no put. */
  public byte[] behindAll() {
    byte[] key = first();
    key[key.length - 1] = '~';
    return key;
  }

  /** Returns how many watchers receive each put. */
  public int receivers(int watchers) {
    return watchers / Math.max(1, prefixes.size());
  }

  /** Returns the watch of a watcher: of the only key, or of a prefix. */
  public Watch watch(int watcher) {
    Watch changes = changes(watcher);
    return watchers
        .map(load -> changes.reporting(load.previous(), load.progress(), load.pauseMillis(watcher)))
        .orElse(changes);
  }

  private Watch changes(int watcher) {
    if (!prefixes.isEmpty()) {
      String prefix = prefixes.get(watcher % prefixes.size());
      return Watch.ofPrefix(prefix.getBytes(StandardCharsets.ISO_8859_1));
    }
    byte[] first = keys.at(0);
    if (isOneKey()) {
      return Watch.ofKey(first).since(fromRevision.getAsLong());
    }
    return Watch.ofPrefix(Arrays.copyOf(first, first.length - String.valueOf(count - 1).length()));
  }

  /**
   * Returns the number of the put that an event reports: from the key if each put creates one,
   * otherwise from the value. Negative if the put was not measured.
   */
  public long put(byte[] key, byte[] value) {
    return isOneKey() || !prefixes.isEmpty() ? putOfValue.applyAsLong(value) : keys.requestOf(key);
  }
}
