package io.quorate.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
  private static byte[] encoded(EncodableHistogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer, 6);
    byte[] bytes = new byte[length];
    buffer.rewind();
    buffer.get(bytes);
    return bytes;
  }

  @Property(seed = "1", tries = 50, edgeCases = EdgeCasesMode.NONE)
  void givesWhatTheRecorderOfHdrHistogramGives(
      @ForAll @IntRange(min = 1, max = 4) int digits,
      @ForAll @Size(max = 30) List<@LongRange(min = 0, max = 4_000_000_000_000L) Long> nanos) {
    LatencyRecorder ours = new LatencyRecorder(digits);
    Recorder theirs = new Recorder(LatencyRecorder.HIGHEST_NANOS, digits);
    for (long each : nanos) {
      ours.record(each);
      theirs.recordValue(Math.min(each, LatencyRecorder.HIGHEST_NANOS));
    }

    Histogram expected = theirs.getIntervalHistogram();
    Histogram interval = ours.interval();
    assertThat(interval).isEqualTo(expected);
    assertThat(encoded(interval)).isEqualTo(encoded(expected));
  }

  @Test
  void everyPowerOfTwoAndItsNeighboursAreInTheBucketsOfHdrHistogram() {
    LatencyRecorder recorder = new LatencyRecorder(4);
    Histogram expected = new Histogram(LatencyRecorder.HIGHEST_NANOS, 4);
    for (long nanos = 1; nanos < LatencyRecorder.HIGHEST_NANOS; nanos *= 2) {
      for (long each = nanos - 1; each <= nanos + 1; each++) {
        recorder.record(each);
        expected.recordValue(each);
      }
    }

    assertThat(recorder.interval()).isEqualTo(expected);
  }

  @Test
  void anIntervalHasWhatWasRecordedSinceTheLastOneAndTheTotalHasAll() {
    LatencyRecorder recorder = new LatencyRecorder(4);
    recorder.record(10);
    recorder.record(5_000_000);
    assertThat(recorder.interval().getTotalCount()).isEqualTo(2);

    recorder.record(20);
    Histogram second = recorder.interval();
    assertThat(second.getTotalCount()).isEqualTo(1);
    assertThat(second.getMaxValue()).isEqualTo(20);
    assertThat(recorder.interval().getTotalCount()).isZero();

    assertThat(recorder.total().getTotalCount()).isEqualTo(3);
    assertThat(recorder.total().getCountAtValue(10)).isEqualTo(1);
    assertThat(recorder.total().getCountAtValue(20)).isEqualTo(1);
  }

  @Test
  void anIntervalBeginsWhereTheLastOneEnded() {
    LatencyRecorder recorder = new LatencyRecorder(3);
    long firstEnd = recorder.interval().getEndTimeStamp();
    Histogram second = recorder.interval();

    assertThat(second.getStartTimeStamp()).isEqualTo(firstEnd);
    assertThat(second.getEndTimeStamp()).isGreaterThanOrEqualTo(firstEnd);
  }

  @Test
  void aTimeBelowZeroIsRefused() {
    LatencyRecorder recorder = new LatencyRecorder(4);

    assertThatThrownBy(() -> recorder.record(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(recorder.interval().getTotalCount()).isZero();
  }

  @Test
  void losesNothingWhileIntervalsAreTaken() throws InterruptedException {
    int each = 300_000;
    LatencyRecorder recorder = new LatencyRecorder(4);
    List<Thread> threads =
        IntStream.range(0, 4)
            .mapToObj(
                number ->
                    new Thread(
                        () -> {
                          for (int i = 0; i < each; i++) {
                            recorder.record(1_000L * number + i % 100);
                          }
                        }))
            .toList();
    AtomicBoolean over = new AtomicBoolean();
    long[] counted = new long[1];
    Thread reader =
        new Thread(
            () -> {
              while (!over.get()) {
                counted[0] += recorder.interval().getTotalCount();
              }
              counted[0] += recorder.interval().getTotalCount();
            });
    reader.start();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    over.set(true);
    reader.join();

    assertThat(counted[0]).isEqualTo(4L * each);
    assertThat(recorder.total().getTotalCount()).isEqualTo(4L * each);
    assertThat(recorder.total().getCountBetweenValues(3_000, 3_099)).isEqualTo(each);
  }
}
