// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoReleasesTest {
  private static final List<String> ALL =
      List.of("3.5.9", "3.5.10", "3.5.15", "3.5.16", "3.5.21", "3.6.0", "3.6.4", "3.7.0-rc.0");

  @Test
  void near_releases_are_around_a_version() {
    assertThat(GoReleases.near(ALL, "3.5.17"))
        .containsExactly("3.5.10", "3.5.15", "3.5.16", "3.5.21", "3.6.0", "3.6.4");
    assertThat(GoReleases.near(ALL, "9.9.9"))
        .containsExactly("3.5.15", "3.5.16", "3.5.21", "3.6.0", "3.6.4", "3.7.0-rc.0");
    assertThat(GoReleases.near(ALL, "1.0.0")).startsWith("3.5.9").hasSize(6);
    assertThat(GoReleases.near(List.of("3.5.9"), "3.5.10")).containsExactly("3.5.9");
    assertThat(GoReleases.near(List.of(), "3.5.10")).isEmpty();
  }
}
