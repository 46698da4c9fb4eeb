package io.quorate.gatling;

import io.quorate.scenario.KeySpace;
import java.util.Arrays;

/**
 * Generates the key of each request: a decimal number padded with zeros to the size of a key, as in
 * the reference (spec 3.5). Immutable.
 */
final class KeySequence {
  private final KeySpace keys;
  private final Permutation order;
  private final byte first;

  private KeySequence(KeySpace keys, long seed, char first) {
    this.keys = keys;
    this.order = new Permutation(keys.count(), seed);
    this.first = (byte) first;
  }

  /** Returns the keys that a scenario measures with. */
  static KeySequence measured(KeySpace keys, long seed) {
    return new KeySequence(keys, seed, '0');
  }

  /**
   * Returns keys that differ from all measured ones: they begin with a letter. Where the number of
   * keys has as many digits as a key has bytes, there are fewer of them, and some come twice.
   */
  static KeySequence warmUp(KeySpace keys, long seed) {
    return new KeySequence(keys, seed, 'w');
  }

  /** Returns the key of a request, counted from 0 over all steps. */
  byte[] ofRequest(long index) {
    return at(numberOf(index));
  }

  /** Returns the number of a request's key in the key space, 0 to {@code count - 1}. */
  long numberOf(long index) {
    long position = index % keys.count();
    return keys.order() == KeySpace.Order.RANDOM ? order.of(position) : position;
  }

  /** Returns one key of the key space, 0 to {@code count - 1}. */
  byte[] at(long number) {
    byte[] key = new byte[keys.sizeBytes()];
    Arrays.fill(key, (byte) '0');
    int place = key.length;
    for (long rest = number; rest > 0; rest /= 10) {
      key[--place] = (byte) ('0' + rest % 10);
    }
    if (first != '0') {
      key[0] = first;
    }
    return key;
  }
}
