// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.OperationMix.RangeShape;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Capabilities;
import io.quorate.store.Capabilities.RangeReads;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.stores.Stores;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenarios that ask a store for more than it can do. */
class UnsupportedFeatureTest {
  private static final String SCENARIO =
      """
      title: Some requests
      operation: %s
      requests: 1_000
      keys: {size: 256}
      values: {size: 64}
      load: {clients: 10}
      databases: [%s]
      """;

  @Test
  void a_store_without_an_operation_says_why() {
    Store drawers =
        store(
            new Capabilities(
                knowing(),
                RangeReads.NONE,
                0,
                Map.of(Operation.TXN, "it has one drawer at a time")));
    OperationMix mix =
        mix(
            new RangeShape(10, 0, ReturnedValue.ENTRIES, 0, false),
            10,
            Operation.GET,
            Operation.TXN,
            Operation.RANGE);

    assertThat(UnsupportedFeature.of(mix, drawers))
        .containsExactly(
            new UnsupportedFeature(
                Operation.TXN,
                UnsupportedFeature.Part.OPERATION,
                "txn, which drawers cannot do: it has one drawer at a time",
                "another operation, or no drawers"),
            new UnsupportedFeature(
                Operation.RANGE,
                UnsupportedFeature.Part.OPERATION,
                "range, which drawers cannot do: it has no such request",
                "another operation, or no drawers"));
  }

  @Test
  void a_store_may_limit_the_puts_of_a_transaction() {
    Store drawers = store(new Capabilities(knowing(Operation.TXN), RangeReads.NONE, 64, Map.of()));

    assertThat(UnsupportedFeature.of(mix(OperationMix.ONE_KEY, 64, Operation.TXN), drawers))
        .isEmpty();
    assertThat(UnsupportedFeature.of(mix(OperationMix.ONE_KEY, 65, Operation.TXN), drawers))
        .containsExactly(
            new UnsupportedFeature(
                Operation.TXN,
                UnsupportedFeature.Part.PUTS,
                "65 puts in a transaction of drawers",
                "at most 64, or no drawers"));
  }

  @Test
  void a_store_may_have_whole_ranges_only() {
    Store drawers = store(new Capabilities(knowing(Operation.RANGE), RangeReads.ALL, 0, Map.of()));

    assertThat(
            UnsupportedFeature.of(
                mix(new RangeShape(10, 0, ReturnedValue.ENTRIES, 0, false), 1, Operation.RANGE),
                drawers))
        .isEmpty();
    assertThat(
            UnsupportedFeature.of(
                mix(new RangeShape(10, 5, ReturnedValue.ENTRIES, 0, false), 1, Operation.RANGE),
                drawers))
        .containsExactly(
            new UnsupportedFeature(
                Operation.RANGE,
                UnsupportedFeature.Part.LIMIT,
                "a limit in a range of drawers, which returns all keys at once",
                "no limit, or no drawers"));
    assertThat(
            UnsupportedFeature.of(
                mix(new RangeShape(10, 0, ReturnedValue.COUNT, 0, false), 1, Operation.RANGE),
                drawers))
        .containsExactly(
            new UnsupportedFeature(
                Operation.RANGE,
                UnsupportedFeature.Part.COUNT_ONLY,
                "count-only in a range of drawers, which returns all keys at once",
                "no count-only, or no drawers"));
    assertThat(
            UnsupportedFeature.of(
                mix(new RangeShape(10, 0, ReturnedValue.KEYS, 5, false), 1, Operation.RANGE),
                drawers))
        .containsExactly(
            new UnsupportedFeature(
                Operation.RANGE,
                UnsupportedFeature.Part.PAGE,
                "pages in a range of drawers, which returns all keys at once",
                "no page, or no drawers"));
  }

