// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.DatabaseDirectory;
import io.quorate.results.SessionRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report about a run whose clients abandoned sessions. */
class AbandonedSessionsTest {
  private static final long MS = 1_000_000;
  private static final long TTL_MS = 10_000;

  @TempDir Path results;

  private static SessionRecord endedLateBy(long overshootMillis) {
    return new SessionRecord(
        1,
        "123",
        "etcd-1",
        TTL_MS * MS,
        0,
        100 * MS,
        OptionalLong.of(200 * MS),
        OptionalLong.empty(),
        OptionalLong.of((100 + TTL_MS + overshootMillis) * MS),
        Optional.empty(),
        OptionalInt.of(1),
        99 * MS);
  }

  @Test
  void the_first_sentences_say_how_late_sessions_of_dead_clients_ended() {
    GoldenRun run = new GoldenRun(results, "etcd", "consul");
    SessionRecord.append(
        new DatabaseDirectory(run.directory().path().resolve("etcd")),
        List.of(endedLateBy(300), endedLateBy(400), endedLateBy(700)));
    run.writeWithoutPlots();
    assertThat(run.read("index.html").replace('\u00a0', ' '))
        .contains(
            "Sessions of dead clients ended later than their TTL by: etcd p50 400 ms, longest 700"
                + " ms");
  }
}
