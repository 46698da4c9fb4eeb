package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * Generates the numbered values of a run: random letters and digits, so that a store can neither
 * compress them nor gain by storing one value many times. A value begins with its encoded number,
 * {@value #MAX_CODE_BYTES} letters or the whole value if that is shorter. The rest is a piece of
 * one long text, a different one for each number. So all values differ as long as the code can
 * distinguish their numbers: in every scenario, for values of 6 bytes or more. The same seed gives
 * the same values. Immutable.
 */
public final class ValueSource {
  private static final byte[] ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".getBytes(US_ASCII);

  private static final byte[] DIGITS = digits();
  private static final byte NONE = -1;
  private static final int PIECES = 1 << 20;

  /** Longest code: 62 to the power of 10 is the greatest that a {@code long} holds. */
  private static final int MAX_CODE_BYTES = 10;

  private final int sizeBytes;
  private final long count;
  private final long seed;
  private final int codeBytes;
  private final long codes;
  private final Permutation code;
  private final byte[] text;

  /** Creates a source of the values 0 to {@code count - 1}, each of this size. */
  public ValueSource(int sizeBytes, long count, long seed) {
    this.sizeBytes = sizeBytes;
    this.count = count;
    this.seed = seed;
    this.codeBytes = Math.min(sizeBytes, MAX_CODE_BYTES);
    long codes = 1;
    for (int i = 0; i < codeBytes; i++) {
      codes *= ALPHABET.length;
    }
    this.codes = codes;
    this.code = new Permutation(codes, seed);
    this.text = new byte[sizeBytes + PIECES];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < text.length; i++) {
      text[i] = ALPHABET[random.nextInt(ALPHABET.length)];
    }
  }

  public byte[] at(long number) {
    int from = piece(number);
    byte[] value = Arrays.copyOfRange(text, from, from + sizeBytes);
    long rest = code.of(number % codes);
    for (int place = codeBytes - 1; place >= 0; place--) {
      value[place] = ALPHABET[(int) (rest % ALPHABET.length)];
      rest /= ALPHABET.length;
    }
    return value;
  }

  /** Compares a read value with the value of this number, byte by byte. */
  public ValueCheck check(long number, byte[] read) {
    if (read.length != sizeBytes) {
      return ofOtherLength(read);
    }
    if (code.of(number % codes) == codeOf(read) && hasPiece(number, read)) {
      return ValueCheck.INTACT;
    }
    return numberOf(read) >= 0 ? ValueCheck.OF_ANOTHER_KEY : ValueCheck.ALTERED;
  }

  /**
   * Compares a read value, byte by byte, with the values that were written to its key. If values
   * are too short to identify their numbers, any value of the run passes.
   *
   * @param ofItsKey whether the value with a number was written to the key
   */
  public ValueCheck check(byte[] read, LongPredicate ofItsKey) {
    if (read.length != sizeBytes) {
      return ofOtherLength(read);
    }
    if (!areDifferent()) {
      return codeOf(read) >= 0 ? ValueCheck.INTACT : ValueCheck.ALTERED;
    }
    long number = numberOf(read);
    if (number < 0) {
      return ValueCheck.ALTERED;
    }
    return ofItsKey.test(number) ? ValueCheck.INTACT : ValueCheck.OF_ANOTHER_KEY;
  }

  /** Returns whether all values of the run differ. */
  boolean areDifferent() {
    return codes >= count;
  }

  private ValueCheck ofOtherLength(byte[] read) {
    if (read.length == 0) {
      return ValueCheck.EMPTY;
    }
    return read.length < sizeBytes ? ValueCheck.SHORTER : ValueCheck.LONGER;
  }

  /** Returns the number of a value of this run; negative for other values. */
  long numberOf(byte[] value) {
    if (value.length != sizeBytes) {
      return NONE;
    }
    long its = codeOf(value);
    if (its < 0) {
      return NONE;
    }
    long number = code.positionOf(its);
    return number < count && hasPiece(number, value) ? number : NONE;
  }

  /** Returns the number that is encoded in the first letters; negative if they are not a code. */
  private long codeOf(byte[] value) {
    long its = 0;
    for (int place = 0; place < codeBytes; place++) {
      byte digit = DIGITS[value[place] & 0xff];
      if (digit == NONE) {
        return NONE;
      }
      its = its * ALPHABET.length + digit;
    }
    return its;
  }

  private boolean hasPiece(long number, byte[] value) {
    int from = piece(number);
    return Arrays.equals(value, codeBytes, sizeBytes, text, from + codeBytes, from + sizeBytes);
  }

  private int piece(long number) {
    return (int) (HashMix.of(seed + number) & (PIECES - 1));
  }

  private static byte[] digits() {
    byte[] digits = new byte[256];
    Arrays.fill(digits, NONE);
    for (byte digit = 0; digit < ALPHABET.length; digit++) {
      digits[ALPHABET[digit]] = digit;
    }
    return digits;
  }

  /**
   * The values that a series of requests writes, among all values of a run.
   *
   * @param source source of all values of the run
   * @param first number of the value that request 0 writes
   * @param keyOf returns the number of the key to which a value is written, by the value's number;
   *     negative if there is none
   */
  record Numbered(ValueSource source, long first, LongUnaryOperator keyOf) {}
}
