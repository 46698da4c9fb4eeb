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
    assertThat(
            events(
                "etcd",
                "etcd-2.log",
                "2026-11-25T16:36:00Z",
                "2026-11-25T16:37:00Z",
                "not read, as there is no etcd-1.log"))
        .isEmpty();
    String slow =
        "{\"level\":\"warn\",\"ts\":\"2026-11-25T16:36:%s\",\"caller\":\"txn/util.go:93\",\"msg\":\"apply request took too long\",\"took\":\"%sms\",\"expected-duration\":\"100ms\"}";
    assertThat(
            events(
                "etcd",
                "etcd-1.log",
                "2026-11-25T16:36:00Z",
                "2026-11-25T16:37:00Z",
                slow.formatted("38.200Z", "106.29"),
                slow.formatted("38.900Z", "107.10"),
                slow.formatted("39.800Z", "101.00"),
                slow.formatted("41.000Z", "120.00")))
        .extracting(RunEvent::startUnixNanos, RunEvent::endUnixNanos, RunEvent::text)
        .containsExactly(
            tuple(
                nanos("2026-11-25T16:36:38.2Z"),
                nanos("2026-11-25T16:36:39.8Z"),
                "apply request took too long (106.29ms)"),
            tuple(
                nanos("2026-11-25T16:36:41Z"),
                nanos("2026-11-25T16:36:41Z"),
                "apply request took too long (120.00ms)"));
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
