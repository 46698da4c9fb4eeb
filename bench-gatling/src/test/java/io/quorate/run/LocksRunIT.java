// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.LockRecord;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Locks on real servers of one member each. */
@RequiresDatabase({"etcd", "consul"})
class LocksRunIT extends RecipeRun {
  @Test
  void a_lock_is_handed_over_in_the_order_of_its_queue_and_has_one_holder() throws Exception {
    List<String> databases = NightlyRun.stores(ALL, "etcd");
    String output =
        run(
            """
            operation: lock
            requests: 120
            keys: {size: 16, count: 2}
            load: {clients: 8}
            """,
            databases);
    for (String database : databases) {
      List<LockRecord> locks = locks(database);
      assertThat(locks).hasSize(120);
      assertThat(locks).extracting(LockRecord::client).containsOnly(0, 1, 2, 3, 4, 5, 6, 7);
      for (int lock = 0; lock < 2; lock++) {
        int number = lock;
        List<LockRecord> ofLock = locks.stream().filter(each -> each.lock() == number).toList();
        assertThat(ofLock).hasSize(60);
        assertThat(ofLock).extracting(LockRecord::token).isSorted().doesNotHaveDuplicates();
        for (int i = 1; i < ofLock.size(); i++) {
          assertThat(ofLock.get(i).heldNanos())
              .isGreaterThanOrEqualTo(ofLock.get(i - 1).endedNanos());
        }
      }
    }
    assertThat(output)
        .containsPattern("fairness +1.00")
        .containsPattern("two holders( +0){%d}\n".formatted(databases.size()))
        .doesNotContain("believed");
    assertThat(Files.readString(onlyRun().resolve("index.html"))).contains("Locks and sessions");
  }

  @Nightly
  @Test
  void the_locks_of_client_libraries_have_one_holder() throws Exception {
    run(
        """
        operation: lock
        requests: 60
        keys: {size: 16, count: 1}
        load: {clients: 4}
        """,
        ALL,
        "{etcd: {client: jetcd}, zookeeper: {client: curator}, consul: {client: library}}");
    for (String database : ALL) {
      List<LockRecord> locks = locks(database);
      assertThat(locks).hasSize(60).noneMatch(LockRecord::lost);
      for (int i = 1; i < locks.size(); i++) {
        assertThat(locks.get(i).heldNanos()).isGreaterThanOrEqualTo(locks.get(i - 1).endedNanos());
      }
    }
  }

  @Test
  void two_holders_are_counted_if_one_is_paused_beyond_its_ttl() throws Exception {
    assertThatTwoHoldersAreCounted("ttl: 2s, hold: 10ms, pause-every: 4, pause: 6s", "etcd");
  }

  @Test
  @Nightly // the smaller one: two_holders_are_counted_if_one_is_paused_beyond_its_ttl
  void two_holders_are_counted_after_long_pauses() throws Exception {
    assertThatTwoHoldersAreCounted(
        "ttl: 4s, hold: 10ms, pause-every: 4, pause: 9s", "etcd", "zookeeper");
  }

  private void assertThatTwoHoldersAreCounted(String sessions, String... stores) throws Exception {
    List<String> databases = List.of(stores);
    String output =
        run(
            """
            operation: lock
            requests: 8
            keys: {size: 16, count: 1}
            sessions: {%s}
            load: {clients: 2}
            """
                .formatted(sessions),
            databases);
    for (String database : databases) {
      List<LockRecord> locks = locks(database);
      List<LockRecord> paused =
          locks.stream()
              .filter(each -> each.end().equals(Optional.of(LockRecord.End.PAUSED)))
              .toList();
      assertThat(paused).isNotEmpty().allMatch(LockRecord::lost);
      assertThat(
              locks.stream()
                  .filter(each -> each != paused.get(0))
                  .filter(each -> paused.get(0).overlapNanos(each) > 0))
          .as(locks.toString())
          .isNotEmpty();
    }
    assertThat(output)
        .containsPattern("etcd: two clients believed \\d+ times? that they held the same lock");
  }
}
