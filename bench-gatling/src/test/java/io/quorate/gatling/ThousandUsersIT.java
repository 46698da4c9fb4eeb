// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.exists;
import static io.quorate.gatling.QuorateDsl.keys;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Simulation;
import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Await;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thousand users, as Gatling injects them, share threads and leave nothing in the store. */
class ThousandUsersIT {
  private static final Duration LONG = Duration.ofSeconds(120);
  private static final int USERS = 1_000;

  /** Threads that the JVM of the test may have at most, with those of Gatling and of the driver. */
  private static final int THREADS = 200;

  private static final String STORE = "quorate.test.store";
  private static final String ENDPOINT = "quorate.test.endpoint";
  private static final Pattern NUMBER =
      Pattern.compile("(?m)^(\\w+)(?:\\{\\})?[ \t](\\d+)(?:\\.0)?$");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** Users that write, watch, wait, register and take a lock, and end without giving back. */
  public static final class Users extends Simulation {
    /** Sets the users up. */
    public Users() {
      Endpoint endpoint = Endpoint.parse(System.getProperty(ENDPOINT));
      boolean etcd = System.getProperty(STORE).equals("etcd");
      String prefix = "users-" + System.nanoTime() + "-";
      StoreProtocol protocol =
          etcd
              ? QuorateDsl.etcd(endpoint.toString()).connections(4).requestTimeout(LONG)
              : QuorateDsl.zookeeper(endpoint.toString()).connections(4).requestTimeout(LONG);
      setUp(
              scenario("users")
                  .exec(feed(keys(USERS).size(60).prefix(prefix).values(64)))
                  .exec(
                      put("put").key("#{key}").value("#{value}"),
                      watch("watch").prefix("#{key}"),
                      put("change").key("#{key}").value("changed"),
                      await("await").within(LONG).check(exists().is(true)),
                      register("register").key("#{key}-service"),
                      acquire("acquire").lock("#{key}").within(LONG))
                  .exec(InProcessGatling.end())
                  .injectOpen(constantUsersPerSec(500).during(USERS / 500)))
          .protocols(protocol);
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void users_of_etcd_leave_no_watch_no_lease_and_no_thread() {
    users(
        EtcdStore.STORE,
        endpoint -> {
          Map<String, Long> all = numbers(metrics(endpoint));
          return Map.of(
              "watchers",
              all.get("etcd_debugging_mvcc_watcher_total"),
              "leases",
              all.get("etcd_debugging_lease_granted_total")
                  - all.get("etcd_debugging_lease_revoked_total")
                  - all.getOrDefault("etcd_debugging_server_lease_expired_total", 0L));
        });
  }

  @Test
  void users_of_zookeeper_leave_no_session_no_watch_and_no_thread() {
    users(
        ZooKeeperStore.STORE,
        endpoint -> {
          Map<String, Long> all = numbers(mntr(endpoint));
          return Map.of(
              "sessions", all.get("zk_num_alive_connections"),
              "watches", all.get("zk_watch_count"),
              "nodes of sessions", all.get("zk_ephemerals_count"));
        });
  }

  private void users(Store store, Function<Endpoint, Map<String, Long>> left) {
    Endpoint endpoint = SharedCluster.of(store).members().get(0).endpoint();
    Map<String, Long> before = left.apply(endpoint);
    int threadsBefore = Thread.activeCount();
    System.setProperty(STORE, store.id());
    System.setProperty(ENDPOINT, endpoint.toString());
    MostThreads threads = new MostThreads();
    try (threads) {
      assertThat(InProcessGatling.run(Users.class, directory)).isEqualTo(USERS);
    }
    assertThat(threads.most()).as("threads").isLessThan(threadsBefore + THREADS);
    Await.until("nothing left: " + before, LONG, () -> left.apply(endpoint).equals(before));
  }

  /** Looks at the number of threads, again and again. */
  private static final class MostThreads extends Thread implements AutoCloseable {
    private volatile int most;
    private volatile boolean ended;

    MostThreads() {
      setDaemon(true);
      start();
    }

    @Override
    public void run() {
      while (!ended) {
        most = Math.max(most, Thread.getAllStackTraces().size());
        try {
          Thread.sleep(50);
        } catch (InterruptedException stop) {
          return;
        }
      }
    }

    int most() {
      return most;
    }

    @Override
    public void close() {
      ended = true;
    }
  }

  private static Map<String, Long> numbers(String text) {
    Map<String, Long> numbers = new TreeMap<>();
    Matcher each = NUMBER.matcher(text);
    while (each.find()) {
      numbers.put(each.group(1), Long.parseLong(each.group(2)));
    }
    return numbers;
  }

  private static String metrics(Endpoint endpoint) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://" + endpoint + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  private static String mntr(Endpoint endpoint) {
    try (Socket socket = new Socket(InetAddress.getByName(endpoint.host()), endpoint.port())) {
      socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
