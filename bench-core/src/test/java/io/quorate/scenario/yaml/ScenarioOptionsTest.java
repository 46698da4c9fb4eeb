// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.Operation;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScenarioOptionsTest {
  @Test
  void an_operation_alone_compares_the_three_stores() {
    Scenario scenario = read("put", Map.of());

    assertThat(stores(scenario)).containsExactly("etcd", "zookeeper", "consul");
    assertThat(scenario.requests().measured()).isEqualTo(10_000);
    assertThat(scenario.requests().keys().sizeBytes()).isEqualTo(256);
    assertThat(scenario.requests().values()).isEqualTo(ValueSizes.fixed(1024));
    assertThat(scenario.databases().get(0).steps()).extracting(Step::clients).containsExactly(100);
  }

  @Test
  void fewer_requests_than_the_usual_clients_have_fewer_clients() {
    assertThat(read("put", Map.of("requests", "20")).databases().get(0).steps())
        .extracting(Step::clients)
        .containsExactly(20);
    assertThat(read("put", Map.of("requests", "300")).databases().get(0).steps())
        .extracting(Step::clients)
        .containsExactly(100);
  }

  @Test
  void every_option_has_its_place_in_the_scenario() {
    Scenario scenario =
        read(
            "get=95,put=5",
            Map.of(
                "clients", "1, 10",
                "requests", "5000",
                "keys", "2_000",
                "key.size", "32B",
                "value.size", "1KB",
                "key.distribution", "zipfian",
                "consistency", "stale",
                "threshold", "p99 <= 20 ms, errors = 0"),
            "etcd@3.5.35",
            "memory");

    assertThat(stores(scenario)).containsExactly("etcd@3.5.35", "memory");
    assertThat(scenario.requests().mix().operations())
        .containsExactly(Operation.GET, Operation.PUT);
    assertThat(scenario.databases().get(0).steps())
        .extracting(Step::clients)
        .containsExactly(1, 10);
    assertThat(scenario.requests().measured()).isEqualTo(5000);
    assertThat(scenario.requests().keys().count()).isEqualTo(2000);
    assertThat(scenario.requests().keys().sizeBytes()).isEqualTo(32);
    assertThat(scenario.requests().values()).isEqualTo(ValueSizes.fixed(1000));
    assertThat(scenario.requests().keys().order()).isEqualTo(KeySpace.Order.ZIPFIAN);
    assertThat(scenario.requests().consistency().id()).isEqualTo("serializable");
    assertThat(scenario.goals().limits()).hasSize(2);
  }

  @Test
  void connections_warm_up_timeout_seed_and_members_are_as_in_a_file() {
    Map<String, String> options =
        Map.of(
            "clients", "40",
            "connections", "10",
            "warm-up", "70",
            "timeout", "9s",
            "seed", "8",
            "members", "5");
    Scenario scenario = read("put", options, "etcd");

    assertThat(scenario.databases().get(0).steps())
        .allSatisfy(
            step -> {
              assertThat(step.clients()).isEqualTo(40);
              assertThat(step.connections()).isEqualTo(10);
            });
    assertThat(scenario.requests().warmUp()).isEqualTo(70);
    assertThat(scenario.requests().timeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(scenario.requests().seed()).isEqualTo(8);
    assertThat(scenario.cluster().members()).isEqualTo(5);
    assertThat(
            read("put", Map.of("rate", "100", "connections", "7"), "etcd")
                .databases()
                .get(0)
                .steps()
                .get(0)
                .connections())
        .isEqualTo(7);
    assertThatThrownBy(
            () -> read("put", Map.of("rate", "9", "connections", "7", "clients", "7"), "etcd"))
        .hasMessageStartingWith("--clients: with --rate it is the number of connections");
  }

  @Test
  void a_rate_is_an_open_loop_whose_clients_are_connections() {
    Scenario scenario =
        read("put", Map.of("rate", "500,1000/s", "duration", "5s", "clients", "20"), "memory");

    assertThat(scenario.databases().get(0).steps())
        .allSatisfy(
            step -> {
              assertThat(step.model()).isInstanceOf(LoadModel.Open.class);
              assertThat(step.connections()).isEqualTo(20);
              assertThat(step.requests()).isIn(2500L, 5000L);
            });
  }

  @Test
  void a_range_has_the_keys_of_its_section() {
    assertThat(read("range", Map.of()).requests().mix().range().keys()).isEqualTo(10);
    assertThat(read("range", Map.of("range", "all, page=1_000"), "etcd").requests().mix().range())
        .isEqualTo(new OperationMix.RangeShape(0, 0, ReturnedValue.ENTRIES, 1_000, false));
    assertThat(
            read("range", Map.of("range", "100,limit=10,keys-only"), "etcd")
                .requests()
                .mix()
                .range())
        .isEqualTo(new OperationMix.RangeShape(100, 10, ReturnedValue.KEYS, 0, false));
    assertThat(
            read("range=1,put=1", Map.of("range", "all,count-only"), "etcd")
                .requests()
                .mix()
                .range())
        .isEqualTo(new OperationMix.RangeShape(0, 0, ReturnedValue.COUNT, 0, false));
  }

  @Test
  void a_wrong_range_is_reported_by_its_option() {
    assertThatThrownBy(() -> read("range", Map.of("range", "100,limit=1000,pages=2"), "etcd"))
        .hasMessageContaining(
            "--range: found 1_000, expected no more than the 100 keys of the range")
        .hasMessageContaining("--range: found unknown key 'pages', expected one of keys, limit");
    assertThatThrownBy(() -> read("put", Map.of("range", "100")))
        .hasMessageContaining("--range: found the key 'range' with operation: put");
    assertThatThrownBy(() -> read("range", Map.of("range", "all,limit=2,limit=3"), "etcd"))
        .hasMessageContaining("--range: found ");
    assertThatThrownBy(() -> read("range", Map.of("range", ",}")))
        .hasMessageContaining("--range: found ");
  }

  @Test
  void a_cold_start_leaves_the_time_to_warm_up_out() {
    assertThat(read("put", Map.of()).requests().warmsUpByTime()).isTrue();
    assertThat(read("put", Map.of("cold-start", "true")).requests().warmsUpByTime()).isFalse();
    assertThatThrownBy(() -> read("put", Map.of("cold-start", "maybe")))
        .hasMessageContaining("--cold-start: found ");
  }

  @Test
  void clients_that_write_for_a_time_have_keys() {
    Scenario scenario = read("put", Map.of("duration", "3s"), "memory");

    assertThat(scenario.databases().get(0).steps().get(0).duration())
        .contains(Duration.ofSeconds(3));
    assertThat(scenario.requests().keys().count()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REMOVE", "OPTIMISTIC_DELETE"}) // only in mixes
  void every_operation_makes_a_scenario(Operation operation) {
    Scenario scenario = read(operation.id(), Map.of());

    assertThat(scenario.requests().mix().operations()).containsExactly(operation);
    assertThat(scenario.heading().name()).isEqualTo(operation.id());
    assertThat(scenario.databases())
        .allMatch(load -> load.database().capabilities().can(operation));
  }

  @Test
  void all_wrong_values_are_reported_by_their_options() {
    Map<String, String> wrong =
        Map.of(
            "clients", "many",
            "requests", "1e6",
            "value.size", "2MB",
            "key.distribution", "alphabetical");

    assertThatThrownBy(() -> read("put", wrong))
        .hasMessageContaining("--clients: found 'many', expected a whole number from 1 to")
        .hasMessageContaining("--requests: found ")
        .hasMessageContaining(
            "--value-size: found '2MB', expected a size from 0 to 1_000_000 bytes")
        .hasMessageContaining(
            "--key-distribution: found 'alphabetical', expected one of sequential, random");
  }

  @Test
  void a_value_cannot_add_keys_to_the_scenario() {
    assertThatThrownBy(() -> read("put", Map.of("clients", "1\nmembers: 5")))
        .hasMessageContaining("--clients: found ");
    assertThatThrownBy(() -> read("put", Map.of("keys", "5, distribution: random")))
        .hasMessageContaining("--keys: found ");
  }

  @Test
  void a_store_that_lacks_the_operation_is_named() {
    assertThatThrownBy(() -> read("compact", Map.of(), "consul"))
        .hasMessageContaining("compact, which consul cannot do");
  }

  @Test
  void an_unknown_operation_of_a_mix_is_reported() {
    assertThatThrownBy(() -> read("get=95,putt=5", Map.of()))
        .hasMessageContaining("unknown operation 'putt'")
        .hasMessageContaining("did you mean 'put'?");
  }

  private static Scenario read(String operations, Map<String, String> options, String... ids) {
    List<Store> databases = List.of(ids).stream().map(id -> Stores.byId(id).orElseThrow()).toList();
    var made = new ScenarioOptions(operations, options, databases);
    return ScenarioReader.read(made.file(), made.text(), 1);
  }

  private static List<String> stores(Scenario scenario) {
    return scenario.databases().stream().map(StoreLoad::database).map(Store::id).toList();
  }
}
