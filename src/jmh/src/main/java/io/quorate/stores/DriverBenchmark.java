// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

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
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cost of a write through a driver against a server that answers at once: encoding,
 * decoding, the system's loopback and the few bytes of the server. The time is wall time, and the
 * server has a separate thread. The allocation covers the whole process including the server, which
 * allocates hardly anything for etcd and ZooKeeper.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DriverBenchmark {
  private static final int REQUESTS = 2000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Param({"etcd", "zookeeper", "consul", "memory"})
  public String id;

  /**
   * Number of clients on one connection; Consul's connection still carries one request at a time.
   */
  @Param({"1", "64"})
  public int clients;

  private final byte[] key = new byte[256];
  private final byte[] value = new byte[1024];

  /** The server; null in memory. */
  private @Nullable NullServer server;

  private Store database;
  private StoreClient client;
  private Connection driver;

  @Setup
  public void open() throws IOException {
    Arrays.fill(key, (byte) 'k');
    Arrays.fill(value, (byte) 'v');
    database = Stores.byId(id).orElseThrow();
    Endpoint endpoint = new Endpoint("127.0.0.1", 1);
    if (database.hasServers()) {
      server = NullServer.start(NullProtocol.valueOf(id.toUpperCase(Locale.ROOT)));
      endpoint = server.endpoint();
    }
    client = database.clients().get(0).start();
    driver = client.open(new DriverSettings(endpoint, TIMEOUT, TIMEOUT, Access.PLAIN));
    // in memory the key has to exist, and other stores permit that
    run(completion -> driver.submit(Request.create(key, value), completion), 1);
  }

  @TearDown
  public void close() throws IOException {
    if (server == null) {
      run(completion -> driver.submit(new Request.Delete(key), completion), 1);
    } else {
      server.close();
      server = null;
    }
    driver.close();
    client.close();
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void write() {
    run(
        !database.hasServers()
            ? completion -> driver.submit(Request.update(key, value), completion)
            : completion -> driver.submit(Request.create(key, value), completion),
        REQUESTS);
  }

  private void run(Send send, int requests) {
    int together = Math.min(clients, requests);
    Round round = new Round(send, requests, together);
    for (int i = 0; i < together; i++) {
      round.next();
    }
    round.await();
  }

  /** Sends one write. */
  private interface Send {
    void with(Completion completion);
  }

  /** A number of requests, each client sending its next one when its last has ended. */
  private static final class Round implements Completion {
    private final Send send;
    private final AtomicInteger left;
    private final CountDownLatch running;
    private volatile @Nullable String failure;

    Round(Send send, int requests, int clients) {
      this.send = send;
      this.left = new AtomicInteger(requests);
      this.running = new CountDownLatch(clients);
    }

    void next() {
      if (left.getAndDecrement() > 0) {
        send.with(this);
      } else {
        running.countDown();
      }
    }

    void await() {
      try {
        running.await();
      } catch (InterruptedException stop) {
        throw new IllegalStateException(stop);
      }
      if (failure != null) {
        throw new IllegalStateException(failure);
      }
    }

    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Missing) {
        failed(ErrorKind.MISSING, "missing");
      } else {
        next();
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      failure = kind + ": " + message;
      next();
    }
  }
}
