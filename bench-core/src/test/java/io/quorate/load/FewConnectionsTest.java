// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.load.verify.ReadBack;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.measure.Verification;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that accept few connections, as ZooKeeper and Consul do by default. */
class FewConnectionsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Endpoint ANY = new Endpoint("127.0.0.1", 1);
  private static final Endpoint OTHER = new Endpoint("127.0.0.1", 2);
  private static final Endpoint GONE = new Endpoint("127.0.0.1", 3);

  /** Connections of {@link TamperedLoad#CREATES}, and the one that changes keys behind its back. */
  private static final int OF_LOAD = 4 + 1;

  private final Limited client = new Limited();

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void reading_back_opens_no_more_connections_than_the_load_had() throws Exception {
    client.limit = OF_LOAD;
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, client)) {
      Verification found = load.verify();

      assertThat(found.text()).startsWith("1,000 acknowledged keys verified, all correct");
      assertThat(client.most).hasValueLessThanOrEqualTo(OF_LOAD);
    }
  }

  @Test
  void reading_back_works_with_fewer_if_the_server_refuses() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, client)) {
      client.limit = client.open.get() + 1;
      Verification found = load.verify();

      assertThat(found.text()).startsWith("1,000 acknowledged keys verified, all correct");
    }
  }

  @Test
  void reading_back_waits_for_connections_of_a_slow_server_as_long_as_for_answers()
      throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, client)) {
      client.needed = ReadBack.Limits.AFTER_FAILURE.withoutSuccess();
      Verification found = load.verify();

      assertThat(found.text()).startsWith("1,000 acknowledged keys verified, all correct");
    }
  }

  @Test
  void reading_back_without_any_connection_names_the_reason() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, client)) {
      client.limit = client.open.get();
      Verification found = load.verify();

      assertThat(found.text())
          .startsWith("0 of 1,000 acknowledged keys verified, 1,000 could not be read: refused");
      assertThat(found.isComplete()).isFalse();
    }
  }

  @Test
  void removal_works_with_fewer_connections_if_the_server_refuses() {
    client.limit = 1;
    List<KeyRemoval.Keys> keys =
        List.of(new KeyRemoval.Keys(500, number -> ("mine/" + number).getBytes(US_ASCII)));
    Capabilities noRanges = Capabilities.none("as ZooKeeper");
    new KeyRemoval("mine/", keys, 60).run(connector(ANY), noRanges, removed -> {});

    assertThat(client.removed).hasValue(500);
    assertThat(client.most).hasValue(1);
  }

  @Test
  void the_preparation_keeps_one_request_in_flight_where_a_connection_carries_one()
      throws Exception {
    client.mostInFlight = 1;
    String prepared = TamperedLoad.UPDATES.replace("count: 10", "count: 2000");
    try (TamperedLoad load = TamperedLoad.made(prepared, client)) {
      assertThat(load.verify().failed()).isFalse();
    }
    String removed = TamperedLoad.CREATES.replace("warm-up: 20", "warm-up: 500");
    new TamperedLoad(removed, new Limited(client), ANY, "other/").close();

    assertThat(client.mostWaiting).hasValue(1);
  }

  @Test
  void a_load_that_needs_more_than_the_server_accepts_names_how_many_were_open() {
    client.limit = 2;
    assertThatThrownBy(() -> connector(ANY).open(5, () -> false))
        .hasMessage("refused; 2 of 5 connections were open");
    assertThat(client.open).hasValue(0);
    assertThatThrownBy(() -> connector(GONE).open(5, () -> false)).hasMessage("gone");
  }

  @Test
  void connections_are_spread_over_the_members_that_can_be_reached() {
    assertThat(opened(connector(ANY, OTHER, GONE), 4)).containsExactlyInAnyOrder(ANY, OTHER);
    assertThat(client.most).hasValue(4);
    assertThat(opened(connector(GONE, ANY, OTHER), 1)).containsExactly(ANY);
    assertThatThrownBy(() -> connector(GONE).openReachable(4, LIMIT)).hasMessage("gone");
  }

  private Set<Endpoint> opened(Connector connector, int most) {
    client.endpoints.clear();
    List<Connection> open = connector.openReachable(most, LIMIT);
    assertThat(open).hasSize(most);
    open.forEach(Connection::close);
    return client.endpoints;
  }

  private Connector connector(Endpoint... endpoints) {
    return new Connector(client, List.of(endpoints), LIMIT, Access.PLAIN);
  }

  /** A map in memory with a limit of connections, whose answers come on another thread. */
  private static final class Limited implements StoreClient {
    private final StoreClient memory = MemoryStore.STORE.clients().get(0).start();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger mostWaiting;
    private final AtomicInteger removed = new AtomicInteger();
    private final Set<Endpoint> endpoints = ConcurrentHashMap.newKeySet();
    private volatile Duration needed = Duration.ZERO;
    private volatile int limit = Integer.MAX_VALUE;
    private volatile int mostInFlight = Integer.MAX_VALUE;

    Limited() {
      mostWaiting = new AtomicInteger();
    }

    /** Creates an empty map, whose requests in flight are counted with those of another one. */
    Limited(Limited other) {
      mostWaiting = other.mostWaiting;
      mostInFlight = other.mostInFlight;
    }

    @Override
    public Connection open(DriverSettings settings) {
      if (settings.endpoint().equals(GONE)) {
        throw new QuorateException("gone");
      }
      if (settings.connectTimeout().compareTo(needed) < 0) {
        throw new QuorateException("too slow");
      }
      endpoints.add(settings.endpoint());
      if (open.incrementAndGet() > limit) {
        open.decrementAndGet();
        throw new QuorateException("refused");
      }
      most.accumulateAndGet(open.get(), Math::max);
      return new Counted(memory.open(settings));
    }

    @Override
    public void close() {
      thread.shutdown();
      memory.close();
    }

    private final class Counted implements Connection {
      private final Connection connection;
      private final AtomicInteger waiting = new AtomicInteger();
      private final AtomicBoolean closed = new AtomicBoolean();

      Counted(Connection connection) {
        this.connection = connection;
      }

      @Override
      public void submit(Request request, Completion completion) {
        mostWaiting.accumulateAndGet(waiting.incrementAndGet(), Math::max);
        if (request instanceof Request.Delete) {
          removed.incrementAndGet();
        }
        thread.execute(() -> connection.submit(request, ended(completion)));
      }

      private Completion ended(Completion completion) {
        Consumer<Runnable> first =
            outcome -> {
              waiting.decrementAndGet();
              outcome.run();
            };
        return new Completion() {
          @Override
          public void answered(Answer answer) {
            first.accept(() -> completion.answered(answer));
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            first.accept(() -> completion.failed(kind, message));
          }
        };
      }

      @Override
      public int mostInFlight() {
        return mostInFlight;
      }

      @Override
      public void close() {
        if (closed.compareAndSet(false, true)) {
          open.decrementAndGet();
          connection.close();
        }
      }
    }
  }
}
