// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The buckets of a histogram that have values, in ascending order. HdrHistogram visits the many
 * thousand empty ones, too, which takes minutes for the log of a day.
 */
final class RecordedBuckets {
  // the second version of HdrHistogram's encoding, as LatencyLog writes it
  private static final int COMPRESSED = 0x1c849314;
  private static final int COUNTS = 0x1c849313;
  private static final int HEADER_BYTES = 40;

  private static final int MAX_DIGITS = 5;

  /** Size of the longest encoded number. */
  private static final int NUMBER_BYTES = 9;

  private long[] lowest = new long[64];
  private long[] highest = new long[64];
  private long[] counts = new long[64];
  private int size;
  private long total;

  /** Returns the buckets of a histogram. */
  static RecordedBuckets of(Histogram histogram) {
    RecordedBuckets buckets = new RecordedBuckets();
    for (HistogramIterationValue each : histogram.recordedValues()) {
      long highest = each.getValueIteratedTo();
      buckets.add(
          histogram.lowestEquivalentValue(highest), highest, each.getCountAtValueIteratedTo());
    }
    return buckets;
  }

  /**
   * Reads a compressed histogram.
   *
   * @throws DataFormatException if it is not one of whole numbers
   * @throws RuntimeException if it is damaged
   */
  static RecordedBuckets decode(byte[] compressed) throws DataFormatException {
    ByteBuffer outer = ByteBuffer.wrap(compressed);
    if (outer.getInt() != COMPRESSED || outer.getInt() != outer.remaining()) {
      throw new DataFormatException("not a compressed histogram of version 2");
    }
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(outer);
      ByteBuffer header = inflated(inflater, HEADER_BYTES);
      boolean known = header.getInt() == COUNTS;
      int length = header.getInt();
      known &= header.getInt() == 0; // values are not shifted
      int digits = header.getInt();
      known &= digits >= 0 && digits <= MAX_DIGITS;
      known &= header.getLong() == 1;
      if (!known) {
        throw new DataFormatException("not a histogram of whole numbers");
      }
      // there are as many buckets of the same width as numbers below 10^digits, or up to twice that
      int bits = Long.SIZE - Long.numberOfLeadingZeros(2 * (long) Math.pow(10, digits) - 1) - 1;
      int most = (Long.SIZE - bits) << bits;
      if (length < 0 || length > most * NUMBER_BYTES) {
        throw new DataFormatException("more buckets than there are");
      }
      RecordedBuckets buckets = new RecordedBuckets();
      buckets.read(inflated(inflater, length), bits, most);
      return buckets;
    } finally {
      inflater.end();
    }
  }

  private static ByteBuffer inflated(Inflater from, int length) throws DataFormatException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && from.inflate(bytes) > 0) {
      // goes on
    }
    if (bytes.hasRemaining()) {
      throw new BufferUnderflowException();
    }
    return bytes.flip();
  }

  /** Reads counts; a negative one is a number of empty buckets. */
  private void read(ByteBuffer numbers, int bits, int most) throws DataFormatException {
    int bucket = 0;
    while (numbers.hasRemaining()) {
      long count = number(numbers);
      long after = count < 0 ? bucket - count : bucket + 1L;
      if (after <= bucket || after > most) {
        throw new DataFormatException("more buckets than there are");
      }
      if (count > 0) {
        int scale = Math.max(0, (bucket >> bits) - 1);
        long first = (long) (bucket - (scale << bits)) << scale;
        add(first, first + (1L << scale) - 1, count);
      }
      bucket = (int) after;
    }
  }

  /** Reads a number of up to nine bytes, the last of which has eight bits. */
  private static long number(ByteBuffer from) {
    long bits = 0;
    int shift = 0;
    long part;
    do {
      part = from.get();
      boolean last = shift == 7 * (NUMBER_BYTES - 1);
      bits |= (last ? part & 0xff : part & 0x7f) << shift;
      shift += 7;
    } while (part < 0 && shift < 7 * NUMBER_BYTES);
    return bits >>> 1 ^ -(bits & 1);
  }

  private void add(long first, long last, long count) {
    if (size == counts.length) {
      lowest = Arrays.copyOf(lowest, 2 * size);
      highest = Arrays.copyOf(highest, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    lowest[size] = first;
    highest[size] = last;
    counts[size++] = count;
    total = Math.addExact(total, count);
  }

  /** Returns the buckets of both. */
  RecordedBuckets plus(RecordedBuckets other) {
    RecordedBuckets sum = new RecordedBuckets();
    int mine = 0;
    int others = 0;
    while (mine < size || others < other.size) {
      if (others == other.size || mine < size && lowest[mine] <= other.lowest[others]) {
        sum.add(lowest[mine], highest[mine], counts[mine++]);
      } else {
        sum.add(other.lowest[others], other.highest[others], other.counts[others++]);
      }
    }
    return sum;
  }

  void addTo(Histogram sum) {
    for (int i = 0; i < size; i++) {
      sum.recordValueWithCount(lowest[i], counts[i]);
    }
  }

  /** Returns the number of buckets; two of {@link #plus} may be the same one. */
  int size() {
    return size;
  }

  /** Returns the number of values. */
  long total() {
    return total;
  }

  long lowest(int index) {
    return lowest[index];
  }

  long highest(int index) {
    return highest[index];
  }

  long count(int index) {
    return counts[index];
  }
}
