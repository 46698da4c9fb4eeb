// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.manifest.RunZones;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FootnotesTest {
  @Test
  void they_say_where_members_were_how_far_apart_and_what_the_relay_took() {
    RunZones zones = zones("a", Optional.of("b\u001b"));
    assertThat(notes(zones, OptionalDouble.of(1.5251)))
        .containsExactly(
            "etcd: topology own, members in a, a, c, the load generator in b\\x1b",
            "etcd: a to c: asked for 1.5 ms, measured 1.594 ms at the median and 1.711 ms at the"
                + " 99th percentile of 200 pings before the load",
            "etcd: the relay between zones used 1.53 s of CPU in the measured steps, in "
                + "addition to servers and load generator");
  }

  @Test
  void without_a_relay_there_is_no_cpu_of_it() {
    assertThat(notes(zones("a", Optional.empty()), OptionalDouble.empty()))
        .hasSize(2)
        .first()
        .isEqualTo("etcd: topology own, members in a, a, c");
  }

  private static List<String> notes(RunZones zones, OptionalDouble relaySeconds) {
    return Footnotes.zones("etcd", zones, relaySeconds);
  }

  private static RunZones zones(String zone, Optional<String> loadGenerator) {
    return new RunZones(
        "own",
        List.of(zone, zone, "c"),
        loadGenerator,
        List.of(
            new RunZones.Link(
                zone + " to c", "1.5 ms", 1_500_000, 200, 1_510_000, 1_594_000, 1_711_000)));
  }
}
