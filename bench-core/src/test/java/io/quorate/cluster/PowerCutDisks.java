// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.install.Installation;
import java.util.Optional;

/** Disks of tests that can lose power. {@code -Drequire.powercut} turns a skip into a failure. */
public final class PowerCutDisks {
  private PowerCutDisks() {}

  /** Skips a test on a machine without them, or without the helper. */
  public static void require() {
    Optional<String> obstacle =
        PowerCutDisk.obstacle(Installation.of(System.getenv(), System.getProperties()));
    if (obstacle.isPresent() && !Boolean.getBoolean("require.powercut")) {
      abort(obstacle.get());
    }
    assertThat(obstacle).isEmpty();
  }
}
