// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.measure.LatencyRecorder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecordedBucketsTest {
  private final Random random = new Random(5);

  @Test
  void the_buckets_are_those_that_hdrhistogram_encoded() throws DataFormatException {
    for (int digits = 0; digits <= 5; digits++) {
      theBucketsAreThoseOf(digits);
    }
  }

  private void theBucketsAreThoseOf(int digits) throws DataFormatException {
    for (int count = 0; count < 3_000; count += 1 + count / 4) {
      Histogram written = new Histogram(3_600_000_000_000L, digits);
      for (int i = 0; i < count; i++) {
        written.recordValueWithCount(
            (long) Math.exp(28 * random.nextDouble()), 1 + random.nextInt(1 << random.nextInt(30)));
      }
      RecordedBuckets read = RecordedBuckets.decode(encoded(written));

      Histogram sum = new Histogram(digits);
      read.addTo(sum);
      assertThat(sum).isEqualTo(written);
      assertThat(read.total()).isEqualTo(written.getTotalCount());
      if (count > 0) {
        assertThat(read.highest(read.size() - 1)).isEqualTo(written.getMaxValue());
        assertThat(read.lowest(0)).isEqualTo(written.getMinValue());
      }
    }
  }

  @Test
  void the_largest_numbers_are_read() throws DataFormatException {
    Histogram written = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
    written.recordValueWithCount(0, 1L << 61);
    written.recordValueWithCount(1L << 62, 3);
    Histogram sum = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
    RecordedBuckets.decode(encoded(written)).addTo(sum);
    assertThat(sum).isEqualTo(written);
  }

  @Test
  void the_sum_of_two_has_the_percentiles_of_their_values() {
    Histogram first = of(1_000, 2_000, 3_000_000);
    Histogram second = of(2_000, 500, 70_000_000);
    RecordedBuckets sum = RecordedBuckets.of(first).plus(RecordedBuckets.of(second));
    first.add(second);
    assertThat(Percentile.all(sum)).isEqualTo(Percentile.all(RecordedBuckets.of(first)));
    assertThat(sum.total()).isEqualTo(6);
  }

  @Test
  void damaged_bytes_are_refused_or_have_values_of_a_histogram() {
    byte[] whole = encoded(of(1_000, 2_000, 3_000_000, 3_000_001));
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = Arrays.copyOf(whole, whole.length - random.nextInt(2) * random.nextInt(40));
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      Throwable problem = catchThrowable(() -> RecordedBuckets.decode(damaged));
      assertThat(problem == null || problem instanceof Exception).isTrue();
    }
  }

  @Test
  void other_units_and_other_bytes_are_refused() {
    Histogram coarse = new Histogram(1_000, 1_000_000, 3);
    coarse.recordValue(7_000);
    assertThat(catchThrowable(() -> RecordedBuckets.decode(encoded(coarse))))
        .hasMessage("not a histogram of whole numbers");
    assertThat(catchThrowable(() -> RecordedBuckets.decode(new byte[16])))
        .hasMessage("not a compressed histogram of version 2");
  }

  private static Histogram of(long... nanos) {
    Histogram histogram = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }

  private static byte[] encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Arrays.copyOf(buffer.array(), length);
  }
}
