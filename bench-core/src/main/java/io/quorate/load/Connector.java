package io.quorate.load;

import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Opens connections, round robin over endpoints.
 *
 * @param client makes the connections
 * @param endpoints the members that the scenario's routing chose, at least one
 * @param requestTimeout the deadline of a request
 */
public record Connector(StoreClient client, List<Endpoint> endpoints, Duration requestTimeout) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
  private static final int OPENING_AT_ONCE = 16;

  public Connector {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("no endpoint to connect to");
    }
  }

  /**
   * Opens a number of connections and waits until all are ready. After the first that cannot be
   * opened, or once cancelled, no further one is begun.
   *
   * @throws io.quorate.QuorateException if one cannot be opened; then none stays open
   */
  List<Connection> open(int connections, BooleanSupplier cancelled) {
    AtomicBoolean failed = new AtomicBoolean();
    ExecutorService openers = Executors.newFixedThreadPool(Math.min(connections, OPENING_AT_ONCE));
    try {
      List<CompletableFuture<Connection>> opening =
          IntStream.range(0, connections)
              .mapToObj(
                  i -> CompletableFuture.supplyAsync(() -> openOne(i, cancelled, failed), openers))
              .toList();
      return allOf(opening);
    } finally {
      openers.shutdown();
    }
  }

  private Connection openOne(int number, BooleanSupplier cancelled, AtomicBoolean failed) {
    if (failed.get() || cancelled.getAsBoolean()) {
      throw new CancellationException("not opened any more");
    }
    Endpoint endpoint = endpoints.get(number % endpoints.size());
    try {
      return client.open(new DriverSettings(endpoint, requestTimeout, CONNECT_TIMEOUT));
    } catch (RuntimeException failure) {
      failed.set(true);
      throw failure;
    }
  }

  private static List<Connection> allOf(List<CompletableFuture<Connection>> opening) {
    List<Connection> open = new ArrayList<>();
    RuntimeException failure = null;
    for (CompletableFuture<Connection> one : opening) {
      try {
        open.add(one.join());
      } catch (CompletionException e) {
        failure = worse(failure, e.getCause() instanceof RuntimeException cause ? cause : e);
      }
    }
    if (failure != null) {
      open.forEach(Connection::close);
      throw failure;
    }
    return open;
  }

  /** Returns the more informative failure: that a connection was not begun explains nothing. */
  private static RuntimeException worse(RuntimeException known, RuntimeException other) {
    return known == null || known instanceof CancellationException ? other : known;
  }
}
