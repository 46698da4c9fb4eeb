// SPDX-License-Identifier: Apache-2.0
package example;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitBlockOnFail;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.keys;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.revision;
import static io.quorate.gatling.QuorateDsl.zookeeper;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** Users that compete for five locks, and write what each lock protects. */
public class LockSimulation extends Simulation {
  private final ScenarioBuilder contention =
      scenario("Contention")
          .exec(feed(keys(5).prefix("sample-lock-").size(20).uniform()))
          .exec(
              exitBlockOnFail()
                  .on(
                      exec(
                              acquire("acquire")
                                  .lock("#{key}")
                                  .within(Duration.ofSeconds(10))
                                  .check(revision().saveAs("token")))
                          .exec(put("protected write").key("#{key}-data").value("#{token}"))
                          .pause(Duration.ofMillis(20))
                          .exec(release("release").lock("#{key}"))));

  /** Keeps twenty users at work; each needs a session of ZooKeeper while it waits or holds. */
  public LockSimulation() {
    setUp(contention.injectClosed(constantConcurrentUsers(20).during(Load.SECONDS)))
        .protocols(zookeeper(Load.ZOOKEEPER).connections(3))
        .assertions(
            global().failedRequests().percent().lt(1.0),
            details("acquire").responseTime().percentile(95.0).lt(5_000));
  }
}
