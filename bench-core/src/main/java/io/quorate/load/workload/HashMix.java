// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

/** Computes a pseudorandom number from another number. */
final class HashMix {
  /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), a bijection of all longs. */
  static long of(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private HashMix() {}
}
