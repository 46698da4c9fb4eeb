// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.prefs.Preferences;
import org.junit.jupiter.api.Test;

class InMemoryPreferencesTest {
  private final Preferences gatling =
      new LoadGenerator.InMemoryPreferences().userRoot().node("/io/gatling/latestVersion");

  @Test
  void gatling_finds_that_it_has_just_looked_for_a_new_release_in_vain() {
    long now = System.currentTimeMillis();

    assertThat(gatling.getLong("lastCheckTimestamp", 0)).isPositive().isLessThanOrEqualTo(now);
    assertThat(gatling.getBoolean("lastCheckSuccess", false)).isFalse();
    assertThat(gatling.get("latestReleaseNumber", null)).isNull();
  }

  @Test
  void what_is_put_is_found_again_by_those_with_the_same_factory_only() throws Exception {
    gatling.put("latestReleaseNumber", "3.15.2");
    gatling.flush();

    assertThat(gatling.parent().node("latestVersion").get("latestReleaseNumber", ""))
        .isEqualTo("3.15.2");
    assertThat(
            new LoadGenerator.InMemoryPreferences()
                .userRoot()
                .node("/io/gatling/latestVersion")
                .get("latestReleaseNumber", ""))
        .isEmpty();
  }
}
