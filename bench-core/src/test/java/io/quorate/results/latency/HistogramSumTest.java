package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramSumTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void theSumIsThatOfTheLibraryAndEncodedByteForByteAsItsOwn(int digits) throws Exception {
    Random random = new Random(digits);
    Histogram expected = new Histogram(digits);
    HistogramSum sum = new HistogramSum(digits);
    for (int i = 0; i < 5; i++) {
      Histogram part = new Histogram(digits);
      for (int j = 0; j < 1000; j++) {
        long value = (long) Math.exp(random.nextDouble() * (5 + 5 * i));
        part.recordValueWithCount(value, 1 + random.nextInt(1 << (j % 31)));
      }
      part.recordValueWithCount(0, 1L << 58);
      expected.add(part);
      sum.add(new EncodedHistogram(text(part)));
    }
    assertThat(sum.totalCount()).isEqualTo(expected.getTotalCount());
    assertThat(sum.toHistogram()).isEqualTo(expected);
    assertThat(sum.getMaxValueAsDouble()).isEqualTo(expected.getMaxValueAsDouble());
    assertThat(content(sum).equals(content(expected))).isTrue();
    assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded(sum)), 0))
        .isEqualTo(expected);
  }

  @Test
  void histogramsOfOtherDigitsAndUnitsAreAddedByTheLowerEndsOfTheirBuckets() {
    Histogram coarse = new Histogram(1000, 3_600_000_000_000L, 2);
    coarse.recordValue(123_456_789);
    Histogram fine = new Histogram(5);
    fine.recordValue(123_456_789);
    HistogramSum sum = new HistogramSum(4);
    sum.add(new EncodedHistogram(text(coarse)));
    sum.add(new EncodedHistogram(text(fine)));
    Histogram expected = new Histogram(4);
    expected.recordValue(coarse.lowestEquivalentValue(123_456_789));
    expected.recordValue(123_456_789);
    assertThat(sum.toHistogram()).isEqualTo(expected);
  }

  @Test
  void aClearedSumHasNothingAndSumsAreAdded() {
    Histogram part = new Histogram(4);
    part.recordValue(7_000_000);
    HistogramSum sum = new HistogramSum(4);
    HistogramSum all = new HistogramSum(4);
    sum.add(new EncodedHistogram(text(part)));
    all.add(sum);
    sum.clear();
    assertThat(sum.totalCount()).isZero();
    assertThat(sum.toHistogram()).isEqualTo(new Histogram(4));
    assertThat(new EncodedHistogram(text(sum)).totalCount()).isZero();
    all.add(sum);
    part.recordValue(9);
    sum.add(new EncodedHistogram(text(part)));
    all.add(sum);
    part.recordValue(7_000_000);
    assertThat(all.toHistogram()).isEqualTo(part);
  }

  private static String text(EncodableHistogram histogram) {
    return Base64.getEncoder().encodeToString(encoded(histogram));
  }

  private static byte[] encoded(EncodableHistogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.DEFAULT_COMPRESSION);
    return Arrays.copyOf(buffer.array(), length);
  }

  /** Returns what is compressed, without the size that a histogram has happened to grow to. */
  private static ByteBuffer content(EncodableHistogram histogram) throws Exception {
    byte[] encoded = encoded(histogram);
    Inflater inflater = new Inflater();
    inflater.setInput(encoded, 8, encoded.length - 8);
    byte[] bytes = new byte[1 << 20];
    int length = inflater.inflate(bytes);
    assertThat(inflater.finished()).isTrue();
    inflater.end();
    return ByteBuffer.wrap(bytes, 0, length).putLong(24, 0);
  }
}
