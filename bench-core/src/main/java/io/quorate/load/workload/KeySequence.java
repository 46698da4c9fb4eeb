// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.KeySpace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Generates the key of each request: the prefix of the keys, if they have one, and a decimal number
 * padded with zeros, as in the reference (spec 3.5). The key of a request depends on its number and
 * the seed alone. Immutable.
 */
public final class KeySequence {
  private static final double UNIT = 0x1.0p-53;

  private final KeySpace keys;
  private final long seed;
  private final Permutation order;
  private final Zipf zipf;

  /**
   * Bits of the first byte after the prefix that come from the number, and those that are fixed.
   */
  private final int numberBits;

  private final int fixedBits;

  /** The key of number 0, of each resource; only one if keys are alike. */
  private final byte[][] zeros;

  /** Number of bytes before the number, in each of them. */
  private final int[] prefixBytes;

  private KeySequence(KeySpace keys, long seed, char first) {
    this.keys = keys;
    List<String> prefixes =
        keys.resources().isEmpty()
            ? List.of("")
            : keys.resources().stream().map(each -> each.prefix(0)).toList();
    this.zeros = new byte[prefixes.size()][];
    this.prefixBytes = new int[zeros.length];
    for (int i = 0; i < zeros.length; i++) {
      byte[] prefix = (keys.prefix() + prefixes.get(i)).getBytes(StandardCharsets.ISO_8859_1);
      prefixBytes[i] = prefix.length;
      zeros[i] = Arrays.copyOf(prefix, keys.sizeBytes());
      Arrays.fill(zeros[i], prefix.length, keys.sizeBytes(), (byte) '0');
    }
    this.numberBits = first == '0' ? 0xFF : 0;
    this.fixedBits = first == '0' ? 0 : first;
    this.seed = HashMix.of(seed);
    this.order = new Permutation(keys.count(), seed);
    this.zipf = new Zipf(keys.count());
  }

  public static KeySequence measured(KeySpace keys, long seed) {
    return new KeySequence(keys, seed, '0');
  }

  /**
   * Returns keys that differ from all measured ones: they begin with a letter. If the number of
   * keys has as many digits as a key has bytes, there are fewer of these keys, and some come twice.
   */
  static KeySequence warmUp(KeySpace keys, long seed) {
    return new KeySequence(keys, seed, 'w');
  }

  /** Returns keys that differ from all others; they only enlarge a store. */
  static KeySequence preloaded(KeySpace keys, long seed) {
    return new KeySequence(keys, seed, 'p');
  }

  /** Returns keys that differ from all others, for objects that requests create. */
  static KeySequence objects(KeySpace keys, long seed) {
    return new KeySequence(keys.fromTheFirst(), seed, 'o');
  }

  /** Returns a key that is none of a sequence, as it is longer. */
  byte[] absent() {
    byte[] longer = Arrays.copyOf(zeros[0], keys.sizeBytes() + 1);
    longer[keys.sizeBytes()] = '~';
    return longer;
  }

  /** Returns the key of a request, counted from 0 over all steps. */
  public byte[] ofRequest(long index) {
    return at(numberOf(index));
  }

  /** Returns the number of a request's key in the key space, 0 to {@code count - 1}. */
  public long numberOf(long index) {
    long count = keys.count();
    return switch (keys.order()) {
      case SEQUENTIAL -> index % count;
      case RANDOM -> order.of(index % count);
      case UNIFORM -> (long) (uniform(index) * count);
      case ZIPFIAN -> order.of(zipf.rank(uniform(index)));
      case LATEST -> index % count;
      case HOTSPOT -> hot(index);
    };
  }

  /**
   * Returns the number of the key that a request reads: for the order {@code latest} one of the
   * last written ones, otherwise as {@link #numberOf}.
   *
   * @param written number of writes before this request
   */
  public long readBy(long index, long written) {
    return keys.order() == KeySpace.Order.LATEST
        ? Math.floorMod(written - 1 - zipf.rank(uniform(index)), keys.count())
        : numberOf(index);
  }

  /** Returns whether reads go to the keys that were written last. */
  boolean readsTheLatest() {
    return keys.order() == KeySpace.Order.LATEST;
  }

