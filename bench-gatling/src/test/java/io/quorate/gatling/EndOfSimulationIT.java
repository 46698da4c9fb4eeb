// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.exists;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.quorate.MemoryBackedDirectory;
import io.quorate.NightlyRun;
import io.quorate.cluster.Await;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Users that a simulation cuts off give back what they hold: long before their sessions end. */
class EndOfSimulationIT {
  private static final Duration LONG = Duration.ofSeconds(120);

  /** The longest that ZooKeeper grants, and the time in which the rest must be given back. */
  private static final Duration TTL = Duration.ofSeconds(40);

  private static final Duration GIVEN_BACK = Duration.ofSeconds(35);
  private static final String STORE = "quorate.test.store";
  private static final String ENDPOINT = "quorate.test.endpoint";
  private static final String PREFIX = "quorate.test.prefix";
  private static final String HELD = "quorate.test.held";
  private static final String MOST_SECONDS = "quorate.test.seconds";

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  static List<String> stores() {
    return NightlyRun.stores(List.of("etcd", "zookeeper", "consul"), "etcd");
  }

  private static StoreProtocol protocol(Store store, Endpoint endpoint) {
    return new StoreProtocol(store, List.of(endpoint), StoreKey.Etcd::new)
        .requestTimeout(LONG)
        .sessionTtl(TTL);
  }

  /** A user that holds a lock, a registered key and a watch, and does not end. */
  public static final class Holder extends Simulation {
    /** Sets the user up. */
    public Holder() {
      String prefix = System.getProperty(PREFIX);
      ScenarioBuilder holder =
          scenario("holder")
              .exec(
                  put("put").key(prefix + "lock").value("v"),
                  acquire("acquire").lock(prefix + "lock").within(LONG),
                  register("register").key(prefix + "service"),
                  watch("watch").key(prefix + "lock"))
              .exec(
                  session -> {
                    try {
                      Files.createFile(Path.of(System.getProperty(HELD)));
                    } catch (IOException failure) {
                      throw new UncheckedIOException(failure);
                    }
                    return session;
                  })
              .pause(Duration.ofHours(1));
      setUp(holder.injectOpen(atOnceUsers(1)))
          .protocols(
              protocol(
                  Stores.byId(System.getProperty(STORE)).orElseThrow(),
                  Endpoint.parse(System.getProperty(ENDPOINT))))
          .maxDuration(Duration.ofSeconds(Long.getLong(MOST_SECONDS)));
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void at_its_longest_duration(String id) throws IOException {
    givesBack(id, 15, false);
  }

  @ParameterizedTest
  @MethodSource("stores")
  void when_it_is_interrupted(String id) throws IOException {
    givesBack(id, 3_600, true);
  }

  private void givesBack(String id, long seconds, boolean interrupted) throws IOException {
    Store store = Stores.byId(id).orElseThrow();
    Endpoint endpoint = SharedCluster.of(store).members().get(0).endpoint();
    String prefix = "end-" + UUID.randomUUID().toString().substring(0, 8) + "-";
    Path held = directory.resolve("held");
    try (ForkedGatling gatling =
            new ForkedGatling(
                Holder.class,
                directory,
                Map.of(
                    STORE,
                    id,
                    ENDPOINT,
                    endpoint.toString(),
                    PREFIX,
                    prefix,
                    HELD,
                    held.toString(),
                    MOST_SECONDS,
                    Long.toString(seconds)));
        VirtualUsers others = new VirtualUsers(protocol(store, endpoint))) {
      Await.until("the lock", LONG, () -> Files.exists(held));
      if (interrupted) {
        gatling.interrupt();
      }
      gatling.exitCode();

      others.run(
          acquire("next").lock(prefix + "lock").within(GIVEN_BACK),
          get("gone").key(prefix + "service").check(exists().is(false)));
      assertThat(others.messages()).as(gatling.output()).containsExactly("next: ", "gone: ");
    }
  }
}
