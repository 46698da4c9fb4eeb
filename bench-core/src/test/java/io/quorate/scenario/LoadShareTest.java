// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.yaml.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LoadShareTest {
  private static final String WRITES =
      """
      title: Writes
      operation: put
      requests: %d
      keys: {size: 16, distribution: %s}
      values: {size: 16}
      load: {steps: [%d, %d]}
      databases: [etcd]
      """;

  private static Scenario read(String yaml) {
    return ScenarioReader.read("test.yaml", yaml, 1);
  }

  private static List<LoadShare> shards(Scenario scenario, int count) {
    List<LoadShare> shards = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      shards.add(LoadShare.of(new Shard(number, count), scenario, scenario.databases().get(0)));
    }
    return shards;
  }

  private static long sum(List<LoadShare> shards, int step, ToLongFunction<Step> figure) {
    return shards.stream()
        .mapToLong(each -> figure.applyAsLong(each.load().steps().get(step)))
        .sum();
  }

  private static void requireDisjointAndComplete(List<LoadShare> shards, Scenario scenario) {
    long next = 0;
    for (LoadShare each : shards) {
      assertThat(each.scenario().requests().keys().first()).isEqualTo(next);
      next += each.scenario().requests().keys().count();
    }
    assertThat(next).isEqualTo(scenario.requests().keys().count());
  }

  @Property(seed = "1", tries = 200)
  void all_shards_together_make_exactly_the_scenario(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(min = 12, max = 60) int first,
      @ForAll @IntRange(min = 12, max = 60) int second,
      @ForAll @IntRange(min = 1000, max = 9000) int requests,
      @ForAll boolean random) {
    Scenario scenario =
        read(WRITES.formatted(requests, random ? "random" : "sequential", first, second));
    List<LoadShare> shards = shards(scenario, count);
    for (int step = 0; step < 2; step++) {
      Step whole = scenario.databases().get(0).steps().get(step);
      assertThat(sum(shards, step, Step::requests)).isEqualTo(whole.requests());
      assertThat(sum(shards, step, Step::clients)).isEqualTo(whole.clients());
      assertThat(sum(shards, step, Step::connections)).isEqualTo(whole.connections());
    }
    requireDisjointAndComplete(shards, scenario);
    for (LoadShare each : shards) {
      // each put creates a separate key
      assertThat(each.scenario().requests().keys().count())
          .isGreaterThanOrEqualTo(each.load().requests());
    }
  }

  @Property(seed = "1", tries = 200)
  void rates_and_keys_to_draw_from_are_divided_too(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(min = 100, max = 9000) int rate,
      @ForAll @IntRange(min = 1, max = 90) int ranges) {
    Assume.that(ranges >= count);
    Scenario scenario =
        read(
            """
            title: Reads at a rate
            mix: {get: 50, range: 50}
            range: {keys: 100}
            duration: 7s
            keys: {size: 16, distribution: zipfian, count: %d}
            values: {size: 16}
            load: {rate: %d/s, connections: 20, max-in-flight: 997}
            databases: [etcd]
            """
                .formatted(ranges * 100 + 7, rate));
    List<LoadShare> shards = shards(scenario, count);
    assertThat(sum(shards, 0, step -> ((LoadModel.Open) step.model()).ratePerSecond()))
        .isEqualTo(rate);
    assertThat(sum(shards, 0, step -> ((LoadModel.Open) step.model()).maxOutstanding()))
        .isEqualTo(997);
    assertThat(sum(shards, 0, Step::requests)).isEqualTo(7L * rate);
    assertThat(shards).allMatch(each -> each.scenario().requests().keys().first() % 100 == 0);
    requireDisjointAndComplete(shards, scenario);
  }

  @Test
  void limits_are_those_of_all_together_and_a_limit_of_the_rate_is_divided() {
    Scenario scenario =
        read(
            """
            title: Updates
            operation: put
            duration: 5s
            keys: {size: 16, count: 1_000}
            values: {size: 16}
            load: {clients: 10, connections: 4, max-rate: 1_001/s}
            databases: [etcd]
            thresholds: [p99 < 50 ms]
            """);
    LoadShare second = LoadShare.of(new Shard(1, 2), scenario, scenario.databases().get(0));
    LoadModel.Closed model = (LoadModel.Closed) second.load().steps().get(0).model();
    assertThat(model.clients()).isEqualTo(5);
    assertThat(model.limitPerSecond()).hasValue(501);
    assertThat(second.load().steps().get(0).connections()).isEqualTo(2);
    assertThat(second.scenario().goals().limits()).isEmpty();
    assertThat(second.wholeScenario().goals().limits()).hasSize(1);
  }

  @Test
  void what_cannot_be_divided_is_told_all_at_once() {
    Scenario scenario =
        read(
            """
            title: Puts and ranges of all
            mix: {put: 50, range: 50}
            range: {keys: all}
            requests: 9_000
            keys: {size: 16, count: 100}
            values: {size: 16}
            load: {steps: [1, 100, 3]}
            databases: [etcd]
            """);
    assertThatThrownBy(() -> shards(scenario, 4))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            scenario test cannot be made by 4 shards:
              step 1: found 1 clients and 1 connections, expected at least 4 of each, one for each shard
              step 3: found 3 clients and 3 connections, expected at least 4 of each, one for each shard
              keys: ranges of all keys cannot be divided into shards: set a number of keys\
            """);
  }

  @Test
  void keys_that_follow_the_requests_are_not_refused_again() {
    Scenario fewRequests =
        read(
            """
            title: Three puts
            operation: put
            requests: 3
            keys: {size: 16}
            values: {size: 16}
            load: {clients: 3}
            databases: [etcd]
            """);
    assertThatThrownBy(() -> shards(fewRequests, 4))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            scenario test cannot be made by 4 shards:
              step 1: found 3 clients and 3 connections and 3 requests, expected at least 4 of each, one for each shard\
            """);
    Scenario fewKeys =
        read(
            """
            title: Puts to few keys
            operation: put
            requests: 9_000
            keys: {size: 16, count: 3, distribution: random}
            values: {size: 16}
            load: {clients: 100}
            databases: [etcd]
            """);
    assertThatThrownBy(() -> shards(fewKeys, 4))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            scenario test cannot be made by 4 shards:
              keys: found 3 keys, expected at least 4, one for each shard\
            """);
  }

  @Test
  void one_shard_of_one_is_the_scenario_itself() {
    Scenario scenario = read(WRITES.formatted(1000, "random", 1, 10));
    LoadShare only = LoadShare.of(Shard.WHOLE, scenario, scenario.databases().get(0));
    assertThat(only.scenario()).isSameAs(scenario);
    assertThat(only.load()).isSameAs(scenario.databases().get(0));
  }
}
