// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.quorate.gatling.QuorateDsl.etcd;
import static io.quorate.gatling.QuorateDsl.keys;
import static io.quorate.gatling.QuorateDsl.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Simulation;
import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.gatling.InProcessGatling;
import io.quorate.results.IntactRun;
import io.quorate.store.Endpoint;
import io.quorate.store.etcd.EtcdStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same load through a scenario and through Gatling's users: counted by both, and by etcd. */
class DslAgreesWithScenarioIT {
  private static final String SCENARIO =
      """
      title: Some puts
      operation: put
      requests: 500
      warm-up: 50
      cold-start: true
      keys: {size: 64}
      values: {size: 32}
      load: {clients: 4}
      databases: [etcd]
      """;

  private static final String ENDPOINT = "quorate.test.endpoint";

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** 500 users, with one put each. */
  public static final class Puts extends Simulation {
    /** Sets the users up. */
    public Puts() {
      setUp(
              scenario("puts")
                  .exec(feed(keys(500).size(64).prefix("agrees-").values(32)))
                  .exec(put("put").key("#{key}").value("#{value}"))
                  .exec(InProcessGatling.end())
                  .injectOpen(constantUsersPerSec(500).during(1)))
          .protocols(
              etcd(System.getProperty(ENDPOINT))
                  .connections(4)
                  .requestTimeout(Duration.ofMinutes(2)));
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void both_count_the_same_requests_and_so_does_the_server() throws Exception {
    Endpoint endpoint = SharedCluster.of(EtcdStore.STORE).members().get(0).endpoint();
    long before = puts(endpoint);
    try (InProcessRun run =
        InProcessRun.ofScenario(directory, "puts", SCENARIO, "--endpoints", endpoint.toString())) {
      long counted =
          IntactRun.read(run.onlyRun("puts").resolve("etcd"))
              .clients()
              .orElseThrow()
              .successCount();
      assertThat(counted).as(run.output()).isEqualTo(500);
    }
    long between = puts(endpoint);
    assertThat(between - before)
        .as("puts of the scenario, with its warm-up and the mark of the run")
        .isEqualTo(551);

    System.setProperty(ENDPOINT, endpoint.toString());
    assertThat(InProcessGatling.run(Puts.class, directory)).isEqualTo(500);
    assertThat(puts(endpoint) - between).as("puts of the users").isEqualTo(500);
  }

  private static long puts(Endpoint endpoint) throws Exception {
    String metrics =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + endpoint + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    Matcher put =
        Pattern.compile("(?m)^grpc_server_started_total\\{grpc_method=\"Put\".*} (\\d+)$")
            .matcher(metrics);
    return put.find() ? Long.parseLong(put.group(1)) : 0;
  }
}
