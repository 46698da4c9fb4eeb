// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.server.ServerProtocol;
import java.time.Duration;
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

  /** Returns the growth by a load with 32 B keys and 68 B values, 200 B for each revision. */
  private static DatabaseGrowth growth(String load) {
    return growth(load, Duration.ZERO);
  }

  private static DatabaseGrowth growth(String load, Duration search) {
    return growth(load, search, Shard.WHOLE);
  }

  private static DatabaseGrowth growth(String load, Duration search, Shard shard) {
    String yaml =
        """
        title: Growth
        cold-start: true
        warm-up: 0
        keys: {size: 32, count: 5}
        values: {size: 68}
        databases: [etcd]
        %s
        """
            .formatted(load);
    Scenario scenario = ScenarioReader.read("growth.yaml", yaml, 1);
    LoadShare share = LoadShare.of(shard, scenario, scenario.databases().get(0));
    return DatabaseGrowth.of(share, 5, 0, search);
  }

  @Test
  void each_write_adds_a_revision() {
    assertThat(growth("operation: put\nrequests: 100\nload: {clients: 1}"))
        .isEqualTo(new DatabaseGrowth(100 * 200, 200, true));
    assertThat(growth("mix: {put: 1, get: 3}\nrequests: 100\nload: {clients: 1}").bytes())
        .isEqualTo(25 * 200);
    assertThat(growth("operation: get\nrequests: 100\nload: {clients: 1}").bytes())
        .as("the keys that are prepared")
        .isEqualTo(5 * 200);
    assertThat(growth("operation: put\nduration: 2s\nload: {rate: 50/s}"))
        .isEqualTo(new DatabaseGrowth(100 * 200, 200, true));
  }

  @Test
  void clients_without_a_limit_are_assumed_to_send_a_thousand_requests_a_second() {
    assertThat(growth("operation: put\nduration: 2s\nload: {clients: 1}"))
        .isEqualTo(new DatabaseGrowth(2_000 * 200, 200, false));
  }

  @Test
  void each_phase_and_group_writes_its_own_part() {
    String groups =
        """
        duration: 10s
        groups:
          - {operation: get, load: {clients: 5}}
          - {operation: put, load: {rate: 200/s}}
        """;
    assertThat(growth(groups)).isEqualTo(new DatabaseGrowth(2_000 * 200, 200, false));
    String phases =
        """
        phases:
          - {operation: put, load: {rate: 500/s}, duration: 10s}
          - {mix: {get: 99, put: 1}, load: {rate: 100/s}, duration: 10s}
        """;
    assertThat(growth(phases)).isEqualTo(new DatabaseGrowth((5_000 + 10) * 200, 200, true));
  }

  @Test
  void all_shards_together_have_the_free_space() {
    assertThat(
            growth(
                "operation: put\nrequests: 100\nload: {clients: 4}",
                Duration.ZERO,
                new Shard(1, 4)))
        .isEqualTo(new DatabaseGrowth(100 * 200, 200, true));
  }

  @Test
  void a_search_is_assumed_to_send_as_much_in_its_time() {
    assertThat(
            growth(
                "mix: {put: 1, get: 1}\nduration: 2s\nload: {rate: 50/s}", Duration.ofMinutes(3)))
        .isEqualTo(new DatabaseGrowth((50 + 90_000) * 200, 200, false));
  }

  @Test
  void without_a_quota_nothing_is_refused_and_that_is_said() {
    ServerProtocol.Space unknown = new ServerProtocol.Space(500_000_000, 0);
    DatabaseGrowth growth = new DatabaseGrowth(1_000_000_000_000L, 1380, true);
    assertThat(growth.obstacle(unknown)).isEmpty();
    assertThat(growth.text(unknown))
        .endsWith("1.0 TB; it does not report its quota, so how much is free is unknown");
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
