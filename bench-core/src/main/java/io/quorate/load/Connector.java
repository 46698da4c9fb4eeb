// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Opens connections and streams, round robin over endpoints.
 *
 * @param endpoints the members that the scenario's routing chose, at least one
 */
public record Connector(
    StoreClient client, List<Endpoint> endpoints, Duration requestTimeout, Access access) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
  private static final int OPENING_AT_ONCE = 16;

  public Connector {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("no endpoint to connect to");
    }
  }

  /**
   * Returns a connector that continues after a number of connections that other load generators
   * open. Together they spread over the endpoints like the connections of a single load generator.
   */
  Connector after(long connections) {
    List<Endpoint> rotated = new ArrayList<>(endpoints);
    Collections.rotate(rotated, -(int) (connections % endpoints.size()));
    return new Connector(client, rotated, requestTimeout, access);
  }

  /** Returns a connector to other members. */
  public Connector to(List<Endpoint> others) {
    return new Connector(client, others, requestTimeout, access);
  }

  /** Returns a connector whose requests have another deadline. */
  public Connector withTimeout(Duration other) {
    return new Connector(client, endpoints, other, access);
  }

  /**
   * Opens a number of connections and waits until all are ready. Stops after the first failure or
   * when cancelled.
   *
   * @throws io.quorate.QuorateException if one cannot be opened; then none stays open
   */
  public List<Connection> open(int connections, BooleanSupplier cancelled) {
    return open("connections", connections, cancelled, client::open, Connection::close);
  }

  /**
   * Opens the connection of one request, within the deadline of a request.
   *
   * @param number number of the connection, which selects the endpoint round robin
   * @throws io.quorate.QuorateException if it cannot be opened in time
   */
  public Connection openOne(long number) {
    return open(endpoints.get((int) (number % endpoints.size())), requestTimeout);
  }

  /** Opens streams for watches, as {@link #open} opens connections. */
  List<Subscriptions> subscribe(int streams, BooleanSupplier cancelled) {
    return open("streams", streams, cancelled, client::subscribe, Subscriptions::close);
  }

  private <T> List<T> open(
      String what,
      int count,
      BooleanSupplier cancelled,
      Function<DriverSettings, T> opener,
      Consumer<T> closer) {
    List<T> open = new ArrayList<>();
    Optional<RuntimeException> failure =
        open(count, cancelled, endpoint -> opener.apply(settings(endpoint, CONNECT_TIMEOUT)), open);
    if (failure.isPresent()) {
      open.forEach(closer);
      if (open.isEmpty() || failure.get() instanceof CancellationException) {
        throw failure.get();
      }
      throw new QuorateException(
          "%s; %d of %d %s were open"
              .formatted(failure.get().getMessage(), open.size(), count, what),
          failure.get());
    }
    return open;
  }

  /** Opens a number of connections or streams; returns why it stopped before, if it did. */
  private <T> Optional<RuntimeException> open(
      int count, BooleanSupplier cancelled, Function<Endpoint, T> opener, List<T> open) {
    AtomicBoolean failed = new AtomicBoolean();
    ExecutorService openers = Executors.newFixedThreadPool(Math.min(count, OPENING_AT_ONCE));
    try {
      return await(
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> openOne(i, cancelled, failed, opener), openers))
              .toList(),
          open::add);
    } finally {
      openers.shutdown();
    }
  }

  /**
   * Opens connections, spread over the reachable endpoints: as many as the servers accept, up to a
   * number.
   *
   * @param limit time within which an endpoint is reachable
   * @throws io.quorate.QuorateException if they accept none
   */
  public List<Connection> openReachable(int most, Duration limit) {
    List<Endpoint> reached = new ArrayList<>();
    List<Connection> open = new ArrayList<>();
    Optional<RuntimeException> failure = Optional.empty();
    for (int tried = 0; tried < endpoints.size() && open.size() < most; ) {
      int end = Math.min(endpoints.size(), tried + most - open.size());
      failure =
          await(
              endpoints.subList(tried, end).stream()
                  .map(endpoint -> CompletableFuture.supplyAsync(() -> reached(endpoint, limit)))
                  .toList(),
              first -> {
                reached.add(first.getKey());
                open.add(first.getValue());
              });
      tried = end;
    }
    if (open.isEmpty()) {
      throw failure.orElseThrow();
    }
    int more = most - open.size();
    if (more > 0) {
      new Connector(client, reached, requestTimeout, access)
          .open(more, () -> false, endpoint -> open(endpoint, limit), open);
    }
    return open;
  }

  private Map.Entry<Endpoint, Connection> reached(Endpoint endpoint, Duration limit) {
    return Map.entry(endpoint, open(endpoint, limit));
  }

  private Connection open(Endpoint endpoint, Duration limit) {
    return client.open(settings(endpoint, limit));
  }

  /**
   * Runs a call at the first endpoint where it succeeds.
   *
   * @throws io.quorate.QuorateException if it succeeds nowhere: the last failure
   */
  public void atAny(Consumer<DriverSettings> call) {
    QuorateException last = null;
    for (Endpoint endpoint : endpoints) {
      try {
        call.accept(settings(endpoint, requestTimeout));
        return;
      } catch (QuorateException failure) {
        last = failure;
      }
    }
    throw Objects.requireNonNull(last);
  }

  /** Returns the settings of connections to each endpoint. */
  public List<DriverSettings> settings() {
    return endpoints.stream().map(endpoint -> settings(endpoint, CONNECT_TIMEOUT)).toList();
  }

  private DriverSettings settings(Endpoint endpoint, Duration connectTimeout) {
    return new DriverSettings(endpoint, requestTimeout, connectTimeout, access);
  }

  private <T> T openOne(
      int number, BooleanSupplier cancelled, AtomicBoolean failed, Function<Endpoint, T> opener) {
    if (failed.get() || cancelled.getAsBoolean()) {
      throw new CancellationException("not opened any more");
    }
    try {
      return opener.apply(endpoints.get(number % endpoints.size()));
    } catch (RuntimeException failure) {
      failed.set(true);
      throw failure;
    }
  }

  /** Waits until all have ended; returns the most informative failure, if there is one. */
  private static <T> Optional<RuntimeException> await(
      List<CompletableFuture<T>> opening, Consumer<T> opened) {
    RuntimeException failure = null;
    for (CompletableFuture<T> one : opening) {
      try {
        opened.accept(one.join());
      } catch (CompletionException e) {
        // an attempt that was not started explains nothing
        if (failure == null || failure instanceof CancellationException) {
          failure = e.getCause() instanceof RuntimeException cause ? cause : e;
        }
      }
    }
    return Optional.ofNullable(failure);
  }
}
