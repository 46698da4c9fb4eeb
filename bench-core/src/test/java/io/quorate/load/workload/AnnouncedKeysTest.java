// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.fault.Survivors;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many keys a load announces in an existing cluster. */
class AnnouncedKeysTest {
  @Test
  void includes_those_of_the_warm_up() {
    String[] puts = {"operation: put", "keys: {size: 16}", "warm-up: 50", "load: {clients: 4}"};
    assertThat(most(puts)).isEqualTo(1000 + 1000);
    assertThat(
            most(
                Stream.concat(Stream.of(puts), Stream.of("cold-start: true"))
                    .toArray(String[]::new)))
        .isEqualTo(1000 + 50);
  }

  @Test
  void includes_a_place_for_each_client_of_a_lock_and_two_if_clients_stop() {
    String keys = "keys: {size: 16, count: 2}";
    assertThat(most("operation: lock", keys, "load: {steps: [1, 8]}")).isEqualTo(2 + 8);
    assertThat(most("operation: elect", "keys: {size: 16, count: 1}", "load: {clients: 8}"))
        .isEqualTo(1 + 8);
    assertThat(most("operation: lock", keys, "load: {clients: 8}", "sessions: {crash-every: 3}"))
        .isEqualTo(2 + 16);
    assertThat(most("operation: register", keys, "load: {clients: 8}")).isEqualTo(2);
  }

  @Test
  void includes_a_key_for_each_session_that_is_abandoned() {
    String keys = "keys: {size: 16, count: 1}";
    assertThat(most("operation: expire", keys, "load: {clients: 8}")).isEqualTo(1 + 8);
    assertThat(most("operation: expire", keys, "load: {rate: 10/s, max-in-flight: 50}"))
        .isEqualTo(1 + 50);
  }

  @Test
  void includes_those_of_clients_next_to_faults() {
    Scenario scenario =
        scenario(
            "operation: put",
            "keys: {size: 16, count: 10}",
            "load: {rate: 10/s}",
            "faults: {inject: [kill-leader, pause-leader], times: 3, sessions: 20}");
    // contended, watched, locks, sessions, and three abandoned ones for each injection
    assertThat(Survivors.mostKeys(scenario.faults().orElseThrow(), 3))
        .isEqualTo(3 + 3 + 3 + 20 + 3 * 6);
  }

  private static long most(String... lines) {
    Scenario scenario = scenario(lines);
    return new Workload(LoadShare.whole(scenario, scenario.databases().get(0))).mostKeys();
  }

  private static Scenario scenario(String... lines) {
    String text = "title: Keys\nvalues: {size: 32}\ndatabases: [etcd]\n" + String.join("\n", lines);
    String requests = text.contains("faults:") ? "" : "\nrequests: 1000";
    return ScenarioReader.read("keys.yaml", text + requests, 1);
  }
}
