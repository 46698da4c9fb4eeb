// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

/**
 * A permutation of the numbers 0 to size - 1, drawn from a seed, in constant memory. It is a
 * Feistel network of four rounds over the next power of four, applied until the result is below the
 * size (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002). Immutable.
 */
final class Permutation {
  private static final int ROUNDS = 4;

  private final long size;
  private final long seed;
  private final int halfBits;
  private final long halfMask;

  Permutation(long size, long seed) {
    if (size < 1) {
      throw new IllegalArgumentException("nothing to permute: size " + size);
    }
    this.size = size;
    this.seed = seed;
    int bits = Math.max(2, 64 - Long.numberOfLeadingZeros(size - 1));
    this.halfBits = (bits + 1) / 2;
    this.halfMask = (1L << halfBits) - 1;
  }

  /** Returns the number at a position, 0 to size - 1. */
  long of(long position) {
    long number = position;
    do {
      number = encipher(number);
    } while (number >= size);
    return number;
  }

  /** Returns the position of a number: {@code positionOf(of(position))} is {@code position}. */
  long positionOf(long number) {
    long position = number;
    do {
      position = decipher(position);
    } while (position >= size);
    return position;
  }

  private long encipher(long number) {
    long left = number >>> halfBits;
    long right = number & halfMask;
    for (int round = 0; round < ROUNDS; round++) {
      long mixed = left ^ (HashMix.of(right + seed * ROUNDS + round) & halfMask);
      left = right;
      right = mixed;
    }
    return left << halfBits | right;
  }

  private long decipher(long number) {
    long left = number >>> halfBits;
    long right = number & halfMask;
    for (int round = ROUNDS - 1; round >= 0; round--) {
      long mixed = right ^ (HashMix.of(left + seed * ROUNDS + round) & halfMask);
      right = left;
      left = mixed;
    }
    return left << halfBits | right;
  }
}
