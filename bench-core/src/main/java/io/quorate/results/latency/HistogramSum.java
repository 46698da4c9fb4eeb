package io.quorate.results.latency;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;

/**
 * Adds up histograms that were read, and encodes the sum in HdrHistogram's compressed format V2, as
 * {@link EncodedHistogram} reads it. The library is slow at both: it compares each value with the
 * greatest and the smallest one so far, and goes through all buckets up to the greatest value, of
 * which a second of requests fills one in a hundred. For one thread.
 */
public final class HistogramSum extends EncodableHistogram {
  private static final int VERSION = 0x10;

  /** Longest encoding of a bucket, with that of the empty ones before it. */
  private static final int LONGEST_ENTRY = 2 * EncodedHistogram.LONGEST_COUNT;

  private final int significantDigits;

  /** Exponent of half the number of buckets that are one unit wide. */
  private final int halfMagnitude;

  private long[] counts = {};

  /** A bit for each bucket that is not empty. */
  private long[] filled = {};

  private int length;
  private long totalCount;
  private String tag = "";
  private long startMillis;
  private long endMillis;

  public HistogramSum(int significantDigits) {
    this.significantDigits = significantDigits;
    this.halfMagnitude = EncodedHistogram.halfMagnitude(significantDigits);
  }

  /** Receives each bucket that is not empty. */
  @FunctionalInterface
  private interface Visitor {
    void visit(int index, long count);
  }

  public void add(EncodedHistogram histogram) {
    if (histogram.totalCount() > 0) {
      reserve(index(histogram.maxValue()) + 1);
      histogram.forEach((value, count) -> add(index(value), count));
      totalCount += histogram.totalCount();
    }
  }

  /** Adds what another sum has, of as many digits. */
  public void add(HistogramSum other) {
    reserve(other.length);
    other.forEach(this::add);
    totalCount += other.totalCount;
  }

  private void add(int index, long count) {
    filled[index >> 6] |= 1L << index;
    counts[index] += count;
  }

  private void reserve(int buckets) {
    length = Math.max(length, buckets);
    if (counts.length < buckets) {
      int words = buckets / Long.SIZE + 1;
      filled = Arrays.copyOf(filled, words);
      counts = Arrays.copyOf(counts, words * Long.SIZE);
    }
  }

  /** Visits the buckets in ascending order. */
  private void forEach(Visitor visitor) {
    int words = (length + Long.SIZE - 1) / Long.SIZE;
    for (int word = 0; word < words; word++) {
      for (long left = filled[word]; left != 0; left &= left - 1) {
        int index = word * Long.SIZE + Long.numberOfTrailingZeros(left);
        visitor.visit(index, counts[index]);
      }
    }
  }

  public void clear() {
    forEach((index, count) -> counts[index] = 0);
    Arrays.fill(filled, 0);
    length = 0;
    totalCount = 0;
  }

  /** Returns how many values there are; negative if that is more than a number can be. */
  long totalCount() {
    return totalCount;
  }

  long bytes() {
    return (long) Long.BYTES * (counts.length + filled.length);
  }

  public Histogram toHistogram() {
    Histogram histogram = new Histogram(significantDigits);
    forEach((index, count) -> histogram.recordValueWithCount(value(index), count));
    return histogram;
  }

  /** Returns the number of the bucket of a value. */
  private int index(long value) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - (halfMagnitude + 1));
    return (shift << halfMagnitude) + (int) (value >>> shift);
  }

  /** Returns how much wider than one unit a bucket is, as an exponent. */
  private int shift(int index) {
    return Math.max(0, (index >> halfMagnitude) - 1);
  }

  /** Returns the lower end of a bucket. */
  private long value(int index) {
    int shift = shift(index);
    return (long) (index - (shift << halfMagnitude)) << shift;
  }

  @Override
  public double getMaxValueAsDouble() {
    return totalCount == 0 ? 0 : value(length - 1) + (1L << shift(length - 1)) - 1;
  }

  @Override
  public int getNeededByteBufferCapacity() {
    int buckets = Arrays.stream(filled).mapToInt(Long::bitCount).sum();
    int unpacked = EncodedHistogram.HEADER_BYTES + LONGEST_ENTRY * buckets;
    // what cannot be compressed becomes longer by a few bytes in each block of 16 kB
    return unpacked + unpacked / 1024 + 64;
  }

  /**
   * Encodes the values; whatever the level, repetitions are not looked for: a histogram has hardly
   * any, so that the result is even shorter, in a third of the time.
   */
  @Override
  public int encodeIntoCompressedByteBuffer(ByteBuffer target, int level) {
    int from = target.position();
    target.putInt(EncodedHistogram.COMPRESSED_COOKIE | VERSION).putInt(0);
    Deflater deflater = new Deflater(level);
    try {
      deflater.setStrategy(Deflater.HUFFMAN_ONLY);
      deflater.setInput(unpacked());
      deflater.finish();
      while (!deflater.finished()) {
        if (!target.hasRemaining()) {
          throw new BufferOverflowException();
        }
        // nothing yet when it is called first, as it takes up the strategy then
        deflater.deflate(target);
      }
    } finally {
      deflater.end();
    }
    int bytes = target.position() - from;
    target.putInt(from + Integer.BYTES, bytes - 2 * Integer.BYTES);
    return bytes;
  }

  private ByteBuffer unpacked() {
    ByteBuffer buffer = ByteBuffer.allocate(getNeededByteBufferCapacity());
    buffer.putInt(EncodedHistogram.COOKIE | VERSION).putInt(0).putInt(0).putInt(significantDigits);
    buffer.putLong(1).putLong(highestTrackable()).putDouble(1);
    int[] next = {0};
    forEach(
        (index, count) -> {
          int empty = index - next[0];
          if (empty > 0) {
            putZigZag(buffer, empty == 1 ? 0 : -empty);
          }
          putZigZag(buffer, count);
          next[0] = index + 1;
        });
    return buffer.putInt(Integer.BYTES, buffer.position() - EncodedHistogram.HEADER_BYTES).flip();
  }

  /** Returns the greatest value that the library has room for when it has grown for these. */
  private long highestTrackable() {
    long buckets = 1L << shift(Math.max(0, length - 1));
    return (buckets << halfMagnitude + 1) - 1;
  }

  private static void putZigZag(ByteBuffer buffer, long number) {
    long left = number << 1 ^ number >> Long.SIZE - 1;
    int bytes = 1;
    while (left >>> 7 != 0 && bytes < EncodedHistogram.LONGEST_COUNT) {
      buffer.put((byte) (left & 0x7f | 0x80));
      left >>>= 7;
      bytes++;
    }
    buffer.put((byte) left);
  }

  @Override
  public long getStartTimeStamp() {
    return startMillis;
  }

  @Override
  public void setStartTimeStamp(long millis) {
    this.startMillis = millis;
  }

  @Override
  public long getEndTimeStamp() {
    return endMillis;
  }

  @Override
  public void setEndTimeStamp(long millis) {
    this.endMillis = millis;
  }

  @Override
  public String getTag() {
    return tag;
  }

  @Override
  public void setTag(String text) {
    this.tag = text;
  }
}
