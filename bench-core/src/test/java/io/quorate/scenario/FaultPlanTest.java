// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.scenario.FaultPlan.Injection;
import io.quorate.scenario.FaultPlan.Kind;
import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Maintenance;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultPlanTest {
  private static final String YAML =
      """
      title: Faults
      mix: {put: 1, get: 1}
      keys: {size: 64, count: 200, distribution: uniform}
      values: {size: 64}
      load: {rate: 100/s, connections: 6}
      databases: [etcd, zookeeper]
      faults: {inject: [kill-leader, pause-leader 30s], times: 5}
      """;

  private static Scenario read(String text, double scale) {
    return ScenarioReader.read("f.yaml", text, scale);
  }

  private static List<String> problems(String text) {
    try {
      read(text, 1);
      return List.of();
    } catch (InvalidScenarioException invalid) {
      return invalid.problems().stream()
          .map(each -> "found " + each.found() + ", expected " + each.expected())
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "kill-leader, kill-leader, 10",
    "kill-leader 10s, kill-leader, 10",
    "pause-leader, pause-leader, 5",
    "pause-leader 30s, pause-leader 30s, 30",
    "rolling-restart, rolling-restart, 20",
    "isolate-leader, isolate-leader, 10",
    "isolate-leader-reset 30s, isolate-leader-reset 30s, 30",
    "reset-leader, reset-leader, 5"
  })
  void a_fault_has_its_usual_length_or_another_one(String text, String shown, int seconds) {
    Kind kind = Kind.parse(text).orElseThrow();
    assertThat(kind).hasToString(shown);
    assertThat(kind.length()).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(Kind.parse(shown)).hasValue(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "kill",
        "kill-leader 0s",
        "kill-leader 5",
        "kill-leader 1000s",
        "kill-leader5s"
      })
  void other_texts_are_no_faults(String text) {
    assertThat(Kind.parse(text)).isEmpty();
    assertThatThrownBy(() -> Kind.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void each_fault_is_injected_once_in_a_random_order_and_then_all_again() {
    FaultPlan plan = read(YAML, 1).faults().orElseThrow();
    List<Injection> injections = plan.injections(7);
    assertThat(injections).hasSize(10).isEqualTo(plan.injections(7));
    assertThat(injections).extracting(Injection::number).startsWith(1, 2, 3);
    for (int round = 0; round < 5; round++) {
      assertThat(injections.subList(2 * round, 2 * round + 2))
          .extracting(Injection::kind)
          .containsExactlyInAnyOrderElementsOf(plan.kinds());
    }
    for (int i = 1; i < injections.size(); i++) {
      Injection before = injections.get(i - 1);
      assertThat(injections.get(i).at().minus(before.endOfSlot()))
          .isBetween(Duration.ofSeconds(5), Duration.ofMillis(7_999));
    }
    assertThat(plan.injections(8)).isNotEqualTo(injections);
  }

  @Test
  void the_faults_determine_the_length_of_the_load_and_a_scale_their_number() {
    Scenario whole = read(YAML, 1);
    assertThat(whole.faults().orElseThrow().length()).isEqualTo(Duration.ofSeconds(5 * (30 + 50)));
    assertThat(whole.databases().get(0).steps().get(0).requests()).isEqualTo(40_000);
    Scenario part = read(YAML, 0.2);
    assertThat(part.faults().orElseThrow().times()).isEqualTo(1);
    assertThat(part.databases().get(0).steps().get(0).requests()).isEqualTo(8_000);
    assertThat(read(YAML, 0.01).faults().orElseThrow().times()).isEqualTo(1);
  }

  @Test
  void a_scenario_chooses_how_long_effects_are_measured() {
    Scenario scenario = read(YAML.replace("times: 5", "times: 1, recovery: 3s"), 1);
    assertThat(scenario.faults().orElseThrow().recovery()).isEqualTo(Duration.ofSeconds(3));
    assertThat(scenario.faults().orElseThrow().length())
        .isEqualTo(Duration.ofSeconds(8 + 10 + 3 + 8 + 30 + 3));
    assertThat(problems(YAML.replace("times: 5", "recovery: 0s")))
        .containsExactly("found '0s', expected a duration from 1s to 999s, such as 12s");
  }

  @Test
  void a_scenario_chooses_the_time_before_faults() {
    FaultPlan usual = read(YAML, 1).faults().orElseThrow();
    assertThat(usual.quiet()).isEqualTo(Duration.ofSeconds(5));
    assertThat(usual.jitter()).isEqualTo(Duration.ofSeconds(3));
    String soon =
        YAML.replace(
            "kill-leader, pause-leader 30s], times: 5",
            "kill-leader], times: 3, quiet: 1s, jitter: 0s, recovery: 4s");
    FaultPlan plan = read(soon, 1).faults().orElseThrow();
    assertThat(plan.injections(7))
        .extracting(Injection::at)
        .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(16), Duration.ofSeconds(31));
    assertThat(plan.length()).isEqualTo(Duration.ofSeconds(45));
    assertThat(plan.scaled(0.4).injections(7)).isEqualTo(plan.injections(7).subList(0, 1));
    assertThat(read(soon.replace("jitter: 0s", "jitter: 9s"), 1).faults().orElseThrow().length())
        .isEqualTo(Duration.ofSeconds(72));
    assertThat(problems(YAML.replace("times: 5", "quiet: 0s, jitter: 500ms")))
        .containsExactly(
            "found '0s', expected a duration from 1s to 999s, such as 5s",
            "found '500ms', expected a duration from 0s to 999s, such as 3s");
  }

  @Test
  void a_staggered_restart_needs_five_members() {
    String staggered = YAML.replace("kill-leader,", "stale-diff,");
    assertThat(problems(staggered))
        .containsExactly("found the fault 'stale-diff' of 3 members, expected members: 5");
    assertThat(problems(staggered + "members: 3\n"))
        .containsExactly("found 3, expected at least 5 with stale-diff");
    assertThat(problems(staggered + "members: 5\n")).isEmpty();
  }

  @Test
  void an_upgrade_begins_with_an_older_version_and_happens_once() {
    String upgrade =
        YAML.replace(
            "inject: [kill-leader, pause-leader 30s], times: 5",
            "inject: [rolling-upgrade], times: 1");
    assertThat(problems(upgrade))
        .containsExactly(
            "found the fault 'rolling-upgrade' of etcd, expected an older version, such as"
                + " etcd@3.5.35",
            "found the fault 'rolling-upgrade' of zookeeper, expected an older version, such as"
                + " zookeeper@3.5.10");
    assertThat(problems(upgrade.replace("[etcd, zookeeper]", "[zetcd]")).get(0))
        .contains("faults of zetcd");
    String older = upgrade.replace("[etcd, zookeeper]", "[etcd@3.6.16, zookeeper@3.8.6]");
    assertThat(problems(older)).isEmpty();
    assertThat(problems(older.replace("times: 1", "times: 2")))
        .contains("found the fault 'rolling-upgrade' 2 times, expected times: 1");
  }

  @Test
  void maintenance_is_done_by_stores_that_have_a_request_for_it() {
    String backup = YAML.replace("kill-leader, pause-leader 30s", "snapshot, defragment");
    assertThat(problems(backup))
        .containsExactly(
            "found the maintenance 'defragment' of zookeeper, expected etcd or consul: it has no"
                + " request for it",
            "found the maintenance 'snapshot' of zookeeper, expected etcd or consul: only the admin"
                + " server of ZooKeeper 3.9 and newer has a request for it, and the servers of"
                + " Quorate run without it");
    assertThat(problems(backup.replace("[etcd, zookeeper]", "[etcd, consul]")))
        .containsExactly("found the maintenance 'defragment' of consul, expected one of snapshot");
    FaultPlan plan = read(backup.replace("[etcd, zookeeper]", "[etcd]"), 1).faults().orElseThrow();
    assertThat(plan.maintenance()).containsExactly(Maintenance.DEFRAGMENT, Maintenance.SNAPSHOT);
    assertThat(read(YAML, 1).faults().orElseThrow().maintenance()).isEmpty();
    assertThat(problems(backup.replace("[etcd, zookeeper]", "[memory]")).get(0))
        .contains("faults of memory");
  }

  @Test
  void a_cell_of_a_matrix_goes_without_maintenance_that_only_another_store_does() {
    String text =
        YAML.replace("kill-leader, pause-leader 30s", "compact, snapshot, kill-leader, restore")
                .replace("[etcd, zookeeper]", "[etcd, zookeeper, consul]")
            + "matrix: {axes: {variant: {a: {values: {size: 65}}}}}\n";

    assertThat(
            ScenarioReader.readMatrix("f.yaml", text, 1, List.of(), OptionalInt.empty())
                .orElseThrow()
                .cells())
        .extracting(cell -> cell.scenario().faults().orElseThrow().kinds().toString())
        .containsExactly(
            "[compact, snapshot, kill-leader, restore]",
            "[kill-leader, restore]",
            "[snapshot, kill-leader, restore]");
    assertThatThrownBy(
            () ->
                ScenarioReader.readMatrix(
                    "f.yaml",
                    text.replace("[etcd, zookeeper, consul]", "[zookeeper]"),
                    1,
                    List.of(),
                    OptionalInt.empty()))
        .hasMessageContaining("found the maintenance 'compact' of zookeeper");
  }

  @Test
  void a_member_is_added_where_all_members_are_processes_of_this_machine() {
    String joins = YAML.replace("pause-leader 30s", "add-member");
    assertThat(problems(joins)).isEmpty();
    assertThat(problems(joins.replace("etcd,", "zetcd,")).get(0)).contains("faults of zetcd");
    FaultPlan.Kind kind = read(joins, 1).faults().orElseThrow().kinds().get(1);
    assertThat(kind).hasToString("add-member");
    assertThat(kind.length()).isEqualTo(Duration.ofSeconds(30));
    assertThat(kind.fault().isMaintenance()).isTrue();
    assertThat(problems(joins + "agents: [10.0.0.1:7000, 10.0.0.2:7000, 10.0.0.3:7000]\n"))
        .containsExactly(
            "found the fault 'add-member' with agents, expected members on this machine");
    assertThat(problems(joins + "topology: mn-mz\n"))
        .containsExactly(
            "found the maintenance 'add-member' with a topology, expected one of them: a further"
                + " server has neither relay nor upgrade");
    assertThat(problems(joins.replace("kill-leader", "slow-leader")).get(0))
        .contains("'add-member' with faults of the network");
    assertThat(problems(joins.replace("kill-leader", "rolling-upgrade")).toString())
        .contains("'add-member' with 'rolling-upgrade'");
  }

  @Test
  void a_disk_that_can_lose_power_has_neither_a_page_cache_nor_a_relay() {
    String cuts = YAML.replace("kill-leader", "power-cut-all");
    assertThat(problems(cuts)).isEmpty();
    assertThat(problems(cuts.replace("pause-leader 30s", "kill-all-cold")))
        .containsExactly(
            "found the fault 'kill-all-cold' with 'power-cut-all', expected one of them: the files"
                + " of a disk that can lose power stay in memory");
    assertThat(problems(cuts + "topology: mn-mz\n"))
        .containsExactly(
            "found a topology with 'power-cut-all', expected one of them: the relay does not know"
                + " the members whose disks can lose power");
    assertThat(problems(cuts.replace("power-cut-all", "disk-full-follower, slow-leader")).get(0))
        .contains("faults of the network with 'disk-full-follower'");
  }

  @Test
  void certificates_are_replaced_if_there_are_some() {
    String renewal = YAML.replace("pause-leader 30s", "reload-certificates");
    String expected =
        "found the maintenance 'reload-certificates' without TLS, expected security: tls";
    assertThat(problems(renewal)).containsExactly(expected);
    assertThat(problems(renewal + "security: none\n")).containsExactly(expected);
    assertThat(problems(renewal + "security: tls\n")).isEmpty();
    assertThat(
            read(renewal + "security: tls\n", 1)
                .faults()
                .orElseThrow()
                .first(Fault::needsOwnMembers))
        .contains(Fault.RELOAD_CERTIFICATES);
    assertThat(read(YAML, 1).faults().orElseThrow().first(Fault::needsOwnMembers)).isEmpty();
  }

  @Test
  void a_relay_is_needed_only_for_faults_of_the_network() {
    assertThat(read(YAML, 1).faults().orElseThrow().disturbsNetwork()).isFalse();
    String slow = YAML.replace("kill-leader", "slow-leader");
    assertThat(read(slow, 1).faults().orElseThrow().disturbsNetwork()).isTrue();
    assertThat(problems(slow + "topology: mn-mz\n")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"slow-leader", "slow-fsync", "blocked-log", "disk-full-follower"})
  void the_network_disks_and_logs_of_agents_are_not_impaired(String fault) {
    String yaml = YAML.replace("kill-leader", fault);
    assertThat(problems(yaml)).isEmpty();
    assertThat(problems(yaml + "agents: [10.0.0.1:7000, 10.0.0.2:7000, 10.0.0.3:7000]\n"))
        .containsExactly(
            "found the fault '" + fault + "' with agents, expected members on this machine");
  }

  @Test
  void sessions_and_watches_have_a_usual_number_or_another_one() {
    FaultPlan usual = read(YAML, 1).faults().orElseThrow();
    assertThat(usual.sessions()).isEqualTo(30);
    assertThat(usual.watches()).isEqualTo(30);
    FaultPlan many =
        read(YAML.replace("times: 5", "times: 5, sessions: 1_000, watches: 0"), 0.2)
            .faults()
            .orElseThrow();
    assertThat(many.sessions()).isEqualTo(1_000);
    assertThat(many.watches()).isZero();
    assertThat(problems(YAML.replace("times: 5", "sessions: 10_001")).get(0))
        .contains("expected a whole number from 0 to 10_000");
  }

  @Test
  void one_member_can_be_killed_and_asked_for_a_snapshot() {
    assertThat(Fault.KILL_ALL_COLD.needsNoOthers()).isTrue();
    assertThat(Fault.SNAPSHOT.needsNoOthers()).isTrue();
    assertThat(Fault.KILL_FOLLOWER_COLD.needsNoOthers()).isFalse();
    assertThat(Fault.ROLLING_RESTART.needsNoOthers()).isFalse();
  }

  @Test
  void what_does_not_go_with_faults_is_refused() {
    assertThat(problems(YAML)).isEmpty();
    assertThat(problems(YAML.replace("kill-leader,", "kill-laeder,")))
        .singleElement()
        .asString()
        .contains("found 'kill-laeder', expected one of kill-leader, kill-follower")
        .contains("did you mean 'kill-leader'?");
    assertThat(problems(YAML.replace("pause-leader 30s", "transfer-leader")).toString())
        .contains("found the fault 'transfer-leader' of zookeeper, expected etcd or consul: ");
    assertThat(problems(YAML.replace("pause-leader 30s", "kill-leader")))
        .containsExactly("found the fault 'kill-leader' again, expected each fault once");
    assertThat(problems(YAML + "duration: 30s\n").get(0))
        .contains("the key 'duration' with faults");
    assertThat(problems(YAML.replace("etcd,", "zetcd,")).get(0)).contains("faults of zetcd");
    assertThat(problems(YAML.replace("etcd,", "memory,")).get(0)).contains("faults of memory");
    assertThat(problems(YAML.replace("etcd,", "kine,")).get(0)).contains("faults of kine");
    assertThat(problems(YAML.replace("etcd,", "clickhouse-keeper,")).get(0))
        .contains("faults of clickhouse-keeper");
    assertThat(problems(YAML + "members: 1\n").get(0)).contains("at least 3 with faults");
    assertThat(problems(YAML.replace("get: 1", "compare-and-set: 1")).toString())
        .contains("with faults, expected put, or a mix of put with get, delete or txn");
    assertThat(problems(YAML.replace("values: {size: 64}", "values: {size: 4}")).get(0))
        .contains("at least 6 with faults");
    assertThat(problems(YAML.replace("rate: 100/s", "rates: [100/s, 200/s]")).get(0))
        .contains("faults with 2 steps");
    for (int count : new int[] {0, 101, 1000}) {
      assertThat(problems(YAML.replace("kill-leader, pause-leader 30s", pauses(count))))
          .containsExactly(
              "found a list of %s, expected a list of 1 to 100 faults, such as [kill-leader, pause-leader 30s]"
                  .formatted(count == 1000 ? "1_000" : "" + count));
    }
    assertThat(problems(YAML.replace("kill-leader, pause-leader 30s", pauses(100)))).isEmpty();
    assertThat(problems(YAML.replace("inject: [kill-leader, pause-leader 30s], ", "")).get(0))
        .contains("inject");
  }

  private static String pauses(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj("pause-leader %ds"::formatted)
        .collect(Collectors.joining(", "));
  }
}
