// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.network.RelayPlan.Cable;
import io.quorate.network.RelayPlan.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkBytesTest {
  private static final Link LINK = Link.of(Duration.ofMillis(1));

  /** Machines 1 and 2 are in zone a, machine 3 is in zone b. */
  private static final RelayPlan PLAN =
      new RelayPlan(
          List.of(
              new Machine("", ""), new Machine("", ""), new Machine("", ""), new Machine("", "")),
          List.of(),
          List.of(
              new Cable(1, 2, "within a", LINK),
              new Cable(1, 3, "a to b", LINK),
              new Cable(2, 3, "a to b", LINK)),
          false);

  @TempDir private Path directory;

  @Test
  void both_directions_of_all_machines_of_two_zones_are_one_count() throws IOException {
    RelayProcess.write(PLAN, directory);
    Routes routes = new Routes(PLAN, LinkBytes.in(directory, PLAN));

    assertThat(LinkBytes.read(directory)).isEqualTo(Map.of("within a", 0L, "a to b", 0L));
    routes.between(1, 3).arrivalNanos(0, 100);
    routes.between(3, 1).arrivalNanos(0, 20);
    routes.between(2, 3).arrivalNanos(0, 3);
    routes.between(2, 1).arrivalNanos(0, 7);

    assertThat(LinkBytes.read(directory)).isEqualTo(Map.of("within a", 7L, "a to b", 123L));
  }

  @Test
  void machines_without_a_link_are_not_counted() throws IOException {
    RelayProcess.write(PLAN, directory);
    Routes routes = new Routes(PLAN, LinkBytes.in(directory, PLAN));

    routes.between(0, 3).arrivalNanos(0, 100);

    assertThat(LinkBytes.read(directory)).isEqualTo(Map.of("within a", 0L, "a to b", 0L));
  }
}
