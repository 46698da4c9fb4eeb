// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * The encoded number at the beginning of values: letters and digits, in an order that the seed
 * determines. Values that are shorter than {@value #MAX_BYTES} bytes have a code of their length,
 * so that several numbers may have the same code. Immutable.
 */
final class ValueCode {
  static final byte[] ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".getBytes(US_ASCII);

  /** Longest code: 62 to the power of 10 is the greatest that a {@code long} holds. */
  static final int MAX_BYTES = 10;

  private static final byte[] DIGITS = digits();
  private static final byte NONE = -1;

  private final int bytes;
  private final long codes;
  private final Permutation order;

  /** Creates a code of 0 to {@value #MAX_BYTES} bytes. */
  ValueCode(int bytes, long seed) {
    this.bytes = bytes;
    long codes = 1;
    for (int i = 0; i < bytes; i++) {
      codes *= ALPHABET.length;
    }
    this.codes = codes;
    this.order = new Permutation(codes, seed);
  }

  int bytes() {
    return bytes;
  }

  /** Returns whether the numbers 0 to {@code count - 1} have different codes. */
  boolean distinguishes(long count) {
    return codes >= count;
  }

  /** Writes the code of a number to the first bytes of a value. */
  void write(long number, byte[] value) {
    long rest = order.of(number % codes);
    for (int place = bytes - 1; place >= 0; place--) {
      value[place] = ALPHABET[(int) (rest % ALPHABET.length)];
      rest /= ALPHABET.length;
    }
  }

  /** Returns whether a value, which is not shorter than the code, begins with a code. */
  boolean isIn(byte[] value) {
    return read(value) >= 0;
  }

  boolean isOf(long number, byte[] value) {
    return order.of(number % codes) == read(value);
  }

  /** Returns the least number whose code a value begins with; negative if there is no code. */
  long numberIn(byte[] value) {
    long code = read(value);
    return code < 0 ? NONE : order.positionOf(code);
  }

  private long read(byte[] value) {
    long its = 0;
    for (int place = 0; place < bytes; place++) {
      byte digit = DIGITS[value[place] & 0xff];
      if (digit == NONE) {
        return NONE;
      }
      its = its * ALPHABET.length + digit;
    }
    return its;
  }

  private static byte[] digits() {
    byte[] digits = new byte[256];
    Arrays.fill(digits, NONE);
    for (byte digit = 0; digit < ALPHABET.length; digit++) {
      digits[ALPHABET[digit]] = digit;
    }
    return digits;
  }
}
