// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunEvent;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines are from logs of real servers. */
class ServerEventsTest {
  @TempDir Path directory;

  private List<RunEvent> events(
      String database, String log, String from, String to, String... lines) throws IOException {
    Path logs = Files.createDirectories(directory.resolve(database).resolve("logs"));
    Files.write(logs.resolve(log), List.of(lines));
    return ServerEvents.of(
        Stores.byId(database).orElseThrow(),
        new DatabaseDirectory(directory.resolve(database)),
        List.of(new ServerEvents.StepTime(1, nanos(from), nanos(to))));
  }

  private static long nanos(String time) {
    Instant instant = Instant.parse(time);
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
  }

  @Test
  void an_election_of_etcd_is_an_event_of_the_member_that_won_it() throws IOException {
    assertThat(
            events(
                "etcd",
                "etcd-1.log",
                "2026-11-25T16:31:10Z",
                "2026-11-25T16:32:00Z",
                "{\"level\":\"info\",\"ts\":\"2026-11-25T16:31:09.500000Z\",\"logger\":\"raft\",\"msg\":\"8e9e05c52164694d became leader at term 2\"}",
                "{\"level\":\"info\",\"ts\":\"2026-11-25T16:31:34.500000Z\",\"logger\":\"raft\",\"msg\":\"8e9e05c52164694d became leader at term 3\"}",
                "{\"level\":\"info\",\"ts\":\"2026-11-25T16:31:35.500000Z\",\"msg\":\"compacted Raft logs\"}"))
        .containsExactly(
            new RunEvent(
                RunEvent.Kind.LEADER_CHANGE,
                "etcd-1",
                1,
                nanos("2026-11-25T16:31:34.5Z"),
                nanos("2026-11-25T16:31:34.5Z"),
                0,
                "8e9e05c52164694d became leader at term 3"));
  }

  @Test
  void warnings_of_one_rule_that_follow_each_other_within_a_second_are_one_event()
      throws IOException {
    String dropped =
        "{\"level\":\"warn\",\"ts\":\"2026-11-25T16:36:%s\",\"msg\":\"dropped internal Raft message since sending buffer is full\"}";
    assertThat(
            events(
                "etcd",
                "etcd-2.log",
                "2026-11-25T16:36:00Z",
                "2026-11-25T16:37:00Z",
                "not read, as there is no etcd-1.log"))
        .isEmpty();
    assertThat(
            events(
                "etcd",
                "etcd-1.log",
                "2026-11-25T16:36:00Z",
                "2026-11-25T16:37:00Z",
                dropped.formatted("38.200Z"),
                dropped.formatted("38.900Z"),
                dropped.formatted("39.800Z"),
                dropped.formatted("41.000Z")))
        .extracting(RunEvent::startUnixNanos, RunEvent::endUnixNanos)
        .containsExactly(
            tuple(nanos("2026-11-25T16:36:38.2Z"), nanos("2026-11-25T16:36:39.8Z")),
            tuple(nanos("2026-11-25T16:36:41Z"), nanos("2026-11-25T16:36:41Z")));
  }

  @Test
  void an_event_begins_its_length_before_it_was_logged_and_overlapping_ones_are_one()
      throws IOException {
    String slow =
        "{\"level\":\"warn\",\"ts\":\"2026-11-25T16:36:%s\",\"caller\":\"txn/util.go:93\",\"msg\":\"apply request took too long\",\"took\":\"%s\",\"expected-duration\":\"100ms\"}";
    assertThat(
            events(
                "etcd",
                "etcd-1.log",
                "2026-11-25T16:36:00Z",
                "2026-11-25T16:37:00Z",
                slow.formatted("38.200Z", "200ms"),
                slow.formatted("38.900Z", "800.5ms"),
                slow.formatted("39.000Z", "1s"),
                slow.formatted("41.000Z", "120ms")))
        .extracting(RunEvent::startUnixNanos, RunEvent::endUnixNanos, RunEvent::text)
        .containsExactly(
            tuple(
                nanos("2026-11-25T16:36:38Z"),
                nanos("2026-11-25T16:36:39Z"),
                "apply request took too long (200ms)"),
            tuple(
                nanos("2026-11-25T16:36:40.88Z"),
                nanos("2026-11-25T16:36:41Z"),
                "apply request took too long (120ms)"));
  }

  @Test
  void each_collection_that_stops_zookeeper_for_a_while_is_an_event() throws IOException {
    assertThat(
            events(
                "zookeeper",
                "zookeeper-1.log",
                "2026-11-26T19:00:00Z",
                "2026-11-26T19:01:00Z",
                "[2026-11-26T18:59:59.000+0000] Using G1",
                "[2026-11-26T19:00:01.100+0000] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(64M) 25.000ms",
                "[2026-11-26T19:00:01.200+0000] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(64M) 3.000ms",
                "[2026-11-26T19:00:01.300+0000] GC(2) Pause Full (System.gc()) 24M->4M(64M) 100.000ms"))
        .extracting(RunEvent::kind, RunEvent::startUnixNanos, RunEvent::endUnixNanos)
        .containsExactly(
            tuple(
                RunEvent.Kind.SERVER_LOG,
                nanos("2026-11-26T19:00:01.075Z"),
                nanos("2026-11-26T19:00:01.1Z")),
            tuple(
                RunEvent.Kind.SERVER_LOG,
                nanos("2026-11-26T19:00:01.2Z"),
                nanos("2026-11-26T19:00:01.3Z")));
  }

  @Test
  void a_server_that_logs_control_characters_cannot_change_a_terminal() throws IOException {
    assertThat(
            events(
                "etcd",
                "etcd-1.log",
                "2026-11-25T16:36:00Z",
                "2026-11-25T16:37:00Z",
                "{\"level\":\"warn\",\"ts\":\"2026-11-25T16:36:38Z\",\"msg\":\"\\u001b[2J lost leader\"}"))
        .singleElement()
        .satisfies(event -> assertThat(event.text()).doesNotContain("\u001b"));
  }
}
