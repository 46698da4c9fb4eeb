// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.load.workload.KeySequence;
import io.quorate.load.workload.ValueCheck;
import io.quorate.load.workload.ValueSource;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.ValueSizes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the cost of creating the key and the value of a request, and of checking a read value.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyAndValueBenchmark {
  private static final long KEYS = 1_000_000;
  private static final long SEED = 42;

  @Param({"256", "1024"})
  public int sizeBytes;

  private KeySequence sequential;
  private KeySequence random;
  private ValueSource values;
  private byte[] read;
  private long index;

  @Setup
  public void make() {
    sequential = keys(KeySpace.Order.SEQUENTIAL);
    random = keys(KeySpace.Order.RANDOM);
    values = new ValueSource(ValueSizes.fixed(sizeBytes), KEYS, SEED);
    read = values.at(4_711);
  }

  private KeySequence keys(KeySpace.Order order) {
    return KeySequence.measured(
        new KeySpace(sizeBytes, order, KEYS, false, KeySpace.USUAL_HOT_SET), SEED);
  }

  @Benchmark
  public byte[] sequentialKey() {
    return sequential.ofRequest(index++);
  }

  @Benchmark
  public byte[] randomKey() {
    return random.ofRequest(index++);
  }

  @Benchmark
  public byte[] value() {
    return values.at(index++);
  }

  @Benchmark
  public ValueCheck checkedValue() {
    return values.check(4_711, read);
  }
}