  private long hot(long index) {
    double drawn = uniform(index);
    double hotRequests = keys.hotSet().requestsPercent() / 100.0;
    long hotKeys = Math.max(1, keys.count() * keys.hotSet().keysPercent() / 100);
    long coldKeys = keys.count() - hotKeys;
    if (drawn < hotRequests || coldKeys == 0) {
      return order.of((long) (Math.min(drawn / hotRequests, 1 - UNIT) * hotKeys));
    }
    return order.of(hotKeys + (long) ((drawn - hotRequests) / (1 - hotRequests) * coldKeys));
  }

  /** Returns a pseudorandom number from 0 to below 1. */
  private double uniform(long index) {
    return (HashMix.of(seed ^ HashMix.of(index)) >>> 11) * UNIT;
  }

  /**
   * Returns the number of the request that a key belongs to, if each request has a separate key:
   * {@code requestOf(ofRequest(index))} is {@code index}. Negative for other keys.
   */
  long requestOf(byte[] key) {
    long number = 0;
    if (key.length != keys.sizeBytes()) {
      return -1;
    }
    for (int place = prefixBytes[0]; place < key.length; place++) {
      byte digit = key[place];
      if (digit < '0' || digit > '9' || number >= keys.first() + keys.count()) {
        return -1;
      }
      number = number * 10 + digit - '0';
    }
    number -= keys.first();
    if (number < 0 || number >= keys.count()) {
      return -1;
    }
    return keys.order() == KeySpace.Order.RANDOM ? order.positionOf(number) : number;
  }

  /** Returns one key of the key space, 0 to {@code count - 1}. */
  public byte[] at(long number) {
    return at(resourceOf(number), number);
  }

  /** Returns the number of the resource that a key belongs to; 0 if keys are alike. */
  int resourceOf(long number) {
    int resource = 0;
    long end = zeros.length == 1 ? Long.MAX_VALUE : keys.resources().get(0).keys();
    while (number >= end && resource < zeros.length - 1) {
      resource++;
      end += keys.resources().get(resource).keys();
    }
    return resource;
  }

  /** Returns one key of a resource, which may be none of the key space. */
  byte[] at(int resource, long number) {
    byte[] key = zeros[resource].clone();
    int letter = prefixBytes[resource];
    int place = key.length;
    for (long rest = keys.first() + number; rest > 0; rest /= 10) {
      key[--place] = (byte) ('0' + rest % 10);
    }
    // without a branch: it would be another one for measured keys, and code compiled in the warm-up
    // would be discarded
    key[letter] = (byte) (key[letter] & numberBits | fixedBits);
    return key;
  }

  /**
   * Draws ranks from 0 to size - 1, rank k in proportion to 1 / (k + 1) to the power of 0.99, as
   * YCSB does. It uses the inversion of Gray et al., "Quickly Generating Billion-Record Synthetic
   * Databases" (1994). Immutable.
   */
  public static final class Zipf {
    static final double EXPONENT = 0.99;

    /** Terms that are summed one by one; the rest is approximated by an integral. */
    private static final long SUMMED = 10_000;

    private final long size;
    private final double zeta;
    private final double alpha;
    private final double eta;
    private final double first;

    Zipf(long size) {
      this.size = size;
      this.zeta = zeta(size);
      this.alpha = 1 / (1 - EXPONENT);
      this.first = Math.pow(0.5, EXPONENT);
      this.eta = (1 - Math.pow(2.0 / size, 1 - EXPONENT)) / (1 - zeta(Math.min(2, size)) / zeta);
    }

    /** Returns the rank for a number from 0 to below 1. */
    long rank(double uniform) {
      double scaled = uniform * zeta;
      if (scaled < 1 || size == 1) {
        return 0;
      }
      if (scaled < 1 + first || size == 2) {
        return 1;
      }
      return Math.min(size - 1, (long) (size * Math.pow(eta * uniform - eta + 1, alpha)));
    }

    /**
     * Returns the sum of 1 / k to the power of the exponent for k from 1 to n. It computes the tail
     * by the formula of Euler and Maclaurin, with a relative error below 1e-12.
     */
    public static double zeta(long n) {
      double sum = 0;
      long exact = Math.min(n, SUMMED);
      for (long k = exact; k >= 1; k--) {
        sum += term(k);
      }
      return exact == n
          ? sum
          : sum
              + (Math.pow(n, 1 - EXPONENT) - Math.pow(exact, 1 - EXPONENT)) / (1 - EXPONENT)
              + (term(n) - term(exact)) / 2
              + EXPONENT * (term(exact) / exact - term(n) / n) / 12;
    }

    private static double term(double k) {
      return Math.pow(k, -EXPONENT);
    }
  }
}
