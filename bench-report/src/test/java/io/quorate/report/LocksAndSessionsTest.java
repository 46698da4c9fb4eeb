// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Colors;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Headline;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.LockRecord;
import io.quorate.results.SessionRecord;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report about a run whose clients took locks or abandoned sessions. */
class LocksAndSessionsTest {
  private static final long MS = 1_000_000;
  private static final long TTL_MS = 10_000;

  @TempDir Path results;

  private static SessionRecord endedLateBy(long overshootMillis) {
    return session(OptionalLong.of((100 + TTL_MS + overshootMillis) * MS));
  }

  private static SessionRecord notSeenToEnd() {
    return session(OptionalLong.empty());
  }

  private static SessionRecord session(OptionalLong end) {
    return new SessionRecord(
        1,
        "123",
        "etcd-1",
        TTL_MS * MS,
        0,
        100 * MS,
        OptionalLong.of(200 * MS),
        OptionalLong.empty(),
        end,
        Optional.empty(),
        OptionalInt.of(1),
        99 * MS);
  }

  @Test
  void the_first_sentences_say_how_late_sessions_of_dead_clients_ended() {
    GoldenRun run = new GoldenRun(results, "etcd", "consul");
    SessionRecord.FILE.append(
        etcd(run), List.of(endedLateBy(300), endedLateBy(400), endedLateBy(700)));
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .containsSequence(
            "                    etcd, 10 clients",
            "sessions                           3",
            "TTL                           10.0 s",
            "ended late by, p50            400 ms",
            "p99                           700 ms",
            "longest                       700 ms",
            "expected                0.0 to 1.0 s",
            "ended early                        0",
            "end not seen                       0",
            "ends per second                    5");
    run.writeWithoutPlots();
    assertThat(run.read("index.html").replace('\u00a0', ' '))
        .contains(
            "Sessions of dead clients ended later than their TTL by: etcd p50 400 ms, longest 700"
                + " ms");
  }

  @Test
  void sessions_that_were_not_seen_to_end_are_in_the_first_sentences() {
    GoldenRun run = new GoldenRun(results, "etcd", "consul");
    SessionRecord.FILE.append(etcd(run), List.of(endedLateBy(300), notSeenToEnd(), notSeenToEnd()));
    SessionRecord.FILE.append(
        run.directory().createDatabase("consul"), List.of(notSeenToEnd(), notSeenToEnd()));
    assertThat(
            String.join(
                " ", Headline.sentences(RunFigures.of(ExperimentRun.read(run.directory().path())))))
        .contains(
            "by: etcd p50 300 ms, longest 300 ms (expected 0.0 to 1.0 s), 2 of 3 not seen to end;"
                + " Consul 2 of 2 not seen to end.");
  }

  private static DatabaseDirectory etcd(GoldenRun run) {
    return new DatabaseDirectory(run.directory().path().resolve("etcd"));
  }

  private static LockRecord lock(
      int lock, int client, long requestedMs, long heldMs, long endedMs, LockRecord.End... end) {
    return new LockRecord(
        lock,
        client,
        heldMs,
        requestedMs * MS,
        heldMs * MS,
        endedMs * MS,
        false,
        OptionalInt.of(1),
        OptionalInt.of(client),
        Arrays.stream(end).findFirst());
  }

  /** Writes a run of etcd with five locks, one of which two clients held. */
  static GoldenRun locked(Path results) {
    GoldenRun run = new GoldenRun(results, "etcd");
    LockRecord.FILE.append(
        etcd(run),
        List.of(
            lock(0, 1, 0, 2, 10),
            lock(0, 2, 1, 14, 20, LockRecord.End.CRASHED),
            lock(0, 1, 12, 1_320, 1_330),
            lock(1, 3, 1, 2, 9),
            lock(1, 4, 0, 6, 8)));
    return run;
  }

  @Test
  void locks_are_counted_by_their_waits_hand_overs_and_holders() {
    GoldenRun run = locked(results);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .contains(
            "                      etcd, 10 clients",
            "locks held                           5",
            "wait p99                        1.31 s",
            "two holders        1, for up to 2.0 ms",
            "etcd: two clients believed 1 time that they held the same lock.");
  }
}
