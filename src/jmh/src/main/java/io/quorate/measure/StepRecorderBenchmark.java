// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * Measures the cost of recording a request that succeeds, including two clock readings, by one
 * thread and by several at once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StepRecorderBenchmark {
  private final OperationRecorder recorder =
      new StepRecorder(1000, RunClock.start(), List.of(""), false).operations().get(0);

  /** Latencies from 0.1 to 8.5 ms, which are spread over many buckets of the histogram. */
  @State(Scope.Thread)
  public static class Latency {
    private long random = Thread.currentThread().hashCode() | 1;

    long nanos() {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      return 100_000 + (random & 0x7FFFFF);
    }
  }

  @Benchmark
  @Threads(1)
  public long oneThread(Latency latency) {
    return record(latency);
  }

  @Benchmark
  @Threads(2)
  public long twoThreads(Latency latency) {
    return record(latency);
  }

  @Benchmark
  @Threads(8)
  public long eightThreads(Latency latency) {
    return record(latency);
  }

  private long record(Latency latency) {
    long start = System.nanoTime();
    SecondTally second = recorder.second(start);
    long end = System.nanoTime();
    recorder.succeeded(second, end - latency.nanos(), end);
    return end - start;
  }
}
