// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.store.ClientKind;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.driver.HttpResponseText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients whose token has expired. */
@RequiresDatabase("etcd")
class ExpiredTokenIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path directory;

  /** Opens a connection; on a busy machine its token may have expired before it is used. */
  private static Connection open(StoreClient client, DriverSettings settings) {
    AtomicReference<Connection> opened = new AtomicReference<>();
    Await.until(
        "a connection",
        LIMIT,
        () -> {
          try {
            opened.set(client.open(settings));
            return true;
          } catch (QuorateException expired) {
            System.out.println("opens again: " + expired.getMessage());
            return false;
          }
        });
    return Objects.requireNonNull(opened.get());
  }

  @Test
  void refused_requests_fail_the_next_ones_have_a_new_token_and_a_watch_gets_one()
      throws Exception {
    // tokens live for three seconds
    try (Cluster cluster = TestServers.startEtcd(directory.resolve("run"), "--auth-token-ttl 3");
        StoreClient watching = EtcdStore.STORE.clients().get(0).start()) {
      DriverSettings settings =
          new DriverSettings(cluster.members().get(0).endpoint(), LIMIT, LIMIT, cluster.access());
      List<StoreClient> clients =
          EtcdStore.STORE.clients().stream().map(ClientKind::start).toList();
      List<Connection> connections = clients.stream().map(each -> open(each, settings)).toList();
      assertThat(connections).hasSize(2);
      for (Connection each : connections) {
        // on a busy machine the first token may have expired already
        Await.until("a write", LIMIT, () -> put(each).outcome().equals("written"));
      }

      try (Subscriptions watches = watching.subscribe(settings)) {
        awaitExpiry(cluster);

        CompletableFuture<String> seen = new CompletableFuture<>();
        CompletableFuture<Void> inPlace = new CompletableFuture<>();
        watches.watch(Watch.ofKey(KEY), listener(inPlace, seen));
        inPlace.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThatRefusedRequestsFailOnce(connections);

        Await.until("a token", LIMIT, () -> put(connections.get(0)).outcome().equals("written"));
        assertThat(seen.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("value");
      }
      connections.forEach(Connection::close);
      clients.forEach(StoreClient::close);
    }
  }

  private static void assertThatRefusedRequestsFailOnce(List<Connection> connections) {
    for (Connection each : connections) {
      RecordedCompletion refused = put(each);
      assertThat(refused.outcome()).isEqualTo("failed:REJECTED");
      assertThat(refused.message()).isEqualTo("UNAUTHENTICATED: etcdserver: invalid auth token");
      Await.until("a new token", LIMIT, () -> get(each).outcome().equals("found:value"));
      assertThat(refused.timesTold()).isEqualTo(1);
    }
  }

  private static WatchListener listener(
      CompletableFuture<Void> inPlace, CompletableFuture<String> seen) {
    return new WatchListener() {
      @Override
      public void started() {
        inPlace.complete(null);
      }

      @Override
      public void changed(byte[] key, byte[] value, long revision) {
        seen.complete(new String(value, UTF_8));
      }

      @Override
      public void interrupted(String why) {}

      @Override
      public void failed(String why) {
        inPlace.completeExceptionally(new AssertionError(why));
      }
    };
  }

  private static RecordedCompletion put(Connection connection) {
    RecordedCompletion completion = new RecordedCompletion();
    connection.submit(Request.create(KEY, "value".getBytes(UTF_8)), completion);
    return completion;
  }

  private static RecordedCompletion get(Connection connection) {
    RecordedCompletion completion = new RecordedCompletion();
    connection.submit(new Request.Get(KEY, ReadConsistency.LINEARIZABLE), completion);
    return completion;
  }

  /**
   * Waits until a token has expired that is younger than those of the clients. Each one is shown
   * once only, after a longer time than the one before, since that makes it live longer.
   */
  private static void awaitExpiry(Cluster cluster) {
    Endpoint endpoint = cluster.members().get(0).endpoint();
    Duration[] age = {Duration.ofMillis(500)};
    Await.until(
        "a token has expired",
        LIMIT,
        () -> {
          String token = token(cluster, endpoint);
          age[0] = age[0].multipliedBy(2);
          Pause.of(age[0], "a token that expires");
          return isRefused(cluster, endpoint, token);
        });
  }

  private static String token(Cluster cluster, Endpoint endpoint) {
    try {
      return new EtcdApi(endpoint, cluster.access(), LIMIT).token();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static boolean isRefused(Cluster cluster, Endpoint endpoint, String token) {
    try {
      String request = "{\"key\": \"a2V5\", \"serializable\": true}";
      return HttpResponseText.to(
                  "POST",
                  endpoint,
                  cluster.access(),
                  "/v3/kv/range",
                  request,
                  Map.of("Authorization", token),
                  LIMIT)
              .status()
          == 401;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
