// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import org.junit.jupiter.api.Test;

/** What a warm-up sends at most. */
class WarmUpTest {
  private static final String PUTS = "operation: put";
  private static final String CLIENTS = "load: {clients: 300}";
  private static final String RATES = "load: {rate: 50/s, connections: 100}";

  @Test
  void in_an_existing_cluster_it_is_not_faster_than_a_load_with_rates() {
    assertThat(existing(PUTS, RATES).rate()).hasValue(50);
    assertThat(existing(PUTS, "load: {clients: 4, max-rate: 20/s}").rate()).hasValue(20);
    assertThat(existing(PUTS, CLIENTS).rate()).isEmpty();
    assertThat(warmUp("", PUTS, RATES).rate()).isEmpty();
  }

  @Test
  void it_writes_no_more_than_a_store_can_keep() {
    String large = "values: {size: 1_000_000}";
    assertThat(warmUp("", PUTS, CLIENTS, large).mostRequests()).isBetween(200L, 268L);
    assertThat(warmUp("", PUTS, CLIENTS, large, "warm-up: 700").mostRequests()).isEqualTo(700);
    assertThat(warmUp("", "operation: get", CLIENTS, large).mostRequests()).isEqualTo(5_000_000);
  }

  @Test
  void with_a_rate_it_sends_no_more_than_its_time_allows() {
    assertThat(existing(PUTS, RATES).mostRequests()).isEqualTo(1_550);
    assertThat(existing(PUTS, RATES, "warm-up: 2_000").mostRequests()).isEqualTo(2_000);
    assertThat(existing("operation: get", RATES).mostRequests()).isEqualTo(1_550);
  }

  @Test
  void it_leaves_no_more_leases_than_asked_for() {
    assertThat(warmUp("", "operation: lease-grant", CLIENTS, "warm-up: 30").mostRequests())
        .isEqualTo(30);
  }

  private static WarmUp existing(String... lines) {
    return warmUp("quorate/abcdef/", lines);
  }

  private static WarmUp warmUp(String prefix, String... lines) {
    String values =
        String.join(" ", lines).matches(".*values:.*|.*grant.*") ? "" : "values: {size: 32}\n";
    String text =
        "title: Warm-up\nrequests: 1000\ndatabases: [etcd]\n"
            + (lines[0].endsWith("grant") ? "" : "keys: {size: 40, count: 1_000}\n")
            + values
            + String.join("\n", lines);
    Scenario scenario = ScenarioReader.read("warm-up.yaml", text, 1);
    LoadShare share = LoadShare.whole(scenario, scenario.databases().get(0));
    LoadShare below = prefix.isEmpty() ? share : share.below(prefix);
    return new WarmUp(below.scenario().requests(), below.load());
  }
}
