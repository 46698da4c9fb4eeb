// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Store;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestSizesTest {
  private static final String TRANSACTIONS = "operation: txn\ntxn: {puts: 20}";

  @Test
  void values_above_the_limit_of_Consul_are_found_where_they_are_written() {
    assertThat(problems("operation: put", "{size: 600KiB}", "[etcd, zookeeper, consul]"))
        .isEqualTo(
            "my.yaml:5:16: found values of 600KiB, above the limit of consul, expected at most"
                + " 512KiB in a request, or settings: {kv_max_value_size: 615424} or more");
    assertThat(problems("operation: put", "{sizes: {1KiB: 9, 600KiB: 1}}", "[consul]"))
        .startsWith("my.yaml:5:17: found values of 600KiB");
    assertThat(problems("operation: put", "{min: 1KiB, max: 600KiB}", "[consul]"))
        .startsWith("my.yaml:5:26: found values of 600KiB");
  }

  @Test
  void settings_raise_the_limit() {
    assertThat(
            problems(
                "operation: put",
                "{size: 600KiB}",
                "{consul: {settings: {kv_max_value_size: 600KiB}}}"))
        .isEmpty();
    assertThat(
            problems(
                TRANSACTIONS,
                "{size: 100KB}",
                "{etcd: {settings: {max-request-bytes: 4MiB}}, zookeeper: {settings:"
                    + " {jute.maxbuffer: 4MiB}}}"))
        .isEmpty();
  }

  @Test
  void transactions_above_the_limit_are_found() {
    assertThat(problems(TRANSACTIONS, "{size: 100KB}", "[etcd, zookeeper, consul, memory]"))
        .isEqualTo(
            "my.yaml:3:13: found transactions of 20 puts of 100KB, above the limit of etcd,"
                + " expected at most 1536KiB in a request, or settings: {max-request-bytes:"
                + " 2002304} or more\n"
                + "my.yaml:3:13: found transactions of 20 puts of 100KB, above the limit of"
                + " zookeeper, expected at most 1048575 in a request, or settings:"
                + " {jute.maxbuffer: 2002304} or more\n"
                + "my.yaml:3:13: found transactions of 20 puts of 100KB, above the limit of consul,"
                + " expected at most 512KiB in a request, or settings: {kv_max_value_size: 2669024}"
                + " or more");
  }

  @Test
  void the_last_transactions_of_growing_values_are_the_largest() {
    assertThat(problems(TRANSACTIONS, "{grow: 1KiB..100KB}", "[etcd]"))
        .contains("found transactions of 20 puts of 100KB, above the limit of etcd");
  }

  @Test
  void requests_that_only_read_values_of_others_are_found_too() {
    assertThat(problems("operation: get", "{size: 600KiB}", "[consul]"))
        .startsWith("my.yaml:5:16: found values of 600KiB");
  }

  private static String problems(String operation, String values, String databases) {
    String text =
        """
        title: Large values
        %s
        requests: 100
        keys: {size: 64}
        values: %s
        load: {clients: 1}
        databases: %s
        """
            .formatted(operation, values, databases);
    Scenario read = ScenarioReader.read("my.yaml", text, 1);
    List<Store> all = read.databases().stream().map(StoreLoad::database).toList();
    return ScenarioReader.tooLarge("my.yaml", text, read, all)
        .map(InvalidScenarioException::getMessage)
        .orElse("");
  }
}
