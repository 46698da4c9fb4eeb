// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.server.ServerProtocol;
import org.junit.jupiter.api.Test;

class DatabaseGrowthTest {
  private static final ServerProtocol.Space SPACE =
      new ServerProtocol.Space(500_000_000, 2_500_000_000L);

  @Test
  void the_growth_and_the_free_space_are_announced() {
    assertThat(new DatabaseGrowth(1_000_000, 1380, true).text(SPACE))
        .isEqualTo(
            "its database keeps the history of keys: it may grow by 1.0 MB; 2.0 GB are free of its"
                + " quota of 2.5 GB");
    assertThat(new DatabaseGrowth(1_000_000, 1380, false).text(SPACE))
        .contains(
            "it may grow by 1.0 MB at 1,000 requests a second, and by 1.4 kB with each further"
                + " write; 2.0 GB");
  }

  @Test
  void half_of_the_free_space_is_the_most() {
    assertThat(new DatabaseGrowth(1_000_000_000, 1380, true).obstacle(SPACE)).isEmpty();
    assertThat(new DatabaseGrowth(1_000_000_001, 1380, true).obstacle(SPACE))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("the database may grow by 1.0 GB, more than half of the 2.0 GB")
                    .endsWith("or permit it with --yes"));
    assertThat(new DatabaseGrowth(1, 1380, true).obstacle(new ServerProtocol.Space(10, 5)))
        .isPresent();
  }
}
