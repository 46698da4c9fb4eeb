// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.ValueSizes;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Generates the numbered values of a run: random letters and digits, so that a store can neither
 * compress them nor gain by storing one value many times. A value begins with its {@link ValueCode
 * encoded number}. The rest is a piece of one long text, a different one for each number. So all
 * values differ as long as the code can distinguish their numbers: in every scenario, for values of
 * 6 bytes or more. If values have several sizes, the size of each is drawn by its number, or grows
 * with it. The same seed gives the same values. Immutable.
 */
public final class ValueSource {
  private static final byte NONE = -1;
  private static final int PIECES = 1 << 20;

  /** The sizes in ascending order. */
  private final int[] sizes;

  /** For each size, the weight of all sizes up to it. */
  private final long[] weightUpTo;

  /** The size of the value of each number; null if it is drawn. */
  private final @Nullable LongToIntFunction bytesOf;

  private final long count;
  private final long seed;
  private final long seedOfSizes;

  /** The code of each length that values have; the longest is the code of most sizes. */
  private final ValueCode[] codes = new ValueCode[ValueCode.MAX_BYTES + 1];

  private final byte[] text;

  /** Creates a source of the values 0 to {@code count - 1}. */
  public ValueSource(ValueSizes sizes, long count, long seed) {
    this(sizes, count, 0, seed, null);
  }

  /**
   * Creates a source of values whose sizes follow from their numbers.
   *
   * @param first number of the value from which on sizes grow, if they do
   * @param bytesOf returns the size of the value of a number, one of the sizes; null to draw it, or
   *     to let it grow
   */
  ValueSource(
      ValueSizes sizes, long count, long first, long seed, @Nullable LongToIntFunction bytesOf) {
    this.sizes = sizes.shares().stream().mapToInt(ValueSizes.Share::bytes).toArray();
    this.weightUpTo = sizes.shares().stream().mapToLong(ValueSizes.Share::weight).toArray();
    Arrays.parallelPrefix(weightUpTo, Long::sum);
    this.bytesOf = bytesOf == null && sizes.growing() ? grown(this.sizes, first, count) : bytesOf;
    this.count = count;
    this.seed = seed;
    this.seedOfSizes = HashMix.of(seed + 2);
    for (int size : this.sizes) {
      int bytes = Math.min(size, ValueCode.MAX_BYTES);
      codes[bytes] = new ValueCode(bytes, seed);
    }
    this.text = new byte[sizes.mostBytes() + PIECES];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < text.length; i++) {
      text[i] = ValueCode.ALPHABET[random.nextInt(ValueCode.ALPHABET.length)];
    }
  }

  private static LongToIntFunction grown(int[] sizes, long first, long count) {
    return number -> {
      long place = Math.max(0, number - first) * sizes.length / Math.max(1, count - first);
      return sizes[(int) Math.min(sizes.length - 1, place)];
    };
  }

  public byte[] at(long number) {
    int from = piece(number);
    int size = sizeOf(number);
    byte[] value = Arrays.copyOfRange(text, from, from + size);
    code(size).write(number, value);
    return value;
  }

  /** Returns the size of the value of a number. */
  int sizeOf(long number) {
    if (sizes.length == 1) {
      return sizes[0];
    }
    if (bytesOf != null) {
      return bytesOf.applyAsInt(number);
    }
    long drawn =
        Long.remainderUnsigned(
            HashMix.of(seedOfSizes ^ HashMix.of(number)), weightUpTo[sizes.length - 1]);
    int place = Arrays.binarySearch(weightUpTo, drawn);
    return sizes[place < 0 ? -place - 1 : place + 1];
  }

  private ValueCode code(int size) {
    return codes[Math.min(size, ValueCode.MAX_BYTES)];
  }

  /** Compares a read value with the value of this number, byte by byte. */
  public ValueCheck check(long number, byte[] read) {
    int size = sizeOf(number);
    if (read.length == size && code(size).isOf(number, read) && hasPiece(number, read)) {
      return ValueCheck.INTACT;
    }
    if (numberOf(read) >= 0) {
      return ValueCheck.OF_ANOTHER_KEY;
    }
    return read.length == size ? ValueCheck.ALTERED : ofOtherLength(read, size);
  }

  /**
   * Compares a read value, byte by byte, with the values that were written to its key. If values
   * are too short to identify their numbers, any value of the run passes.
   *
   * @param ofItsKey whether the value with a number was written to the key
   */
  public ValueCheck check(byte[] read, LongPredicate ofItsKey) {
    if (!isSize(read.length)) {
      return ofOtherLength(read, sizeInCode(read));
    }
    ValueCode code = code(read.length);
    if (!code.distinguishes(count)) {
      return code.isIn(read) ? ValueCheck.INTACT : ValueCheck.ALTERED;
    }
    long number = numberOf(read);
    if (number < 0) {
      int size = sizeInCode(read);
      return size == read.length ? ValueCheck.ALTERED : ofOtherLength(read, size);
    }
    return ofItsKey.test(number) ? ValueCheck.INTACT : ValueCheck.OF_ANOTHER_KEY;
  }

  /** Returns whether all values of the run differ. */
  boolean areDifferent() {
    return code(sizes[0]).distinguishes(count);
  }

  private boolean isSize(int bytes) {
    return Arrays.binarySearch(sizes, bytes) >= 0;
  }

  /**
   * Returns the size with which a value that is not one of the run was probably written: the size
   * of the number in its first bytes, otherwise the nearest size of a value.
   */
  private int sizeInCode(byte[] read) {
    if (read.length < sizes[0]) {
      return sizes[0];
    }
    if (read.length > sizes[sizes.length - 1]) {
      return sizes[sizes.length - 1];
    }
    ValueCode code = code(read.length);
    long number = code == null ? NONE : code.numberIn(read);
    return number < 0 || number >= count ? read.length : sizeOf(number);
  }

  private static ValueCheck ofOtherLength(byte[] read, int size) {
    if (read.length == 0) {
      return ValueCheck.EMPTY;
    }
    if (read.length == size) {
      return ValueCheck.ALTERED;
    }
    return read.length < size ? ValueCheck.SHORTER : ValueCheck.LONGER;
  }

  /** Returns the number of a value of this run; negative for other values. */
  long numberOf(byte[] value) {
    if (!isSize(value.length)) {
      return NONE;
    }
    long number = code(value.length).numberIn(value);
    return number >= 0
            && number < count
            && sizeOf(number) == value.length
            && hasPiece(number, value)
        ? number
        : NONE;
  }

  /** Returns whether the bytes after the code are those of the value of a number. */
  private boolean hasPiece(long number, byte[] value) {
    int from = piece(number);
    int codeBytes = code(value.length).bytes();
    return Arrays.equals(
        value, codeBytes, value.length, text, from + codeBytes, from + value.length);
  }

  private int piece(long number) {
    return (int) (HashMix.of(seed + number) & (PIECES - 1));
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
