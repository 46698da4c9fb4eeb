package io.quorate.results.latency;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads a histogram in HdrHistogram's compressed format V2 from its text, without the megabytes of
 * counters that the library sets up for each: of a run of hours there are tens of thousands. The
 * format: HdrHistogram's {@code AbstractHistogram.encodeIntoCompressedByteBuffer} and {@code
 * ZigZagEncoding}.
 */
public final class EncodedHistogram {
  static final int COMPRESSED_COOKIE = 0x1c849304;
  static final int COOKIE = 0x1c849303;
  private static final int COOKIE_KIND = ~0xf0;
  static final int HEADER_BYTES = 40;

  /** Longest encoded count in bytes, of which all but the last one have seven bits of it. */
  static final int LONGEST_COUNT = 9;

  private static final int LAST_SHIFT = 7 * (LONGEST_COUNT - 1);

  /** Size limit of the counters: those of a second of a million requests take less. */
  private static final int MOST_BYTES = 8 << 20;

  /**
   * Limit of the compression ratio: runs of empty buckets are one number, so that little is left to
   * compress.
   */
  private static final int MOST_TIMES = 100;

  private static final int SMALL_BYTES = 1 << 16;
  private static final int MOST_BUCKETS = 1 << 20;

  private final int significantDigits;
  private final int halfMagnitude;
  private final int unitMagnitude;
  private long[] values;
  private long[] counts;
  private int size;
  private long totalCount;
  private final int unpackedBytes;

  /** Receives each value. */
  @FunctionalInterface
  interface Visitor {
    /**
     * @param value the lower end of its bucket
     */
    void visit(long value, long count);
  }

  /**
   * @throws IllegalArgumentException if it is no such text
   */
  EncodedHistogram(String base64) {
    ByteBuffer bytes = inflated(ByteBuffer.wrap(Base64.getDecoder().decode(base64)));
    check(bytes.remaining() >= HEADER_BYTES, "header");
    check((bytes.getInt() & COOKIE_KIND) == (COOKIE & COOKIE_KIND), "cookie");
    int length = bytes.getInt();
    check(bytes.getInt() == 0, "normalizing offset");
    this.significantDigits = bytes.getInt();
    check(significantDigits >= 1 && significantDigits <= 5, "significant digits");
    long lowest = bytes.getLong();
    check(lowest >= 1, "lowest value");
    bytes.position(HEADER_BYTES);
    check(length == bytes.remaining(), "length");
    this.unpackedBytes = bytes.limit();
    this.halfMagnitude = halfMagnitude(significantDigits);
    this.unitMagnitude = log2(lowest);
    this.values = new long[Math.min(length / 2, MOST_BUCKETS) + 1];
    this.counts = new long[values.length];
    read(bytes);
  }

  /** Returns what was compressed, in an array that is longer by a count that is cut off. */
  private static ByteBuffer inflated(ByteBuffer compressed) {
    check(compressed.remaining() >= 8, "length");
    check(
        (compressed.getInt() & COOKIE_KIND) == (COMPRESSED_COOKIE & COOKIE_KIND),
        "cookie of a compressed histogram");
    check(compressed.getInt() == compressed.remaining(), "compressed length");
    long most = Math.min(MOST_BYTES, SMALL_BYTES + (long) MOST_TIMES * compressed.remaining());
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(compressed);
      byte[] bytes = new byte[Math.min(3 * compressed.remaining(), MOST_BYTES) + 4096];
      int length = 0;
      while (!inflater.finished()) {
        check(length < most, "inflated length");
        if (length + LONGEST_COUNT >= bytes.length) {
          bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        int read = inflater.inflate(bytes, length, bytes.length - LONGEST_COUNT - length);
        check(read > 0 || inflater.finished(), "end of the compressed bytes");
        length += read;
      }
      return ByteBuffer.wrap(bytes, 0, length);
    } catch (DataFormatException damaged) {
      throw new IllegalArgumentException("damaged: " + damaged.getMessage(), damaged);
    } finally {
      inflater.end();
    }
  }

