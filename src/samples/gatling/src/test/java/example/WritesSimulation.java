// SPDX-License-Identifier: Apache-2.0
package example;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.compareAndSet;
import static io.quorate.gatling.QuorateDsl.etcd;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.keys;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.revision;
import static io.quorate.gatling.QuorateDsl.value;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.Map;

/** Users that write a key, read it, and change it unless another user was faster. */
public class WritesSimulation extends Simulation {
  /** Few keys very often, with values of 100 bytes and, one in ten, of 4 KiB. */
  private final ScenarioBuilder writes =
      scenario("Writes")
          .exec(
              feed(keys(10_000).size(24).prefix("sample/").zipf().values(Map.of(100, 9, 4096, 1))))
          .exec(
              put("write").key("#{key}").value("#{value}"),
              get("read")
                  .key("#{key}")
                  .check(
                      value().transform(String::length).in(100, 4096),
                      revision().saveAs("revision")),
              compareAndSet("change")
                  .key("#{key}")
                  .value("#{value}")
                  .revision("#{revision}")
                  .check(outcome().in("ok", "conflict")));

  /** Starts the users; the limits are generous, for servers on the same machine. */
  public WritesSimulation() {
    setUp(writes.injectOpen(constantUsersPerSec(Load.RATE).during(Load.SECONDS)))
        .protocols(
            etcd(Load.ETCD).connections(6).requestTimeout(Duration.ofSeconds(2)).failover())
        .assertions(
            global().failedRequests().percent().lt(1.0),
            details("write").responseTime().percentile(99.0).lt(1_000));
  }
}
