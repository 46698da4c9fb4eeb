// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.Waiting;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.LockRecord;
import io.quorate.results.SessionRecord;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations of sessions on real servers of one member each. */
@RequiresDatabase({"etcd", "consul"})
@Waiting
class SessionsRunIT {
  private static final List<String> ALL = List.of("etcd", "zookeeper", "consul");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void a_lock_is_handed_over_in_the_order_of_its_queue_and_has_one_holder() throws Exception {
    String output =
        run(
            """
            operation: lock
            requests: 300
            keys: {size: 16, count: 2}
            load: {clients: 8}
            """,
            ALL);
    for (String database : ALL) {
      List<LockRecord> locks = locks(database);
      assertThat(locks).hasSize(300);
      assertThat(locks).extracting(LockRecord::client).containsOnly(0, 1, 2, 3, 4, 5, 6, 7);
      for (int lock = 0; lock < 2; lock++) {
        int number = lock;
        List<LockRecord> ofLock = locks.stream().filter(each -> each.lock() == number).toList();
        assertThat(ofLock).hasSize(150);
        assertThat(ofLock).extracting(LockRecord::token).isSorted().doesNotHaveDuplicates();
        for (int i = 1; i < ofLock.size(); i++) {
          assertThat(ofLock.get(i).heldNanos())
              .isGreaterThanOrEqualTo(ofLock.get(i - 1).endedNanos());
        }
      }
    }
    assertThat(output).contains("fairness 1.00", "two holders 0").doesNotContain("believed");
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
        "{etcd: {client: jetcd}, zookeeper: {client: curator-recipes}, consul: {client: library}}");
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

  @Test
  void a_leader_is_followed_by_another_one_and_all_observers_are_told() throws Exception {
    List<String> databases = NightlyRun.stores(ALL, "zookeeper");
    run(
        """
        operation: elect
        requests: 12
        keys: {size: 16, count: 1}
        values: {size: 16}
        sessions: {hold: 20ms, ttl: 10s}
        watch: {watchers: 10, streams: 2}
        load: {clients: 3}
        """,
        databases);
    for (String database : databases) {
      assertThat(locks(database)).hasSize(12);
      EventCounts counts = read(database).watches().get(0).counts();
      assertThat(counts.expected()).isEqualTo(120);
      assertThat(counts.lost()).isZero();
    }
  }

  @Test
  void no_registration_is_lost() throws Exception {
    List<String> databases = NightlyRun.stores(ALL, "etcd");
    run(
        """
        operation: register
        requests: 200
        keys: {size: 16}
        sessions: {ttl: 10s}
        watch: {watchers: 10, streams: 2}
        load: {clients: 5}
        """,
        databases);
    for (String database : databases) {
      EventCounts counts = read(database).watches().get(0).counts();
      assertThat(counts.expected()).isEqualTo(2_000);
      assertThat(counts.lost()).as(database + counts).isZero();
      if (!database.equals("consul")) {
        assertThat(counts.delivered()).isEqualTo(2_000);
      }
    }
  }

  @Test
  void abandoned_sessions_end_after_their_ttl() throws Exception {
    assertThatSessionsEnd("4s", List.of("etcd", "zookeeper"));
  }

  @Test
  @Nightly // the smaller one: abandoned_sessions_end_after_their_ttl
  void abandoned_sessions_of_all_stores_end_after_their_ttl() throws Exception {
    assertThatSessionsEnd("10s", ALL);
  }

  private void assertThatSessionsEnd(String ttl, List<String> databases) throws Exception {
    String output =
        run(
            """
            operation: expire
            requests: 5
            keys: {size: 16, count: 1}
            sessions: {ttl: %s}
            load: {clients: 5}
            """
                .formatted(ttl),
            databases);
    for (String database : databases) {
      List<SessionRecord> sessions = SessionRecord.read(read(database).directory());
      assertThat(sessions).hasSize(5);
      assertThat(sessions).noneMatch(SessionRecord::endedEarly);
      assertThat(sessions).allMatch(each -> each.overshootNanos().isPresent());
    }
    assertThat(output).contains("expected 0.0 to 1.0 s; ended early 0; end not seen 0");
  }

  @Test
  void sessions_expire_while_clients_write() throws Exception {
    run(
        """
        mix: {put: 9, expire: 1}
        duration: 4s
        keys: {size: 16, count: 100, order: uniform}
        values: {size: 32}
        sessions: {ttl: 4s}
        load: {rate: 50/s, connections: 2, outstanding: 1_000}
        """,
        List.of("etcd"));
    assertThat(SessionRecord.read(read("etcd").directory()))
        .isNotEmpty()
        .allMatch(each -> each.overshootNanos().isPresent());
  }

  private String run(String scenario, List<String> databases) throws IOException {
    return run(scenario, databases, databases.toString());
  }

  private String run(String scenario, List<String> databases, String columns) throws IOException {
    Files.writeString(
        directory.resolve("sessions.yaml"),
        "title: Sessions\nmembers: 1\ntimeout: 60s\ndatabases: %s\n%s"
            .formatted(columns, scenario));
    InProcessRun run =
        InProcessRun.run(
            directory,
            "run",
            "sessions.yaml",
            "--database",
            String.join(",", databases),
            "--results",
            "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run.output();
  }

  private List<LockRecord> locks(String database) throws IOException {
    return LockRecord.read(read(database).directory()).stream()
        .sorted(Comparator.comparingLong(LockRecord::heldNanos))
        .toList();
  }

  private DatabaseRun read(String database) throws IOException {
    DatabaseRun run = DatabaseRun.read(onlyRun().resolve(database));
    assertThat(run.manifest().status()).isEqualTo(RunStatus.COMPLETE);
    return run;
  }

  private Path onlyRun() throws IOException {
    return onlyEntry(onlyEntry(directory.resolve("results")));
  }

  private static Path onlyEntry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }
}