  /**
   * Reads counts in the order of their buckets; a negative one stands for so many empty buckets.
   * Which of both comes next cannot be foretold, so there are no branches on it.
   */
  private void read(ByteBuffer buffer) {
    byte[] bytes = buffer.array();
    int end = buffer.limit();
    int at = buffer.position();
    long index = 0;
    long least = 0;
    long overflow = 0;
    while (at < end) {
      long raw = bytes[at++];
      if (raw < 0) {
        raw &= 0x7f;
        int shift = 7;
        byte next = bytes[at++];
        for (; next < 0 && shift < LAST_SHIFT; shift += 7) {
          raw |= (next & 0x7fL) << shift;
          next = bytes[at++];
        }
        raw |= (next & 0xffL) << shift;
      }
      long count = raw >>> 1 ^ -(raw & 1);
      if (size == values.length) {
        grow();
      }
      values[size] = index;
      counts[size] = count;
      size += count > 0 ? 1 : 0;
      index += count < 0 ? -count : 1;
      totalCount += Math.max(0, count);
      overflow |= totalCount;
      least = Math.min(least, count);
    }
    check(at == end, "last count");
    check(least > Integer.MIN_VALUE, "run of empty buckets");
    check(overflow >= 0, "sum of the counts");
    toValues();
  }

  private void grow() {
    check(size < MOST_BUCKETS, "number of buckets");
    values = Arrays.copyOf(values, 2 * size);
    counts = Arrays.copyOf(counts, 2 * size);
  }

  /** Replaces the numbers of the buckets, which are in ascending order, by their lower ends. */
  private void toValues() {
    long last = size == 0 ? 0 : values[size - 1];
    check(last < (64L << halfMagnitude), "bucket");
    check(shift(last) + unitMagnitude + halfMagnitude + 1 < Long.SIZE, "bucket");
    for (int i = 0; i < size; i++) {
      long shift = shift(values[i]);
      values[i] = values[i] - (shift << halfMagnitude) << shift + unitMagnitude;
    }
  }

  /** Returns how much wider than the smallest a bucket is, as an exponent. */
  private long shift(long index) {
    return Math.max(0, (index >> halfMagnitude) - 1);
  }

  private static int log2(long value) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
  }

  /** Returns the exponent of half the number of buckets that are one unit wide. */
  static int halfMagnitude(int significantDigits) {
    return log2(2 * (long) Math.pow(10, significantDigits) - 1);
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new IllegalArgumentException("found another " + what + " than that of a histogram");
    }
  }

  /** Creates the sum of two, with as few digits as one of them has. */
  private EncodedHistogram(EncodedHistogram one, EncodedHistogram other) {
    this.significantDigits = Math.min(one.significantDigits, other.significantDigits);
    this.unpackedBytes = one.unpackedBytes + other.unpackedBytes;
    this.totalCount = one.totalCount + other.totalCount;
    this.halfMagnitude = halfMagnitude(significantDigits);
    this.unitMagnitude = Math.max(one.unitMagnitude, other.unitMagnitude);
    this.values = new long[one.size + other.size];
    this.counts = new long[one.size + other.size];
    int first = 0;
    int second = 0;
    while (first < one.size || second < other.size) {
      boolean fromOne =
          second == other.size || first < one.size && one.values[first] <= other.values[second];
      EncodedHistogram from = fromOne ? one : other;
      int index = fromOne ? first++ : second++;
      if (size > 0 && values[size - 1] == from.values[index]) {
        counts[size - 1] += from.counts[index];
      } else {
        values[size] = from.values[index];
        counts[size++] = from.counts[index];
      }
    }
  }

  /** Returns the values of this histogram and of another one. */
  EncodedHistogram plus(EncodedHistogram other) {
    return new EncodedHistogram(this, other);
  }

  int unpackedBytes() {
    return unpackedBytes;
  }

  int significantDigits() {
    return significantDigits;
  }

  public long totalCount() {
    return totalCount;
  }

  /** Returns the lower end of the bucket of the smallest value, if there is any. */
  long minValue() {
    return values[0];
  }

  /** Returns the upper end of the bucket of the greatest value, if there is any. */
  long maxValue() {
    return upperEnd(values[size - 1]);
  }

  /** Returns the upper end of the bucket of a value. */
  private long upperEnd(long value) {
    int shift = Math.max(unitMagnitude, log2(value | 1) - halfMagnitude);
    return value | (1L << shift) - 1;
  }

  /**
   * Returns the value by nearest rank: the upper end of the bucket of the value at position ceil(p
   * n / 100).
   */
  long valueAt(Percentile percentile) {
    long rank = percentile.rank(totalCount);
    int index = 0;
    for (long seen = counts[0]; seen < rank; seen += counts[++index]) {
      continue;
    }
    return upperEnd(values[index]);
  }

  /** Visits the values in ascending order. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < size; i++) {
      visitor.visit(values[i], counts[i]);
    }
  }
}
