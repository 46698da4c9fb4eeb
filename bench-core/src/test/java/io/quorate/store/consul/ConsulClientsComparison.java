// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ConnectionContract;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Writes through our Consul driver and through Consul's Java client library in turn: what each
 * reaches, and what it costs. Arguments: HOST:PORT CLIENTS REQUESTS ROUNDS.
 */
final class ConsulClientsComparison {
  private static final byte[] VALUE = new byte[256];
  private static final int DIFFERENT_KEYS = 100_000;

  private ConsulClientsComparison() {}

  public static void main(String[] arguments) throws InterruptedException {
    var settings =
        new DriverSettings(
            Endpoint.parse(arguments[0]),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Access.PLAIN);
    int clients = Integer.parseInt(arguments[1]);
    long requests = Long.parseLong(arguments[2]);
    Map<String, List<Connection>> drivers = new LinkedHashMap<>();
    drivers.put("library", open(clients, settings, ConsulStore.LIBRARY.start()));
    drivers.put("direct", open(clients, settings, ConsulStore.HTTP.start()));
    for (int round = 0; round <= Integer.parseInt(arguments[3]); round++) {
      for (var entry : drivers.entrySet()) {
        String name = (round == 0 ? "warm-up " : "") + entry.getKey();
        new Round(requests, entry.getValue()).run(name, System.out);
      }
    }
    drivers.values().forEach(connections -> connections.forEach(Connection::close));
  }

  private static List<Connection> open(int count, DriverSettings settings, StoreClient client) {
    return IntStream.range(0, count).mapToObj(index -> client.open(settings)).toList();
  }

  /** Each client writes, and writes again when that is done, until the requests are used up. */
  private static final class Round {
    private final long requests;
    private final List<Connection> drivers;
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final CountDownLatch running;

    Round(long requests, List<Connection> drivers) {
      this.requests = requests;
      this.drivers = drivers;
      this.running = new CountDownLatch(drivers.size());
    }

    void run(String name, PrintStream out) throws InterruptedException {
      long cpuNanos = cpuNanos();
      long nanos = System.nanoTime();
      drivers.forEach(this::write);
      running.await();
      nanos = System.nanoTime() - nanos;
      cpuNanos = cpuNanos() - cpuNanos;
      out.printf(
          Locale.ROOT,
          "%-16s %5d clients %8.0f writes/s %7.1f us of CPU per write %d failures%n",
          name,
          drivers.size(),
          requests * 1e9 / nanos,
          cpuNanos / 1e3 / requests,
          failures.get());
    }

    private void write(Connection driver) {
      long number = started.getAndIncrement();
      if (number < requests) {
        byte[] key =
            ConnectionContract.utf8(String.format(Locale.ROOT, "%06d", number % DIFFERENT_KEYS));
        driver.submit(Request.create(key, VALUE), new Next(this, driver));
      } else {
        running.countDown();
      }
    }

    private static long cpuNanos() {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
  }

  private record Next(Round round, Connection driver) implements Completion {
    @Override
    public void answered(Answer answer) {
      if (!(answer instanceof Answer.Written)) {
        throw new AssertionError("nothing was read");
      }
      round.write(driver);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      round.failures.incrementAndGet();
      round.write(driver);
    }
  }
}
