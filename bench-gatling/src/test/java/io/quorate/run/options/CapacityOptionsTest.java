// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CapacityOptionsTest {
  private static final String WRITES =
      """
      title: Writes
      operation: put
      requests: 1_000_000
      keys: {size: 16}
      values: {size: 8}
      load: {steps: [1, 10, 100]}
      databases: [memory]
      """;

  private static CapacityOptions read(String... namesAndValues) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      given.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    OptionReader options = new OptionReader(given);
    CapacityOptions read = CapacityOptions.read(options, Path.of("/home/me"));
    options.throwIfWrong();
    return read;
  }

  private static Scenario scenario(String text) {
    return ScenarioReader.read("writes.yaml", text, 1);
  }

  @Test
  void noOptionAsksForNoSearch() {
    assertThat(read().isWanted()).isFalse();
    assertThat(read("capacity.search", "quick").isWanted()).isTrue();
  }

  @Test
  void everyLimitThatIsWrongIsTold() {
    assertThatThrownBy(
            () ->
                read(
                    "capacity.thresholds", "p99 < 20 parsecs, throughput > 5/s",
                    "capacity.search", "slow",
                    "capacity.load", "users",
                    "capacity.preload", "1GB,100MB"))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            threshold: found 'p99 < 20 parsecs', expected a threshold such as p99 <= 20 ms, or errors = 0
            threshold: found 'throughput > 5/s', expected a percentile such as p99 <= 20 ms, or max, errors or dropped, to search within
            capacity.search: found 'slow', expected one of [full, quick, scenario]
            capacity.load: found 'users', expected rate or clients
            capacity.preload: found '1GB,100MB', expected 1 to 10 sizes, each above the one before\
            """);
  }

  private static CapacityGoal goal(CapacityOptions options, String more) {
    return options.goal(scenario(WRITES + more)).orElseThrow();
  }

  private static List<String> limits(CapacityGoal goal) {
    return goal.limits().stream().map(limit -> limit.limit().toString()).toList();
  }

  @Test
  void theProbeIsShortWhereTheFirstRateNeedNotBeExactOrIsKnown() {
    String more = "thresholds: [p99 < 1 s]\n";
    CapacityOptions full = read("capacity.search", "full");
    CapacityOptions quick = read("capacity.search", "quick");
    CapacityOptions continued = read("capacity.resume", "results/x");

    assertThat(full.probe(goal(full, more))).isEqualTo(Duration.ofSeconds(10));
    assertThat(quick.probe(goal(quick, more))).isEqualTo(Duration.ofSeconds(3));
    assertThat(continued.probe(goal(continued, more))).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void theLimitsOfTheScenarioHoldWhereNoneAreGiven() {
    CapacityOptions options = read("capacity.search", "full");

    assertThat(limits(goal(options, "thresholds: [p99 < 1 s]\n"))).containsExactly("p99 < 1 s");
    assertThatThrownBy(() -> goal(options, ""))
        .hasMessageStartingWith("scenario writes has no thresholds. A search needs thresholds");
    assertThatThrownBy(() -> goal(options, "thresholds: [throughput > 5/s]\n"))
        .hasMessageContaining("thresholds that no load can be judged by: throughput > 5/s");
  }

  @Test
  void aScenarioMayAskForASearchByItselfAndOptionsReplaceWhatItSays() {
    String section = "capacity: {thresholds: [p99 < 1 s, errors = 0], search: quick}\n";
    CapacityGoal own = goal(read(), section);
    CapacityGoal asked =
        goal(read("capacity.thresholds", "max < 2 s", "capacity.search", "full"), section);

    assertThat(limits(own)).containsExactly("p99 < 1 s", "errors = 0");
    assertThat(own.search()).isEqualTo(CapacityGoal.Search.QUICK);
    assertThat(own.load()).isEqualTo(CapacityGoal.Load.RATE);
    assertThat(goal(read("capacity.preload", "1GB"), section.replace("{", "{load: clients, ")))
        .isEqualTo(
            new CapacityGoal(
                own.limits(),
                CapacityGoal.Search.QUICK,
                CapacityGoal.Load.CLIENTS,
                List.of(1_000_000_000L),
                Optional.empty(),
                Optional.empty()));
    assertThat(goal(read("capacity.search", "scenario"), section)).isEqualTo(own);
    assertThat(limits(asked)).containsExactly("max < 2 s");
    assertThat(asked.search()).isEqualTo(CapacityGoal.Search.FULL);
    assertThat(read().goal(scenario(WRITES))).isEmpty();
  }

  @Test
  void theProbeHasTheMostClientsOfTheScenarioAndAConstantKeySpace() {
    Scenario probe = scenario(WRITES + "thresholds: [p99 < 1 s]\n").asProbe(Duration.ofSeconds(10));
    Step step = probe.databases().get(0).steps().get(0);

    assertThat(probe.databases().get(0).steps()).hasSize(1);
    assertThat(step.load()).isEqualTo("100 clients");
    assertThat(step.connections()).isEqualTo(100);
    assertThat(step.endsByTime()).isTrue();
    assertThat(probe.requests().keys().prepared()).isTrue();
    assertThat(probe.requests().keys().count()).isEqualTo(100_000);
    assertThat(probe.goals().limits()).isEmpty();
  }

  @Test
  void deletesHaveNoCapacity() {
    assertThatThrownBy(
            () ->
                scenario(WRITES.replace("operation: put", "operation: delete"))
                    .asProbe(Duration.ofSeconds(10)))
        .hasMessage(
            "scenario writes: found the operation 'delete', of which no capacity can be searched:"
                + " leave it out");
  }

  @Test
  void aSearchOfAKubernetesClusterStatesNodesAndHasItsWatches() {
    Scenario cluster =
        scenario(
            """
            title: A cluster
            kubernetes: {nodes: 1_000, pods-per-node: 30, api-servers: 2}
            duration: 1m
            databases: [etcd]
            thresholds: [errors = 0]
            """);
    CapacityGoal goal = read("capacity.search", "quick").goal(cluster).orElseThrow();

    assertThat(goal.unit().orElseThrow().text(1_380))
        .isEqualTo(
            "9,857 nodes, each with 30 Pods (with the data of 1,000 nodes; no start of an API server),");
    assertThat(goal.watch()).hasValue(new WatchLoad(124, 124, 0, true, true, 66_000, 450_000, 0));
    assertThat(cluster.asProbe(Duration.ofSeconds(10)).isWatched()).isFalse();
    Scenario restart =
        scenario(
            """
            title: A restart of an API server
            kubernetes: {nodes: 100, restart: true}
            databases: [etcd]
            """);
    assertThatThrownBy(() -> restart.asProbe(Duration.ofSeconds(10)))
        .hasMessageContaining("found phases or groups, of which no capacity can be searched");
  }
}
