// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.VisibleText;
import io.quorate.harness.HarnessCommand.Rival;
import io.quorate.run.ParentProcess;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates keys in closed loops without Gatling, recorder, statistics, files or samplers, through
 * Quorate's driver or the store's own client library. Prints only requests per second, microseconds
 * of CPU time per request and the median in milliseconds.
 */
final class BaselineLoopProcess {
  private static final double SECOND = 1e9;
  private static final double MILLI = 1e6;
  private static final double MICRO = 1e3;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final List<Writes> connections;
  private final int clients;
  private final int keyBytes;
  private final byte[] value;

  private BaselineLoopProcess(List<Writes> connections, int clients, int keyBytes, int valueBytes) {
    this.connections = connections;
    this.clients = clients;
    this.keyBytes = keyBytes;
    this.value = new byte[valueBytes];
    Arrays.fill(value, (byte) 'v');
  }

  /**
   * Runs the loop with {@code DATABASE ENDPOINT CLIENTS CONNECTIONS WARM-UP REQUESTS KEY-BYTES
   * VALUE-BYTES RIVAL CLIENT}: the last two select the store's client library or a client of
   * Quorate. Exits with 1 at the first failed request.
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    ParentProcess.exitWhenInputEnds(System.in);
    Store database = Stores.byId(arguments[0]).orElseThrow();
    Endpoint server = Endpoint.parseList(arguments[1]).get(0);
    int clients = Integer.parseInt(arguments[2]);
    int count = Integer.parseInt(arguments[3]);
    List<Writes> connections =
        switch (Rival.valueOf(arguments[8])) {
          case LIBRARY -> ClientLibrary.open(database, server, count);
          case CURATOR -> ClientLibrary.curators(server, count);
          default -> drivers(database.client(arguments[9]).start(), server, count);
        };
    BaselineLoopProcess loop =
        new BaselineLoopProcess(
            connections, clients, Integer.parseInt(arguments[6]), Integer.parseInt(arguments[7]));
    int warmUp = Integer.parseInt(arguments[4]);
    int requests = Integer.parseInt(arguments[5]);
    loop.run('w', warmUp);

    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    Loop measured = loop.run('0', requests);
    long elapsed = System.nanoTime() - start;
    cpu = system.getProcessCpuTime() - cpu;
    Arrays.sort(measured.latencies);
    System.out.println(
        requests / (elapsed / SECOND)
            + " "
            + cpu / MICRO / requests
            + " "
            + measured.latencies[requests / 2] / MILLI);
    System.exit(0);
  }

  private static List<Writes> drivers(StoreClient client, Endpoint server, int count) {
    List<Writes> drivers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Connection driver = client.open(new DriverSettings(server, TIMEOUT, TIMEOUT, Access.PLAIN));
      drivers.add(
          (key, bytes, completion) -> driver.submit(Request.create(key, bytes), completion));
    }
    return drivers;
  }

  private Loop run(char first, int requests) throws InterruptedException {
    Loop loop = new Loop(first, requests);
    for (int i = 0; i < clients; i++) {
      new Client(loop, connections.get(i % connections.size())).next();
    }
    loop.running.await();
    return loop;
  }

  /** The shared state of the clients. */
  private final class Loop {
    final AtomicLong next = new AtomicLong();
    final CountDownLatch running = new CountDownLatch(clients);
    final long[] latencies;
    private final char first;

    Loop(char first, int requests) {
      this.first = first;
      this.latencies = new long[requests];
    }

    byte[] key(long number) {
      byte[] key = new byte[keyBytes];
      Arrays.fill(key, (byte) '0');
      int place = keyBytes;
      for (long rest = number; rest > 0; rest /= 10) {
        key[--place] = (byte) ('0' + rest % 10);
      }
      key[0] = (byte) first;
      return key;
    }
  }

  /**
   * A client in a closed loop; drivers complete requests on their threads, so this does not
   * recurse.
   */
  private final class Client implements Completion {
    private final Loop loop;
    private final Writes connection;
    private int number;
    private long startNanos;

    Client(Loop loop, Writes connection) {
      this.loop = loop;
      this.connection = connection;
    }

    void next() {
      long mine = loop.next.getAndIncrement();
      if (mine >= loop.latencies.length) {
        loop.running.countDown();
        return;
      }
      number = (int) mine;
      startNanos = System.nanoTime();
      connection.create(loop.key(mine), value, this);
    }

    @Override
    public void answered(Answer answer) {
      if (!(answer instanceof Answer.Written)) {
        failed(ErrorKind.OTHER, answer.toString());
        return;
      }
      loop.latencies[number] = System.nanoTime() - startNanos;
      next();
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      System.err.println(VisibleText.of("a request failed: " + kind + ", " + message));
      Runtime.getRuntime().halt(1);
    }
  }
}