  @ParameterizedTest
  @MethodSource("storesAndOperations")
  void a_scenario_is_refused_where_it_asks_for_what_its_database_cannot_do(
      Store store, Operation operation) {
    String yaml = yaml(operation, store.id());
    if (store.capabilities().can(operation)) {
      assertThat(ScenarioReader.read("my.yaml", yaml, 1).requireLoad(store).requests())
          .isEqualTo(1_000);
    } else {
      assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml, 1))
          .isInstanceOf(InvalidScenarioException.class)
          .hasMessageStartingWith(
              "my.yaml:2:12: found %s, which %s cannot do".formatted(operation, store))
          .hasMessageEndingWith(", expected another operation, or no " + store);
    }
  }

  @ParameterizedTest
  @MethodSource("storesAndOperations")
  void so_is_a_database_that_is_chosen_on_the_command_line(Store store, Operation operation) {
    Scenario scenario = ScenarioReader.read("my.yaml", yaml(operation, "etcd"), 1);
    if (store.capabilities().can(operation)) {
      assertThat(scenario.requireLoad(store).database()).isSameAs(store);
    } else {
      assertThatThrownBy(() -> scenario.requireLoad(store))
          .isExactlyInstanceOf(QuorateException.class)
          .hasMessageStartingWith(
              "scenario my: found %s, which %s cannot do".formatted(operation, store))
          .hasMessageEndingWith(", expected another operation, or no " + store);
    }
  }

  @Test
  void leases_of_objects_need_a_store_that_grants_leases() {
    String yaml = yaml(Operation.OPTIMISTIC_CREATE, "memory") + "leases: {count: 10}\n";

    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(
            "my.yaml:8:1: found leases of objects, which memory cannot do: nothing in the map"
                + " ends by itself, expected no 'leases', or no memory");
  }

  @Test
  void reads_that_a_store_refuses_are_refused_before_the_run() {
    String yaml = yaml(Operation.GET, "kine") + "consistency: %s\n";
    Store kine = Stores.byId("kine").orElseThrow();

    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml.formatted("stale"), 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(
            "my.yaml:8:14: found serializable reads, which kine refuses, expected 'linearizable',"
                + " or no kine");
    Scenario ofEtcd =
        ScenarioReader.read("my.yaml", yaml.formatted("stale").replace("kine", "etcd"), 1);
    assertThatThrownBy(() -> ofEtcd.requireLoad(kine))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "scenario my: found serializable reads, which kine refuses, expected 'linearizable', or"
                + " no kine");
    for (String allowed : List.of("linearizable", "default")) {
      Scenario scenario = ScenarioReader.read("my.yaml", yaml.formatted(allowed), 1);
      assertThat(scenario.requireLoad(kine).database()).isSameAs(kine);
    }
  }

  @Test
  void every_database_of_a_file_is_checked() {
    String all = String.join(", ", Stores.all().stream().map(Store::id).toList());
    List<Store> without =
        Stores.all().stream().filter(each -> !each.capabilities().can(Operation.TXN)).toList();

    assertThat(without).isNotEmpty();
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", yaml(Operation.TXN, all), 1))
        .isInstanceOfSatisfying(
            InvalidScenarioException.class,
            refused -> assertThat(refused.problems()).hasSameSizeAs(without));
  }

  private static Stream<Arguments> storesAndOperations() {
    return Stores.all().stream()
        .flatMap(
            store ->
                Stream.of(Operation.values())
                    // only in mixes
                    .filter(each -> each != Operation.REMOVE && each != Operation.OPTIMISTIC_DELETE)
                    .map(each -> Arguments.of(store, each)));
  }

  private static String yaml(Operation operation, String databases) {
    String yaml = SCENARIO.formatted(operation, databases);
    if (operation.isOfLeases()) {
      return yaml.replaceAll("(?m)^(keys|values): .*\n", "");
    }
    if (operation == Operation.ELECT) {
      return yaml.replace("{size: 256}", "{size: 256, count: 1}");
    }
    return operation == Operation.RANGE
        ? yaml.replace("{size: 256}", "{size: 256, count: 100}")
            + "range: {keys: all, keys-only: true}\n"
        : yaml;
  }

  private static Set<Operation> knowing(Operation... others) {
    return Stream.concat(
            Stream.of(Operation.PUT, Operation.GET, Operation.DELETE), Stream.of(others))
        .collect(Collectors.toSet());
  }

  private static OperationMix mix(RangeShape range, int puts, Operation... operations) {
    return new OperationMix(
        Stream.of(operations).map(each -> new Share(each, 1)).toList(),
        range,
        puts,
        0,
        OperationMix.USUAL_LEASES);
  }

  private static Store store(Capabilities capabilities) {
    return new Store(
        "drawers",
        "Drawers",
        List.of(),
        capabilities,
        WatchSupport.none("Drawers has no watches that Quorate uses"),
        any -> ReadGuarantee.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        Login.Kind.NONE);
  }
}
