// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.network.Link;
import io.quorate.network.Topology;
import io.quorate.scenario.yaml.EditorSchema;
import io.quorate.scenario.yaml.ScenarioReader;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyOfScenariosTest {
  private static final String SCENARIO =
      """
      title: Some writes
      operation: put
      requests: 1_000
      keys: {size: 256}
      values: {size: 1024}
      load: {clients: 10}
      databases: [etcd]
      """;

  private static final String OWN =
      """
      topology:
        members: [eu-1, eu-1, us]
        load-generator: eu-1
        links:
          - {within: eu-1, round-trip: 300us}
          - {between: [us, eu-1], round-trip: 90ms, jitter: 0.25ms, bandwidth: 1.5Mbit/s,
             connection-life: 5m}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sn-sz | 1 | sn-sz",
        "mn-sz | 3 | mn-sz (within zone-a 0.3 ms)",
        "mn-mz | 3 | mn-mz (zone-a to zone-b 1.5 ms; zone-a to zone-c 1.5 ms; zone-b to zone-c 1.5 ms)",
        "{name: mn-sz, round-trip: 0ms} | 3 | mn-sz",
        "{name: mn-sz, round-trip: 50ms, jitter: 1ms} | 3 | 'mn-sz (within zone-a 50 ms, jitter 1 ms)'",
        "{members: [a]} | 1 | own",
        "{members: [a, a, a, a, a], links: [{within: a, round-trip: 1s}]} | 5 | own (within a 1000 ms)"
      })
  void a_topology_decides_how_many_members_there_are_and_what_is_between_them(
      String yaml, int members, String shown) {
    Scenario scenario = read("topology: " + yaml);

    assertThat(scenario.cluster().members()).isEqualTo(members);
    assertThat(scenario.cluster().topology().orElseThrow()).hasToString(shown);
    assertThat(EditorSchema.accepts(SCENARIO + "topology: " + yaml)).isTrue();
  }

  @Test
  void zones_of_ones_own_have_links_of_their_own() {
    Topology topology = read(OWN).cluster().topology().orElseThrow();

    Link far =
        new Link(
            90_000_000, 250_000, OptionalLong.of(1_500_000), Optional.of(Duration.ofMinutes(5)));
    assertThat(topology.between(1, 2)).isEqualTo(Link.of(Duration.ofNanos(300_000)));
    assertThat(topology.between(1, 3)).isEqualTo(far);
    assertThat(topology.between(3, 2)).isEqualTo(far);
    assertThat(topology.fromLoadGenerator(1)).isEqualTo(Link.of(Duration.ofNanos(300_000)));
    assertThat(topology.fromLoadGenerator(3)).isEqualTo(far);
    assertThat(topology)
        .hasToString(
            "own (within eu-1 0.3 ms; eu-1 to us 90 ms, jitter 0.25 ms, 1.5 Mbit/s,"
                + " connections reset after 300 s on average)");
    assertThat(EditorSchema.accepts(SCENARIO + OWN)).isTrue();
  }

  @Test
  void without_a_zone_the_load_generator_is_beside_each_member() {
    Topology topology = read("topology: mn-mz").cluster().topology().orElseThrow();

    assertThat(topology.fromLoadGenerator(1)).isEqualTo(Link.NONE);
    assertThat(topology.fromLoadGenerator(3)).isEqualTo(Link.NONE);
  }

  @Test
  void without_a_topology_there_is_none() {
    assertThat(read("").cluster().topology()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | 1",
        "b | 2, 3",
        "client | 2, 3",
      })
  void the_nearest_members_have_the_least_round_trip_from_the_load_generator(
      String zone, String expected) {
    String text =
        """
        routing: nearest
        topology:
          members: [a, b, b]
          load-generator: %s
          links:
            - {between: [a, b], round-trip: 10ms}
            - {between: [a, client], round-trip: 3ms}
            - {between: [b, client], round-trip: 2ms}
        """
            .formatted(zone);
    String known = zone.equals("client") ? text : text.replaceAll("    - .*client.*\n", "");

    assertThat(read(known).cluster().topology().orElseThrow().nearest().toString())
        .isEqualTo("[" + expected + "]");
    assertThat(EditorSchema.accepts(SCENARIO + known)).isTrue();
  }

  private static Scenario read(String topology) {
    return ScenarioReader.read("my.yaml", SCENARIO + topology, 1);
  }
}
