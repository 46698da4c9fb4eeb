// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.compareAndSet;
import static io.quorate.gatling.QuorateDsl.delete;
import static io.quorate.gatling.QuorateDsl.etcd;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.range;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.revision;
import static io.quorate.gatling.QuorateDsl.txn;
import static io.quorate.gatling.QuorateDsl.unwatch;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Simulation;
import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Await;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Endpoint;
import io.quorate.store.TcpProxy;
import io.quorate.store.etcd.EtcdStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Gatling's own report and assertions make of the actions. */
@RequiresDatabase("etcd")
class GatlingReportIT {
  private static final Duration LONG = Duration.ofSeconds(120);
  private static final String ENDPOINT = "quorate.test.endpoint";
  private static final String STOP = "quorate.test.stop";

  private static final List<String> ACTIONS =
      List.of(
          "a put",
          "a get",
          "a change",
          "a transaction",
          "a range",
          "a removal",
          "a watch",
          "a wait",
          "the end of a watch",
          "a lock",
          "a release",
          "a registration");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private Endpoint server;

  @BeforeEach
  void find() {
    server = SharedCluster.of(EtcdStore.STORE).members().get(0).endpoint();
  }

  /** A user that does everything once. */
  public static final class Everything extends Simulation {
    /** Sets the user up. */
    public Everything() {
      setUp(
              scenario("everything")
                  .exec(
                      put("a put").key("report").value("v"),
                      get("a get").key("report").check(revision().saveAs("revision")),
                      compareAndSet("a change").key("report").value("w").revision("#{revision}"),
                      txn("a transaction").put("report-1", "v").put("report-2", "v"),
                      range("a range").prefix("report"),
                      delete("a removal").key("report"),
                      watch("a watch").key("report-watched"),
                      put("a put").key("report-watched").value("v"),
                      await("a wait").within(LONG),
                      unwatch("the end of a watch"),
                      acquire("a lock").lock("report-1").within(LONG),
                      release("a release").lock("report-1"),
                      register("a registration").key("report-service"))
                  .injectOpen(atOnceUsers(1)))
          .protocols(etcd(System.getProperty(ENDPOINT)).requestTimeout(LONG))
          .assertions(
              global().failedRequests().count().is(0L),
              details("a lock").responseTime().max().lt((int) LONG.toMillis()));
    }
  }

  /** Users that write until a file exists. */
  public static final class Writes extends Simulation {
    /** Sets the users up. */
    public Writes() {
      Path stop = Path.of(System.getProperty(STOP));
      setUp(
              scenario("writes")
                  .exec(
                      asLongAs(session -> !Files.exists(stop))
                          .on(put("slow put").key("report").value("v").toChainBuilder().pause(0)))
                  .injectOpen(atOnceUsers(3)))
          .protocols(etcd(System.getProperty(ENDPOINT)).requestTimeout(Duration.ofSeconds(1)))
          .assertions(
              global().failedRequests().count().is(0L),
              details("slow put").responseTime().max().lt(900));
    }
  }

  @Test
  void each_action_has_its_name_in_the_report() throws IOException {
    try (ForkedGatling gatling =
        new ForkedGatling(Everything.class, directory, Map.of(ENDPOINT, server.toString()))) {
      assertThat(gatling.exitCode()).as(gatling.output()).isZero();
      assertThat(gatling.report())
          .contains(ACTIONS.stream().map(each -> ">" + each + "<").toList());
    }
  }

  @Test
  void a_server_that_is_slow_fails_assertions_and_timeouts_have_their_name() throws IOException {
    Path stop = directory.resolve("stop");
    try (TcpProxy proxy = new TcpProxy(server);
        ForkedGatling gatling =
            new ForkedGatling(
                Writes.class,
                directory,
                Map.of(ENDPOINT, proxy.endpoint().toString(), STOP, stop.toString()))) {
      gatling.awaitStart();
      proxy.freeze();
      long frozen = System.nanoTime();
      Await.until("3 s", LONG, () -> System.nanoTime() - frozen > 3_000_000_000L);
      Files.createFile(stop);
      proxy.thaw();

      assertThat(gatling.exitCode()).as(gatling.output()).isEqualTo(2);
      assertThat(gatling.output())
          .contains(
              "Global: count of failed events is 0.0 : false",
              "slow put: max of response time is less than 900.0 : false");
      assertThat(gatling.report()).contains("timeout: ");
    }
  }
}
