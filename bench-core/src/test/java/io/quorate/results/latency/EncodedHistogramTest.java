package io.quorate.results.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedHistogramTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void holdsWhatTheLibraryEncoded(int digits) {
    Random random = new Random(digits);
    for (long lowest : new long[] {1, 1000}) {
      Histogram histogram = new Histogram(lowest, 3_600_000_000_000L, digits);
      for (int i = 0; i < 3000; i++) {
        histogram.recordValueWithCount(
            (long) Math.exp(random.nextDouble() * 28.9), 1 + random.nextInt(1 << (i % 31)));
      }
      histogram.recordValueWithCount(5_000_000, 1L << 60);
      EncodedHistogram read = new EncodedHistogram(encoded(histogram));
      Histogram copy = new Histogram(lowest, 3_600_000_000_000L, digits);
      read.forEach(copy::recordValueWithCount);
      assertThat(copy).isEqualTo(histogram);
      assertThat(read.totalCount()).isEqualTo(histogram.getTotalCount());
      assertThat(read.maxValue()).isEqualTo(histogram.getMaxValue());
      assertThat(read.significantDigits()).isEqualTo(digits);
      assertThat(read.valueAt(Percentile.P50)).isEqualTo(histogram.getValueAtPercentile(50));
      assertThat(read.valueAt(Percentile.P99_9)).isEqualTo(histogram.getValueAtPercentile(99.9));
    }
  }

  @Test
  void aPercentileIsTheNearestRank() {
    Histogram histogram = new Histogram(3_600_000_000_000L, 4);
    histogram.recordValue(10);
    histogram.recordValue(20);
    histogram.recordValue(30);
    EncodedHistogram read = new EncodedHistogram(encoded(histogram));
    assertThat(read.valueAt(Percentile.P10)).isEqualTo(10);
    assertThat(read.valueAt(Percentile.P50)).isEqualTo(20);
    assertThat(read.valueAt(Percentile.P99_9)).isEqualTo(30);
    assertThat(read.minValue()).isEqualTo(10);
  }

  @Test
  void anEmptyOneHasNothing() {
    EncodedHistogram read = new EncodedHistogram(encoded(new Histogram(1_000_000, 3)));
    assertThat(read.totalCount()).isZero();
    read.forEach((value, count) -> fail("found " + value));
  }

  @Test
  void whateverIsDamagedIsRefusedAndNothingElseIsThrown() {
    Histogram histogram = new Histogram(3_600_000_000_000L, 4);
    for (int i = 1; i < 2000; i++) {
      histogram.recordValue(i * 997L);
    }
    byte[] whole = Base64.getDecoder().decode(encoded(histogram));
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 5000; i++) {
      byte[] damaged =
          Arrays.copyOf(whole, i % 2 == 0 ? whole.length : random.nextInt(whole.length));
      if (damaged.length > 0) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      }
      try {
        new EncodedHistogram(Base64.getEncoder().encodeToString(damaged));
      } catch (IllegalArgumentException expected) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(4900);
  }

  @Test
  void textThatIsNotBase64IsRefused() {
    assertThatThrownBy(() -> new EncodedHistogram("HIST"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }
}
