// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.scenario.ClusterSpec;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.Goals;
import io.quorate.scenario.Heading;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.KeysToVerify;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioTexts;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Security;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioReaderTest {
  @Test
  void what_is_left_out_has_a_default() {
    Scenario scenario = ScenarioReader.read("some/place/writes.yaml", ScenarioTexts.SHORTEST, 1);

    List<Step> steps = List.of(Steps.closed(100, 100, 1_000_000));
    assertThat(scenario)
        .isEqualTo(
            new Scenario(
                new Heading("writes", "Some writes", "", ScenarioTexts.SHORTEST),
                new Requests(
                    OperationMix.of(Operation.PUT),
                    ReadConsistency.LINEARIZABLE,
                    1_000_000,
                    20_000,
                    false,
                    new KeySpace(
                        256, KeySpace.Order.SEQUENTIAL, 1_000_000, false, KeySpace.USUAL_HOT_SET),
                    ValueSizes.fixed(1024),
                    1,
                    Duration.ofSeconds(5),
                    Routing.SPREAD,
                    ConnectionBinding.PINNED,
                    KeysToVerify.SAMPLE),
                new ClusterSpec(3, List.of(), Security.NONE, Optional.empty()),
                List.of(
                    new StoreLoad(ZooKeeperStore.STORE, steps),
                    new StoreLoad(EtcdStore.STORE, steps)),
                new Goals(List.of(), List.of(), Optional.empty()),
                Optional.empty(),
                1.0));
  }

  @Test
  void everything_can_be_said() {
    Scenario scenario = ScenarioReader.read("all.yml", ScenarioTexts.LONGEST, 1);

    assertThat(scenario)
        .isEqualTo(
            new Scenario(
                new Heading(
                    "all", "Reads: all of it", "Two *lines*\nof text.", ScenarioTexts.LONGEST),
                new Requests(
                    OperationMix.of(Operation.GET),
                    ReadConsistency.SERIALIZABLE,
                    30_000,
                    500,
                    true,
                    new KeySpace(16, KeySpace.Order.RANDOM, 2_000, true, KeySpace.USUAL_HOT_SET),
                    ValueSizes.fixed(0),
                    42,
                    Duration.ofMillis(1500),
                    Routing.FOLLOWERS,
                    ConnectionBinding.FAILOVER,
                    KeysToVerify.SAMPLE),
                new ClusterSpec(
                    5,
                    List.of(
                        new Endpoint("a", 7300),
                        new Endpoint("10.0.0.2", 1),
                        new Endpoint("c.example.com", 65_535),
                        new Endpoint("d", 4),
                        new Endpoint("e", 5)),
                    Security.NONE,
                    Optional.empty()),
                List.of(
                    new StoreLoad(
                        MemoryStore.STORE,
                        List.of(
                            Steps.closed(1, 1, 10_000),
                            Steps.closed(2, 2, 10_000),
                            Steps.closed(3, 3, 10_000))),
                    new StoreLoad(ZooKeeperStore.STORE, List.of(Steps.closed(20, 4, 30_000))),
                    new StoreLoad(EtcdStore.STORE, List.of(Steps.closed(1_000, 100, 30_000)))),
                new Goals(List.of(), List.of(), Optional.empty()),
                Optional.empty(),
                1.0));
  }

  @Test
  void a_database_may_have_settings_of_its_servers() {
    String yaml =
        """
        title: Some writes
        operation: put
        requests: 1_000
        keys: {size: 256}
        values: {size: 1024}
        load: {clients: 10}
        databases:
          etcd: {settings: {snapshot-count: 100_000, quota-backend-bytes: 8GB}}
          zookeeper: {clients: 20, settings: {heap: 4GiB, tickTime: 500ms, preAllocSize: 65_536}}
          consul:
        """;

    List<StoreLoad> databases = ScenarioReader.read("x.yaml", yaml, 1).databases();

    assertThat(databases)
        .extracting(each -> each.database() + ": " + each.settings())
        .containsExactly(
            "etcd: snapshot-count 100000, quota-backend-bytes 8GB",
            "zookeeper: heap 4GiB, tickTime 500ms, preAllocSize 64KiB",
            "consul: ");
    assertThat(databases)
        .extracting(each -> each.steps().get(0).clients())
        .containsExactly(10, 20, 10);
    assertThat(EditorSchema.accepts(yaml)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {ScenarioTexts.SHORTEST, ScenarioTexts.LONGEST})
  void the_schema_accepts_what_the_reader_accepts(String yaml) {
    assertThat(EditorSchema.accepts(yaml)).isTrue();
  }

  @Test
  void a_read_works_on_one_key_unless_told_otherwise() {
    String reads = ScenarioTexts.SHORTEST.replace("operation: write", "operation: read");

    assertThat(ScenarioReader.read("reads", reads, 1).requests().keys().count()).isEqualTo(1);
  }

  @Test
  void the_warm_up_is_a_tenth_if_that_is_not_much() {
    String few = ScenarioTexts.SHORTEST.replace("1_000_000", "1_005");

    assertThat(ScenarioReader.read("few", few, 1).requests().warmUp()).isEqualTo(100);
  }

  @Test
  void the_largest_key_may_take_all_of_the_size() {
    String exact = ScenarioTexts.SHORTEST.replace("size: 256", "size: 6");

    assertThat(ScenarioReader.read("exact", exact, 1).requests().keys().sizeBytes()).isEqualTo(6);
  }

  @Test
  void a_byte_order_mark_does_no_harm() {
    assertThat(
            ScenarioReader.read("bom.yaml", "\uFEFF" + ScenarioTexts.SHORTEST, 1).heading().title())
        .isEqualTo("Some writes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"# ", "#  "})
  void characters_of_two_surrogates_may_stand_anywhere(String start) {
    String emoji = start + "\uD83D\uDE00".repeat(10_000) + "\n" + ScenarioTexts.SHORTEST;

    assertThat(ScenarioReader.read("emoji.yaml", emoji, 1).heading().title())
        .isEqualTo("Some writes");
  }

  @Test
  void the_problems_can_be_asked_for() {
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", "- a\n", 1))
        .isInstanceOfSatisfying(
            InvalidScenarioException.class,
            e ->
                assertThat(e.problems())
                    .containsExactly(
                        new InvalidScenarioException.Problem(
                            "my.yaml", 1, 1, "a list", "a map with the keys of a scenario")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "members: 5                   | members: 999999999999         | 17:10 | 1, 3 or 5",
        "{size: 16                    | {size: 999999999999           | 9:14  | 1 to 4_096",
        "values: {size: 0             | values: {size: 999999999999   | 10:16 | 0 to 1_000_000",
        "{clients: 20                 | {clients: 999999999999        | 12:17 | 1 to 100_000",
        "connections: 4               | connections: 999999999999     | 12:34 | 1 to 100_000",
        "steps: [1, 2, 3]             | steps: [1, 999999999999, 3]   | 14:23 | 1 to 100_000",
        "requests: 30000              | requests: 999999999999        | 7:11  | 1_000_000_000",
        "warm-up: 500                 | warm-up: 999999999999         | 8:10  | 1_000_000_000",
        "count: 2_000                 | count: 999999999999           | 9:47  | 1_000_000_000",
        "timeout: 1500ms              | timeout: 999999999999ms       | 21:10 | 1ms to 5m"
      })
  void a_number_beyond_an_int_is_refused_where_it_stands(
      String good, String bad, String position, String bounds) {
    assertThat(ScenarioTexts.LONGEST).contains(good);
    assertThatThrownBy(
            () -> ScenarioReader.read("my.yaml", ScenarioTexts.LONGEST.replace(good, bad), 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageStartingWith("my.yaml:" + position + ": found ")
        .hasMessageContaining("999999999999")
        .hasMessageContaining(bounds);
  }

  @Test
  void a_control_character_is_refused_where_it_stands() {
    assertRefused(
        "title: Some\nrequests: \uD83D\uDE00 \u0007\n",
        "my.yaml:2:13: found the character U+0007, expected printable text");
  }

  @Test
  void half_a_character_is_refused() {
    assertRefused(
        "title: \uD800", "my.yaml:1:8: found the character U+D800, expected printable text");
  }

  @Test
  void a_text_too_large_is_refused() {
    assertRefused(
        "#".repeat(65_537),
        "my.yaml:1:1: found more than 65_536 characters, expected a smaller file");
  }

  @Test
  void nesting_that_would_take_all_of_the_stack_is_refused() {
    assertRefused(
        "[".repeat(60_000),
        "my.yaml:1:11: found more than 10 levels of nesting, expected at most 10");
  }

  private static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(message);
  }
}
