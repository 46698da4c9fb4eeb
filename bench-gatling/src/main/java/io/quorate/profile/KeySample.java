// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts how often each key is written, by hashes, in bounded memory. If there are too many keys,
 * the hashes decide which half of them is forgotten, again and again; what is left is a random
 * sample with exact counts (Gibbons, "Distinct sampling", 2001). For one thread.
 */
final class KeySample {
  static final int MOST_KEYS = 200_000;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Map<Long, Integer> writes = new HashMap<>();
  private int level;

  /** Adds a write of a key. */
  void add(String key) {
    long hash = hash(key);
    if (!isKept(hash)) {
      return;
    }
    writes.merge(hash, 1, Integer::sum);
    while (writes.size() > MOST_KEYS) {
      level++;
      writes.keySet().removeIf(each -> !isKept(each));
    }
  }

  private boolean isKept(long hash) {
    return Long.numberOfTrailingZeros(hash) >= level;
  }

  boolean isSampled() {
    return level > 0;
  }

  /** Returns the number of different keys; an estimate if keys were forgotten. */
  long distinct() {
    return (long) writes.size() << level;
  }

  private double mean() {
    return writes.values().stream().mapToInt(Integer::intValue).average().orElse(0);
  }

  /**
   * Returns whether keys get very different numbers of writes: their variance is more than twice
   * their mean. Writes to random keys have a variance of at most the mean, apart from chance.
   */
  boolean isSkewed() {
    double mean = mean();
    double variance =
        writes.values().stream()
            .mapToDouble(count -> (count - mean) * (count - mean))
            .average()
            .orElse(0);
    return writes.size() > 1 && mean >= 2 && variance > 2 * mean;
  }

  /** Returns the percentage of writes to the most frequent part of the keys. */
  int percentOfWrites(int percentOfKeys) {
    long all = writes.values().stream().mapToLong(Integer::longValue).sum();
    long hot =
        writes.values().stream()
            .sorted((a, b) -> Integer.compare(b, a))
            .limit(Math.max(1, Math.round(writes.size() * percentOfKeys / 100.0)))
            .mapToLong(Integer::longValue)
            .sum();
    return (int) Math.round(100.0 * hot / Math.max(1, all));
  }

  private static long hash(String key) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * FNV_PRIME;
    }
    // FNV mixes its last characters little: the finalizer of MurmurHash3
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
