// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.measure.EventCounts;
import io.quorate.results.SessionRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Elections, registrations and expirations on real servers of one member each. */
@RequiresDatabase({"etcd", "consul"})
class SessionsRunIT extends RecipeRun {
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
      List<SessionRecord> sessions = SessionRecord.FILE.read(read(database).directory());
      assertThat(sessions).hasSize(5);
      assertThat(sessions).noneMatch(SessionRecord::endedEarly);
      assertThat(sessions).allMatch(each -> each.overshootNanos().isPresent());
    }
    assertThat(output)
        .containsPattern("\nexpected +0.0 to 1.0 s ")
        .containsPattern("\nended early +0 ")
        .containsPattern("\nend not seen +0 ");
  }

  @Test
  void sessions_expire_while_clients_write() throws Exception {
    run(
        """
        mix: {put: 9, expire: 1}
        duration: 4s
        keys: {size: 16, count: 100, distribution: uniform}
        values: {size: 32}
        sessions: {ttl: 4s}
        load: {rate: 50/s, connections: 2, max-in-flight: 1_000}
        """,
        List.of("etcd"));
    assertThat(SessionRecord.FILE.read(read("etcd").directory()))
        .isNotEmpty()
        .allMatch(each -> each.overshootNanos().isPresent());
  }
}
