// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.host.DiskProbe;
import io.quorate.load.ClosedLoop;
import io.quorate.load.workload.RequestSource;
import io.quorate.results.Canary;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Measures a {@link Canary}: half of its time in memory, a quarter each on the disk and a CPU. */
final class CanaryProbe {
  private static final int BATCH = 50_000;
  private static final int KEYS = 10_000;
  private static final int VALUE_BYTES = 256;
  private static final int LOOPS = 10_000_000;
  private static final long MULTIPLIER = 6_364_136_223_846_793_005L;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private CanaryProbe() {}

  /**
   * Measures the machine and adds the result to the directory of a series. The calling thread waits
   * for as long as this takes, at least 4 s.
   */
  static void append(Path series, Duration time) {
    Instant start = Instant.now();
    Duration quarter = time.dividedBy(4);
    double perSecond = requestsPerSecond(time.dividedBy(2));
    DiskProbe disk = DiskProbe.run(series, (int) Math.max(1, quarter.toSeconds()));
    Canary canary =
        new Canary(
            start,
            rounded(perSecond),
            rounded(disk.nanos().getValueAtPercentile(50) / NANOS_PER_MILLI),
            rounded(median(quarter, CanaryProbe::loopMillis)));
    canary.append(series);
    Console.lines("canary: " + canary);
  }

  private static double rounded(double value) {
    return new BigDecimal(value).round(new MathContext(4)).doubleValue();
  }

  /** Returns the median of the second half of the values, when the code is compiled. */
  private static double median(Duration time, DoubleSupplier measured) {
    long end = System.nanoTime() + time.toNanos();
    List<Double> values = new ArrayList<>();
    do {
      values.add(measured.getAsDouble());
    } while (System.nanoTime() < end);
    List<Double> later =
        values.subList(values.size() / 2, values.size()).stream().sorted().toList();
    return later.get(later.size() / 2);
  }

  private static double requestsPerSecond(Duration time) {
    StoreClient client = MemoryStore.STORE.clients().get(0).start();
    try (Connection connection =
        client.open(
            new DriverSettings(new Endpoint("127.0.0.1", 1), TIMEOUT, TIMEOUT, Access.PLAIN))) {
      byte[] value = new byte[VALUE_BYTES];
      RequestSource puts =
          (to, index, completion) ->
              to.submit(
                  new Request.Put(
                      ByteBuffer.allocate(Long.BYTES).putLong(index % KEYS).array(), value, false),
                  completion);
      return median(
          time,
          () -> {
            long begin = System.nanoTime();
            ClosedLoop.apart("put", puts, BATCH, 1).run(1, List.of(connection)).join();
            return BATCH * 1e9 / (System.nanoTime() - begin);
          });
    } finally {
      client.close();
    }
  }

  private static double loopMillis() {
    long begin = System.nanoTime();
    long sum = begin;
    for (int i = 0; i < LOOPS; i++) {
      sum = sum * MULTIPLIER + i;
    }
    long end = System.nanoTime();
    // the sum is used, so that the loop is not removed
    return Math.max(1, sum == 0 ? 1 : end - begin) / NANOS_PER_MILLI;
  }
}
