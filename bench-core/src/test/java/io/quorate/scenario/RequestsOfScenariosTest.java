// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.OperationMix.RangeShape;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.scenario.yaml.EditorSchema;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReturnedValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of operations, mixes and keys, and that the schema accepts what the reader does. */
class RequestsOfScenariosTest {
  private static final String SCENARIO =
      """
      title: Some requests
      %s
      requests: 5_000_000
      keys: {%s}
      values: {size: 64}
      load: {clients: 10}
      databases: [etcd]
      """;

  @ParameterizedTest
  @CsvSource({
    "put, PUT",
    "get, GET",
    "delete, DELETE",
    "compare-and-set, COMPARE_AND_SET",
    "txn, TXN",
    "stm, STM",
    "compact, COMPACT",
    "write, PUT",
    "read, GET"
  })
  void an_operation_is_known_by_its_name_and_some_by_an_older_one(String name, Operation meant) {
    assertThat(scenario("operation: " + name, "size: 256").requests().mix().isOnly(meant)).isTrue();
  }

  @Test
  void a_mix_has_its_operations_in_the_order_of_the_file() {
    OperationMix mix = scenario("mix: {get: 1_000, put: 50, txn: 3}", "size: 256").requests().mix();

    assertThat(mix.shares())
        .containsExactly(
            new Share(Operation.GET, 1_000),
            new Share(Operation.PUT, 50),
            new Share(Operation.TXN, 3));
    assertThat(mix).hasToString("95% get, 4.7% put, 0.3% txn");
  }

  @Test
  void a_mix_without_delete_may_have_all_operations() {
    String all =
        """
        mix: {put: 1, get: 1, range: 1, compare-and-set: 1, txn: 1_000_000, stm: 1, compact: 1}
        range: {keys: 10}\
        """;

    assertThat(scenario(all, "size: 256").requests().mix().operations()).hasSize(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{keys: 1}                            | 1       | 0       | false",
        "{keys: 1_000_000}                    | 1000000 | 0       | false",
        "{keys: 100, limit: 10}               | 100     | 10      | false",
        "{keys: 100, count-only: true}        | 100     | 0       | true",
        "{keys: 10, limit: 10, count-only: false} | 10  | 10      | false",
      })
  void a_range_reads_a_power_of_ten_of_neighbouring_keys(
      String range, long keys, long limit, boolean countOnly) {
    assertThat(scenario("operation: range\nrange: " + range, "size: 256").requests().mix().range())
        .isEqualTo(
            new RangeShape(
                keys, limit, countOnly ? ReturnedValue.COUNT : ReturnedValue.ENTRIES, 0, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{keys: all}                                | 0   | 0 | ENTRIES | 0",
        "{keys: all, limit: 7}                      | 0   | 7 | ENTRIES | 0",
        "{keys: all, count-only: true}              | 0   | 0 | COUNT   | 0",
        "{keys: 100, keys-only: true, limit: 7}     | 100 | 7 | KEYS    | 0",
        "{keys: all, page: 1_000}                   | 0   | 0 | ENTRIES | 1000",
        "{keys: all, page: 1, keys-only: true, count-only: false} | 0 | 0 | KEYS | 1",
      })
  void a_range_may_read_all_keys_or_keys_only_or_page_by_page(
      String range, long keys, long limit, ReturnedValue returned, long page) {
    String count = "size: 256, count: 5_000";

    assertThat(scenario("operation: range\nrange: " + range, count).requests().mix().range())
        .isEqualTo(new RangeShape(keys, limit, returned, page, false));
  }

  @Test
  void a_range_may_be_streamed() {
    String range = "operation: range\nrange: {keys: all, page: 10_000, stream: true}";
    assertThat(scenario(range, "size: 256, count: 5_000").requests().mix().range())
        .isEqualTo(new RangeShape(0, 0, ReturnedValue.ENTRIES, 10_000, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "operation: compact                                     | 1000",
        "'operation: compact\ncompact: {keep: 0}'              | 0",
        "'mix: {put: 9, compact: 1}\ncompact: {keep: 20_000}'  | 20000",
        "operation: put                                         | 0",
      })
  void a_compaction_keeps_a_thousand_revisions_unless_told_otherwise(String operation, long kept) {
    assertThat(scenario(operation, "size: 256").requests().mix().revisionsKept()).isEqualTo(kept);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "operation: txn                               | 10",
        "'operation: txn\ntxn: {puts: 128}'           | 128",
        "'mix: {get: 1, txn: 1}\ntxn: {puts: 1}'      | 1",
        "operation: put                               | 1",
      })
  void a_transaction_writes_ten_keys_unless_told_otherwise(String operation, int puts) {
    assertThat(scenario(operation, "size: 256").requests().mix().putsPerTxn()).isEqualTo(puts);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "operation: get",
        "operation: compare-and-set",
        "operation: stm",
        "operation: range\nrange: {keys: 10}",
        "mix: {put: 99, get: 1}",
        "mix: {txn: 1, compare-and-set: 1}"
      })
  void reads_promise_something_wherever_there_are_some(String operation) {
    assertThat(
            scenario(operation + "\nconsistency: serializable", "size: 256")
                .requests()
                .consistency())
        .isEqualTo(ReadConsistency.SERIALIZABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // how many keys there are where nothing is said
        "operation: put             |                                 | 5000000  | created",
        "operation: put             | , distribution: random                 | 5000000  | created",
        "operation: put             | , count: 5_000_001              | 5000001  | created",
        "operation: put             | , count: 4_999_999              | 4999999  | prepared",
        "operation: put             | , distribution: uniform, count: 6_000_000 | 6000000 |"
            + " prepared",
        "operation: put             | , distribution: latest, count: 7       | 7        | prepared",
        "operation: get             |                                 | 1        | prepared",
        "operation: get             | , distribution: zipfian, count: 500    | 500      | prepared",
        "operation: delete          |                                 | 5000000  | prepared",
        "operation: delete          | , count: 6_000_000              | 6000000  | prepared",
        "operation: compare-and-set |                                 | 1000000  | prepared",
        "operation: compare-and-set | , count: 3_000_000              | 3000000  | prepared",
        "operation: stm             |                                 | 1000000  | prepared",
        "operation: stm             | , count: 1                      | 1        | prepared",
        "operation: compact         |                                 | 1000000  | prepared",
        "operation: txn             |                                 | 50000000 | created",
        "operation: txn             | , count: 50_000_000             | 50000000 | created",
        "operation: txn             | , count: 49_999_999             | 49999999 | prepared",
        "'mix: {get: 1, put: 1}'    |                                 | 1000000  | prepared",
        "'mix: {get: 1, put: 1}'    | , count: 5_000_000              | 5000000  | prepared",
        "'mix: {put: 1, txn: 1}'    |                                 | 1000000  | prepared",
        "'operation: range\nrange: {keys: 1_000}' |                   | 1000     | prepared",
        "'operation: range\nrange: {keys: all}' | , count: 70          | 70       | prepared",
        "'mix: {get: 1, range: 1}\nrange: {keys: 10}' |               | 10       | prepared",
        "'mix: {put: 1, range: 1}\nrange: {keys: 10}' |               | 1000000  | prepared",
      })
  void keys_are_there_beforehand_unless_each_request_creates_some(
      String operation, String keys, long count, String how) {
    String order = keys == null ? "" : keys;
    KeySpace space = scenario(operation, "size: 256" + order).requests().keys();

    assertThat(space.count()).isEqualTo(count);
    assertThat(space.prepared()).isEqualTo(how.equals("prepared"));
  }

