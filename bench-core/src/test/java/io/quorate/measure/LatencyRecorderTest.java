// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
  @Test
  void anIntervalHasWhatWasRecordedSinceTheLastOneAndTheTotalHasAll() {
    LatencyRecorder recorder = new LatencyRecorder();
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
    LatencyRecorder recorder = new LatencyRecorder();
    long firstEnd = recorder.interval().getEndTimeStamp();
    Histogram second = recorder.interval();

    assertThat(second.getStartTimeStamp()).isEqualTo(firstEnd);
    assertThat(second.getEndTimeStamp()).isGreaterThanOrEqualTo(firstEnd);
  }

  @Test
  void partsOfAnIntervalCountInItOnce() {
    LatencyRecorder recorder = new LatencyRecorder();
    recorder.record(10);
    assertThat(recorder.part().getMaxValue()).isEqualTo(10);
    recorder.record(20);
    recorder.record(30);
    Histogram part = recorder.part();
    assertThat(part.getTotalCount()).isEqualTo(2);
    long partEnd = part.getEndTimeStamp();
    recorder.record(40);

    Histogram interval = recorder.interval();
    assertThat(interval.getTotalCount()).isEqualTo(4);
    assertThat(interval.getMaxValue()).isEqualTo(40);
    assertThat(interval.getStartTimeStamp()).isLessThanOrEqualTo(partEnd);
    assertThat(interval.getEndTimeStamp()).isGreaterThanOrEqualTo(partEnd);
    assertThat(recorder.interval().getTotalCount()).isZero();
    assertThat(recorder.total().getTotalCount()).isEqualTo(4);
  }

  @Test
  void aTimeBelowZeroIsRefused() {
    LatencyRecorder recorder = new LatencyRecorder();

    assertThatThrownBy(() -> recorder.record(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(recorder.interval().getTotalCount()).isZero();
  }

  @Test
  void losesNothingWhileIntervalsAreTaken() throws InterruptedException {
    int each = 300_000;
    LatencyRecorder recorder = new LatencyRecorder();
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
