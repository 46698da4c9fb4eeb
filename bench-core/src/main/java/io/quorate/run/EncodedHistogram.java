package io.quorate.run;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * Reads a histogram in HdrHistogram's compressed format V2 from its text, without the megabytes of
 * counters that the library sets up for each: of a run of hours there are tens of thousands. The
 * format: HdrHistogram's {@code AbstractHistogram.encodeIntoCompressedByteBuffer} and {@code
 * ZigZagEncoding}.
 */
final class EncodedHistogram {
  private static final int COMPRESSED_COOKIE = 0x1c849304;
  private static final int COOKIE = 0x1c849303;
  private static final int COOKIE_KIND = ~0xf0;
  private static final int HEADER_BYTES = 40;

  /** Longest encoded count in bytes. */
  private static final int LONGEST_COUNT = 9;

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
  private long[] values = new long[256];
  private long[] upperEnds = new long[256];
  private long[] counts = new long[256];
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
    read(bytes, magnitude(2 * (long) Math.pow(10, significantDigits)), log2(lowest));
  }

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
      byte[] bytes = new byte[4096];
      int length = 0;
      while (!inflater.finished()) {
        check(length < most, "inflated length");
        if (length == bytes.length) {
          bytes = Arrays.copyOf(bytes, 2 * length);
        }
        int read = inflater.inflate(bytes, length, bytes.length - length);
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
   */
  private void read(ByteBuffer buffer, int subBucketMagnitude, int unitMagnitude) {
    int end = buffer.limit();
    byte[] bytes = Arrays.copyOf(buffer.array(), end + LONGEST_COUNT);
    int[] position = {buffer.position()};
    long index = 0;
    while (position[0] < end) {
      long count = zigZag(bytes, position);
      if (count < 0) {
        check(count > Integer.MIN_VALUE, "run of empty buckets");
        index -= count;
      } else {
        if (count > 0) {
          add(index, count, subBucketMagnitude - 1, unitMagnitude);
        }
        index++;
      }
    }
    check(position[0] == end, "last count");
  }

  private void add(long index, long count, int halfMagnitude, int unitMagnitude) {
    check(index < (64L << halfMagnitude), "bucket");
    check(size < MOST_BUCKETS, "number of buckets");
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
      upperEnds = Arrays.copyOf(upperEnds, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    long half = 1L << halfMagnitude;
    int bucket = (int) Math.max(0, (index >> halfMagnitude) - 1);
    long subBucket = index < 2 * half ? index : (index & (half - 1)) + half;
    int shift = bucket + unitMagnitude;
    check(shift + halfMagnitude + 1 < Long.SIZE, "bucket");
    values[size] = subBucket << shift;
    upperEnds[size] = values[size] + (1L << shift) - 1;
    counts[size++] = count;
    totalCount += count;
    check(totalCount > 0, "sum of the counts");
  }

  /** Reads the next count; the bytes have room behind their end. */
  private static long zigZag(byte[] bytes, int[] position) {
    int at = position[0];
    long raw = 0;
    int shift = 0;
    byte next = bytes[at++];
    while (next < 0 && shift < 49) {
      raw |= (next & 0x7fL) << shift;
      shift += 7;
      next = bytes[at++];
    }
    if (next < 0) {
      raw |= (next & 0x7fL) << shift;
      shift += 7;
      next = bytes[at++];
      raw |= (next & 0xffL) << shift;
    } else {
      raw |= (long) next << shift;
    }
    position[0] = at;
    return raw >>> 1 ^ -(raw & 1);
  }

  private static int log2(long value) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
  }

  /** Returns the exponent of the smallest power of 2 that is not below the value. */
  private static int magnitude(long value) {
    return log2(value - 1) + 1;
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new IllegalArgumentException("found another " + what + " than that of a histogram");
    }
  }

  private EncodedHistogram(EncodedHistogram one, EncodedHistogram other) {
    this.significantDigits = Math.min(one.significantDigits, other.significantDigits);
    this.unpackedBytes = one.unpackedBytes + other.unpackedBytes;
    this.totalCount = one.totalCount + other.totalCount;
    this.values = new long[one.size + other.size];
    this.upperEnds = new long[one.size + other.size];
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
        upperEnds[size] = from.upperEnds[index];
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

  long totalCount() {
    return totalCount;
  }

  /** Returns the lower end of the bucket of the smallest value, if there is any. */
  long minValue() {
    return values[0];
  }

  /** Returns the upper end of the bucket of the greatest value, if there is any. */
  long maxValue() {
    return upperEnds[size - 1];
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
    return upperEnds[index];
  }

  /** Visits the values in ascending order. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < size; i++) {
      visitor.visit(values[i], counts[i]);
    }
  }

  void addTo(Histogram histogram) {
    for (int i = 0; i < size; i++) {
      histogram.recordValueWithCount(values[i], counts[i]);
    }
  }
}