  @Test
  void a_mix_of_few_requests_has_a_key_for_each() {
    String few =
        SCENARIO.formatted("mix: {get: 1, put: 1}", "size: 256").replace("5_000_000", "300");

    assertThat(ScenarioReader.read("few", few, 1).requests().keys().count()).isEqualTo(300);
    assertThat(ScenarioReader.read("few", few, 0.1).requests().keys().count()).isEqualTo(30);
  }

  @Test
  void scaled_puts_create_their_keys_where_the_unscaled_ones_do() {
    String puts = SCENARIO.formatted("operation: txn", "size: 256, count: 50_000_000");

    assertThat(ScenarioReader.read("puts", puts, 0.01).requests().keys().prepared()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "SEQUENTIAL, sequential",
    "RANDOM, random",
    "UNIFORM, uniform",
    "ZIPFIAN, zipfian",
    "LATEST, latest",
    "HOTSPOT, hotspot"
  })
  void an_order_is_known_by_its_name(KeySpace.Order order, String name) {
    String keys = "size: 256, count: 1_000, distribution: " + name;

    assertThat(scenario("mix: {get: 1, put: 1}", keys).requests().keys())
        .isEqualTo(new KeySpace(256, order, 1_000, true, new KeySpace.HotSet(20, 80)));
  }

  @Test
  void a_hot_set_can_be_given() {
    String keys =
        "size: 256, count: 1_000, distribution: hotspot, hotspot: {keys: 1, requests: 99}";

    assertThat(scenario("operation: get", keys).requests().keys().hotSet())
        .isEqualTo(new KeySpace.HotSet(1, 99));
  }

  @Test
  void the_keys_of_a_range_may_leave_one_character_of_a_key() {
    assertThat(
            scenario("operation: range\nrange: {keys: 1_000}", "size: 4, count: 9_000")
                .requests()
                .mix()
                .range()
                .keys())
        .isEqualTo(1_000);
  }

  private static Scenario scenario(String operation, String keys) {
    String yaml = SCENARIO.formatted(operation, keys);
    assertThat(EditorSchema.accepts(yaml)).as(yaml).isTrue();
    Scenario scenario = ScenarioReader.read("some.yaml", yaml, 1);
    assertThat(scenario.databases()).extracting(StoreLoad::steps).isEqualTo(oneStep());
    return scenario;
  }

  private static List<List<Step>> oneStep() {
    return List.of(
        List.of(
            new Step(
                new LoadModel.Closed(10, OptionalLong.empty()), 10, 5_000_000, Optional.empty())));
  }
}
