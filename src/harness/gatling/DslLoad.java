// SPDX-License-Identifier: Apache-2.0

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.etcd;
import static io.quorate.gatling.QuorateDsl.keys;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.unwatch;
import static io.quorate.gatling.QuorateDsl.watch;
import static io.quorate.gatling.QuorateDsl.zookeeper;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** The load of dsl.py: users with one put each, or with a watch and a lock as well. */
public final class DslLoad extends Simulation {
  /** Sets the users up. */
  public DslLoad() {
    int rate = Integer.getInteger("load.rate");
    int seconds = Integer.getInteger("load.seconds");
    String[] endpoints = System.getProperty("load.endpoints").split(",");
    boolean isEtcd = System.getProperty("load.store").equals("etcd");
    int warmUp = Integer.getInteger("load.warmUp");
    ScenarioBuilder warmUsers =
        scenario("warm-up").exec(puts("warm-up", "warm-", (long) rate * warmUp));
    ScenarioBuilder users = scenario("users").exec(puts("put", "", (long) rate * seconds));
    if (System.getProperty("load.kind").equals("users")) {
      users =
          users
              .exec(
                  watch("watch").key("#{key}"),
                  put("change").key("#{key}").value("changed"),
                  await("await").within(Duration.ofSeconds(30)),
                  acquire("acquire").lock("#{key}").within(Duration.ofSeconds(30)))
              // the others leave it to their end
              .exec(
                  doIf(session -> session.userId() % 2 == 0)
                      .then(release("release").lock("#{key}"), unwatch("unwatch")));
    }
    setUp(
            warmUsers
                .injectOpen(constantUsersPerSec(rate).during(warmUp))
                .andThen(users.injectOpen(constantUsersPerSec(rate).during(seconds))))
        .protocols((isEtcd ? etcd(endpoints) : zookeeper(endpoints)).connections(6));
  }

  /** Returns a put of the next one of some keys. */
  private static ChainBuilder puts(String name, String prefix, long count) {
    return feed(
            keys(count).size(64).prefix(prefix + System.getProperty("load.prefix")).values(256))
        .exec(put(name).key("#{key}").value("#{value}"));
  }
}
