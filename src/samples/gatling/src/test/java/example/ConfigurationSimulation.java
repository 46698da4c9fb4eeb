// SPDX-License-Identifier: Apache-2.0
package example;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.etcd;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.unwatch;
import static io.quorate.gatling.QuorateDsl.value;
import static io.quorate.gatling.QuorateDsl.watch;

import com.sun.net.httpserver.HttpServer;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Users of an HTTP service; its instances, which watch their configuration in etcd; and an operator,
 * who changes it once a second.
 */
public class ConfigurationSimulation extends Simulation {
  private static final String KEY = "sample-limit";

  private final HttpServer standIn = standIn();
  private final String service =
      System.getProperty("service", "http://127.0.0.1:" + standIn.getAddress().getPort());

  private final ScenarioBuilder users =
      scenario("Users")
          .exec(http("order").get("/order").check(status().is(200), bodyString().exists()));

  private final ScenarioBuilder instances =
      scenario("Instances")
          .exec(
              register("register").key(session -> "sample-instance-" + session.userId()),
              watch("watch configuration").key(KEY))
          .exec(
              repeat(Load.SECONDS / 2)
                  .on(
                      exec(
                          await("new configuration")
                              .within(Duration.ofSeconds(10))
                              .check(value().saveAs("limit")))))
          .exec(unwatch("end of watch"));

  private final ScenarioBuilder operator =
      scenario("Operator")
          .exec(
              repeat(Load.SECONDS, "number")
                  .on(exec(put("change").key(KEY).value("limit #{number}")).pause(1)));

  /** Starts all three. */
  public ConfigurationSimulation() {
    setUp(
            users.injectOpen(constantUsersPerSec(Load.RATE).during(Load.SECONDS)),
            instances.injectOpen(atOnceUsers(10)),
            operator.injectOpen(atOnceUsers(1)))
        .protocols(http.baseUrl(service), etcd(Load.ETCD).connections(3))
        .assertions(
            global().failedRequests().count().is(0L),
            details("order").responseTime().percentile(99.0).lt(1_000),
            details("new configuration").successfulRequests().percent().is(100.0));
  }

  @Override
  public void after() {
    standIn.stop(0);
  }

  /** Returns a service for those who have none at hand. */
  private static HttpServer standIn() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/order",
          exchange -> {
            byte[] body = "ordered".getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }
}
