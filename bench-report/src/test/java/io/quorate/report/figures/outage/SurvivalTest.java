// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.FaultRecord;
import io.quorate.results.LockRecord;
import io.quorate.results.SessionRecord;
import io.quorate.results.WatchedWrite;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurvivalTest {
  private static final long MS = 1_000_000;
  private static final long TTL_MS = 10_000;

  /** A fault from 100 s to 130 s. */
  private static final FaultRecord FAULT =
      new FaultRecord(
          1,
          FaultPlan.Kind.parse("kill-leader").orElseThrow(),
          List.of("etcd-2"),
          0,
          100_000 * MS,
          110_000 * MS,
          130_000 * MS,
          Optional.of("etcd-2"),
          Optional.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  private final List<SessionRecord> sessions = new ArrayList<>();
  private final List<LockRecord> locks = new ArrayList<>();
  private final List<WatchedWrite> writes = new ArrayList<>();

  private Survival survival() {
    return new Survival.Records(sessions, locks, writes).of(List.of(FAULT));
  }

  private void session(long openedMs, long renewedMs, long abandonedMs, long endedMs) {
    sessions.add(
        new SessionRecord(
            sessions.size() + 1,
            "id",
            "etcd-1",
            TTL_MS * MS,
            openedMs * MS,
            renewedMs * MS,
            abandonedMs == 0 ? OptionalLong.empty() : OptionalLong.of(abandonedMs * MS),
            OptionalLong.empty(),
            endedMs == 0 ? OptionalLong.empty() : OptionalLong.of(endedMs * MS),
            abandonedMs == 0 && endedMs > 0 ? Optional.of("expired") : Optional.empty(),
            OptionalInt.empty(),
            renewedMs * MS));
  }

  private void held(int lock, int client, long fromMs, long untilMs) {
    locks.add(
        new LockRecord(lock, client, locks.size(), fromMs * MS, fromMs * MS, untilMs * MS, false));
  }

  private void write(
      long sentMs,
      long acknowledgedMs,
      boolean everyChange,
      int received,
      int passed,
      int repeated,
      int reordered,
      long lastMs) {
    writes.add(
        new WatchedWrite(
            0,
            writes.size() + 1,
            sentMs * MS,
            acknowledgedMs == 0 ? OptionalLong.empty() : OptionalLong.of(acknowledgedMs * MS),
            everyChange,
            10,
            received,
            passed,
            repeated,
            reordered,
            lastMs == 0 ? OptionalLong.empty() : OptionalLong.of(lastMs * MS)));
  }

  @Test
  void a_session_that_is_kept_alive_survives_and_others_do_not_count() {
    session(0, 200_000, 0, 0);
    session(0, 99_000, 0, 90_000); // had ended before
    session(0, 80_000, 80_000, 95_000); // its client had stopped
    session(105_000, 200_000, 0, 0); // was opened later
    session(0, 200_000, 150_000, 165_000); // stops at a later fault
    Survival found = survival();
    assertThat(found.sessions()).isEqualTo(2);
    assertThat(found.alive()).isEqualTo(2);
    assertThat(found.endedEarly()).isZero();
    assertThat(found.ttlMs()).hasValue(10_000);
  }

  @Test
  void an_expiration_is_false_if_a_keep_alive_was_acknowledged_within_the_ttl_before() {
    session(0, 102_000, 0, 105_000);
    session(0, 99_000, 0, 109_001); // its client could not keep it alive in time
    session(0, 102_000, 0, 131_000); // after the fault
    Survival found = survival();
    assertThat(found.sessions()).isEqualTo(3);
    assertThat(found.alive()).isEqualTo(1);
    assertThat(found.endedEarly()).isEqualTo(1);
  }

  @Test
  void a_late_acknowledgment_does_not_make_an_end_early() {
    session(0, 102_000, 0, 111_500);
    SessionRecord late = sessions.remove(0);
    sessions.add(
        new SessionRecord(
            late.number(),
            late.id(),
            late.member(),
            late.ttlNanos(),
            late.openedNanos(),
            late.renewedNanos(),
            late.abandonedNanos(),
            late.heldNanos(),
            late.endedNanos(),
            late.lost(),
            late.step(),
            101_000 * MS));
    assertThat(survival().endedEarly()).isZero();
  }

  @Test
  void the_overshoot_begins_with_the_last_acknowledged_keep_alive_and_the_ttl() {
    session(0, 98_000, 100_000, 112_500);
    session(0, 99_000, 100_000, 110_000);
    session(0, 99_000, 100_000, 0);
    session(0, 99_000, 100_000, 108_000); // 1 s too early
    Survival found = survival();
    assertThat(found.overshootMs()).containsExactly(-1_000.0, 1_000.0, 4_500.0);
    assertThat(found.notEnded()).isEqualTo(1);
    assertThat(found.endedEarly()).isEqualTo(1);
    assertThat(found.sessions()).isZero();
  }

  @Test
  void two_holders_of_a_lock_at_once_are_found_and_those_of_different_locks_are_not() {
    held(0, 0, 101_000, 102_000);
    held(0, 3, 101_700, 102_700);
    held(0, 0, 102_700, 103_700); // begins when the other ends
    held(1, 1, 101_000, 110_000);
    held(2, 2, 101_500, 109_000);
    held(1, 4, 140_000, 141_000);
    held(1, 1, 140_500, 141_500); // after the fault
    Survival found = survival();
    assertThat(found.holders()).isEqualTo(1);
    assertThat(found.longestHoldersMs()).hasValue(300);
    assertThat(new Survival.Records(sessions, locks, writes).ofRun().holders()).isEqualTo(2);
  }

  @Test
  void events_are_lost_repeated_reordered_or_late() {
    write(100_000, 100_010, true, 10, 0, 0, 0, 100_020);
    write(100_100, 100_110, true, 9, 1, 0, 0, 100_120); // a later event does not replace it
    write(100_200, 100_210, true, 10, 0, 2, 0, 105_210);
    write(100_300, 100_310, true, 10, 0, 0, 1, 100_305); // before the acknowledgment
    write(100_400, 0, true, 0, 0, 0, 0, 0); // may not have been carried out
    write(131_000, 131_010, true, 0, 0, 0, 0, 0); // after the fault
    Survival found = survival();
    assertThat(found.writes()).isEqualTo(4);
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.repeated()).isEqualTo(2);
    assertThat(found.reordered()).isEqualTo(1);
    assertThat(found.latestMs()).hasValue(5_000);
  }

  @Test
  void a_store_that_promises_the_latest_change_may_leave_out_others() {
    write(100_000, 100_010, false, 2, 8, 0, 0, 100_200);
    write(100_100, 100_110, false, 8, 0, 0, 0, 100_200); // the last one
    assertThat(survival().lost()).isEqualTo(2);
  }

  @Test
  void without_clients_nothing_is_measured() {
    Survival found = survival();
    assertThat(found.ttlMs()).isEmpty();
    assertThat(found.latestMs()).isEmpty();
    assertThat(found.longestHoldersMs()).isEmpty();
    assertThat(new Survival.Records(sessions, locks, writes).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "etcd, kill-follower, 0.0 to 1.0 s",
    "etcd, kill-leader, 0.0 to 7.8 s",
    "zookeeper, kill-follower, 0.0 to 3.5 s",
    "zookeeper, kill-leader, 0.0 to 9.3 s",
    "consul, kill-follower, 0.0 to 10.5 s",
    "consul, kill-leader, 0.0 to 16.3 s"
  })
  void the_expected_overshoot_follows_from_the_settings(String store, String fault, String range) {
    ServerInfo servers =
        new ServerInfo(
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(
            ExpectedOutage.overshoot(
                new StoreInfo(store, store, servers, Map.of()),
                FaultPlan.Kind.parse(fault).orElseThrow(),
                TTL_MS))
        .hasValueSatisfying(expected -> assertThat(expected.text()).isEqualTo(range));
  }
}
