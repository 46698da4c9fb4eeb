// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines are in the form of logs of real servers. */
class LogRuleTest {
  private static Optional<Duration> length(Store store, String line) {
    ServerLog log = Stores.servers(store).kinds().get(0).log();
    LogEvent event = log.event(line).orElseThrow();
    return log.rules().stream()
        .filter(rule -> rule.matches(event.text()))
        .findFirst()
        .map(rule -> rule.length(event));
  }

  private static Optional<Duration> ofEtcd(String fields) {
    return length(
        EtcdStore.STORE, "{\"level\":\"warn\",\"ts\":\"2026-11-25T16:36:38.200Z\"," + fields + "}");
  }

  @Test
  void etcd_says_how_long_a_slow_request_or_write_took() {
    assertThat(
            ofEtcd(
                "\"msg\":\"apply request took too"
                    + " long\",\"took\":\"106.29ms\",\"expected-duration\":\"100ms\""))
        .contains(Duration.ofNanos(106_290_000));
    assertThat(ofEtcd("\"msg\":\"slow fdatasync\",\"took\":\"1.5s\",\"expected-duration\":\"1s\""))
        .contains(Duration.ofMillis(1_500));
    assertThat(
            ofEtcd(
                "\"msg\":\"apply request took too long\",\"took\":\"1m2s\",\"error\":\"etcdserver:"
                    + " (x) failed\""))
        .contains(Duration.ofSeconds(62));
    assertThat(
            ofEtcd(
                "\"msg\":\"leader failed to send out heartbeat on time; took too long, leader is"
                    + " overloaded likely from slow"
                    + " disk\",\"heartbeat-interval\":\"100ms\",\"exceeded-duration\":\"35.5ms\""))
        .contains(Duration.ofNanos(35_500_000));
    assertThat(
            ofEtcd(
                "\"msg\":\"waiting for ReadIndex response took too long,"
                    + " retrying\",\"retry-timeout\":\"500ms\""))
        .contains(Duration.ZERO);
  }

  @Test
  void zookeeper_says_how_long_a_sync_or_pause_took() {
    assertThat(
            length(
                ZooKeeperStore.STORE,
                "2026-11-25T16:36:38.200Z WARN  [SyncThread:1] FileTxnLog: fsync-ing the write"
                    + " ahead log in SyncThread:1 took 1234ms which will adversely effect operation"
                    + " latency. File size is 67108880 bytes. See the ZooKeeper troubleshooting"
                    + " guide"))
        .contains(Duration.ofMillis(1_234));
    assertThat(
            length(
                ZooKeeperStore.STORE,
                "2026-11-25T16:36:38.200Z WARN  [JvmPauseMonitor] JvmPauseMonitor: Detected pause"
                    + " in JVM or host machine (eg GC): pause of approximately 345 ms, total pause:"
                    + " info level: 0, warn level: 1 "))
        .contains(Duration.ofMillis(345));
  }

  @Test
  void a_collection_of_zookeepers_jvm_is_an_event_if_it_stops_it_for_10_ms_or_more() {
    String line =
        "[2026-11-26T19:00:00.123+0000] GC(3) Pause Young (Normal) (G1 Evacuation Pause)"
            + " 24M->4M(64M) ";
    assertThat(length(ZooKeeperStore.STORE, line + "12.345ms"))
        .contains(Duration.ofNanos(12_345_000));
    assertThat(length(ZooKeeperStore.STORE, line + "1012.345ms"))
        .contains(Duration.ofNanos(1_012_345_000));
    assertThat(length(ZooKeeperStore.STORE, line + "9.999ms")).isEmpty();
    assertThat(
            length(
                ZooKeeperStore.STORE,
                "[2026-11-26T19:00:00.123+0000] GC(4) Concurrent Mark Cycle 112.345ms"))
        .isEmpty();
    ServerLog log = Stores.servers(ZooKeeperStore.STORE).kinds().get(0).log();
    assertThat(log.event(line + "12.345ms"))
        .contains(
            new LogEvent(
                LogEvent.Severity.INFO,
                Optional.of(Instant.parse("2026-11-26T19:00:00.123Z")),
                "GC(3) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(64M) 12.345ms",
                false));
    assertThat(log.event("[2026-11-26T19:00:00.123+0000] Using G1")).isEmpty();
  }

  @Test
  void consul_says_how_long_it_has_not_heard_of_a_server() {
    assertThat(
            length(
                ConsulStore.STORE,
                "2026-11-25T16:36:38.200Z [WARN]  agent.server.raft: failed to contact:"
                    + " server-id=13caf9ee time=2.507s"))
        .contains(Duration.ofMillis(2_507));
  }

  @ParameterizedTest
  @CsvSource({
    "etcd, slow fdatasync (1.2s), LOG_SYNC",
    "etcd, apply request took too long (106.29ms), APPLY",
    "etcd, leader failed to send out heartbeat on time; took too long (35.5ms), MEMBER",
    "etcd, lost TCP streaming connection with remote peer: EOF, NETWORK",
    "etcd, etcdserver: mvcc: database space exceeded, LIMIT",
    "etcd, alarm raised,",
    "etcd@3.5.35, triggering snapshot, SNAPSHOT",
    "zetcd, lost leader, LEADER_CHANGE",
    "zookeeper, FileTxnLog: fsync-ing the write ahead log in SyncThread:1 took 1234ms, LOG_SYNC",
    "zookeeper, Detected pause in JVM or host machine (eg GC): approximately 345 ms, JVM_PAUSE",
    "zookeeper, GC(3) Pause Full (System.gc()) 24M->4M(64M) 12.345ms, SERVER_GC",
    "zookeeper, QuorumPeer: LEADING - LEADER ELECTION TOOK - 12 MS, LEADER_CHANGE",
    "zookeeper, Learner: Exception when following the leader, NETWORK",
    "zookeeper, Shutdown called,",
    "consul, agent.server.raft: failed to contact: server-id=13caf9ee time=2.507s, NETWORK",
    "consul, agent.server.raft: heartbeat timeout reached, LEADER_CHANGE",
    "consul, agent.server.raft: starting snapshot up to: index=16384, SNAPSHOT"
  })
  void a_message_names_the_cause_of_stalls(String store, String text, StallCause cause) {
    assertThat(
            Stores.servers(Stores.byId(store).orElseThrow()).logRules().stream()
                .filter(rule -> rule.matches(text))
                .findFirst()
                .orElseThrow()
                .cause())
        .isEqualTo(Optional.ofNullable(cause));
  }

  @ParameterizedTest
  @CsvSource({
    "1h2m3.5s,3723500000000",
    "250µs,250000",
    "250us,250000",
    "7ns,7",
    "0s,0",
    "1.5ms,1500000"
  })
  void durations_are_read_as_go_writes_them(String text, long nanos) {
    assertThat(LogRule.goDuration(text)).contains(Duration.ofNanos(nanos));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "ms", "1.ms", "-1s", "1s ", "1d", "9999999999s"})
  void other_texts_are_no_durations(String text) {
    assertThat(LogRule.goDuration(text)).isEmpty();
  }

  @Test
  void an_implausible_length_is_none() {
    LogEvent event =
        new LogEvent(LogEvent.Severity.INFO, Optional.empty(), "took 99999999999 ms", false);
    assertThat(LogRule.trouble("took (?<ms>\\d+) ms").length(event)).isZero();
    assertThat(LogRule.trouble("took").length(event)).isZero();
    assertThat(LogRule.trouble("absent (?<ms>\\d+)").length(event)).isZero();
  }
}
