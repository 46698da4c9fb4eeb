// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which settings servers may be given, and what becomes of them. */
class ServerSettingsTest {
  @Test
  void every_store_declares_its_settings() {
    assertThat(ids(EtcdStore.STORE))
        .containsExactly(
            "snapshot-count",
            "snapshot-catchup-entries",
            "quota-backend-bytes",
            "max-request-bytes",
            "heartbeat-interval",
            "election-timeout",
            "auto-compaction-period",
            "auto-compaction-revisions",
            "compaction-batch-limit",
            "compaction-sleep-interval",
            "backend-batch-interval",
            "backend-batch-limit",
            "backend-bbolt-freelist-type",
            "max-concurrent-streams",
            "unsafe-no-fsync");
    assertThat(ids(ZooKeeperStore.STORE))
        .containsExactly(
            "heap",
            "tickTime",
            "initLimit",
            "syncLimit",
            "snapCount",
            "jute.maxbuffer",
            "preAllocSize",
            "fsync-warning-threshold",
            "maxClientCnxns",
            "globalOutstandingLimit",
            "commitProcessor.numWorkerThreads",
            "collector",
            "metricsProvider",
            "forceSync");
    assertThat(ids(ConsulStore.STORE))
        .containsExactly(
            "raft_multiplier",
            "raft_snapshot_threshold",
            "raft_trailing_logs",
            "raft_snapshot_interval",
            "segment_size_mb",
            "kv_max_value_size",
            "http_max_conns_per_client",
            "raft_logstore.backend");
    assertThat(ids(ZetcdStore.STORE)).isEqualTo(ids(EtcdStore.STORE));
    assertThat(ids(MemoryStore.STORE)).isEmpty();
  }

  private static List<String> ids(Store store) {
    return Stores.servers(store).settings().stream().map(Setting::id).toList();
  }

  @Test
  void nothing_but_digits_of_a_number_reaches_a_command_line() {
    for (Store store : Stores.all()) {
      for (Setting setting : Stores.servers(store).settings()) {
        if (setting.kind() == Setting.Kind.NAME) {
          continue;
        }
        long value = setting.most();
        String number = String.join(" ", setting.rendered(value)).replaceAll("[^0-9]", "");
        assertThat(setting.allows(value)).as(setting.id()).isTrue();
        assertThat(number).as(setting.id()).matches("(" + value + ")+|" + value / 1024);
      }
    }
  }

  @Test
  void a_setting_with_names_takes_and_shows_only_these() {
    ServerSettings settings =
        Stores.servers(EtcdStore.STORE).choose(Map.of("backend-bbolt-freelist-type", 0L));
    Setting type = settings.values().keySet().iterator().next();
    assertThat(type.parse("map")).contains(1L);
    assertThat(type.parse("1")).isEmpty();
    assertThat(type.parse("array --data-dir=/")).isEmpty();
    assertThat(type.expected()).isEqualTo("one of array, map");
    assertThat(settings).hasToString("backend-bbolt-freelist-type array");
    assertThat(settings.rendered(Stores.servers(EtcdStore.STORE).settings()))
        .contains("--backend-bbolt-freelist-type=array");
  }

  @Test
  void settings_that_lose_acknowledged_writes_say_so() {
    ServerSettings unsafe =
        Stores.servers(EtcdStore.STORE).choose(Map.of("unsafe-no-fsync", 1L, "snapshot-count", 9L));
    assertThat(unsafe.unsafe()).containsExactly("unsafe-no-fsync true");
    assertThat(unsafe.toString())
        .contains("unsafe-no-fsync true")
        .endsWith(" (a power cut loses acknowledged writes)");
    assertThat(Stores.servers(ZooKeeperStore.STORE).choose(Map.of("forceSync", 1L)))
        .hasToString("forceSync no (a power cut loses acknowledged writes)");
    assertThat(Stores.servers(ZooKeeperStore.STORE).choose(Map.of("forceSync", 0L)))
        .hasToString("forceSync yes");
  }

  @Test
  void a_value_is_shown_as_a_scenario_may_say_it() {
    assertThat(Setting.Kind.COUNT.text(100_000)).isEqualTo("100000");
    assertThat(Setting.Kind.BYTES.text(33_554_432)).isEqualTo("32MiB");
    assertThat(Setting.Kind.BYTES.text(8_000_000_000L)).isEqualTo("8GB");
    assertThat(Setting.Kind.BYTES.text(1023)).isEqualTo("1023");
    assertThat(Setting.Kind.MILLIS.text(500)).isEqualTo("500ms");
    assertThat(Setting.Kind.MILLIS.text(90_000)).isEqualTo("90s");
    assertThat(Setting.Kind.MILLIS.text(3_600_000)).isEqualTo("1h");
  }

  @Test
  void servers_get_what_was_chosen_and_else_the_defaults_of_ours() {
    Store etcd = EtcdStore.STORE;
    assertThat(ServerSettings.NONE.rendered(Stores.servers(etcd).settings()))
        .containsExactly("--quota-backend-bytes=8589934592");
    Map<String, Long> chosen = new LinkedHashMap<>();
    chosen.put("auto-compaction-revisions", 1000L);
    chosen.put("quota-backend-bytes", 8_000_000_000L);
    ServerSettings settings = Stores.servers(etcd).choose(chosen);
    assertThat(settings.rendered(Stores.servers(etcd).settings()))
        .containsExactly(
            "--quota-backend-bytes=8000000000",
            "--auto-compaction-mode=revision",
            "--auto-compaction-retention=1000");
    assertThat(settings).hasToString("auto-compaction-revisions 1000, quota-backend-bytes 8GB");
  }

  @Test
  void what_a_store_does_not_declare_is_refused_all_at_once() {
    Map<String, Long> chosen = new LinkedHashMap<>();
    chosen.put("snapshot-cuont", 1L);
    chosen.put("data-dir", 1L);
    chosen.put("heartbeat-interval", 0L);
    assertThatThrownBy(() -> Stores.servers(EtcdStore.STORE).choose(chosen))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("setting 'snapshot-cuont' of etcd: expected one of")
        .hasMessageContaining("did you mean 'snapshot-count'?")
        .hasMessageContaining("setting 'data-dir' of etcd")
        .hasMessageContaining(
            "setting heartbeat-interval: found 0, expected a duration from 1ms to 10s, such as"
                + " 500ms or 5s");
    assertThatThrownBy(
            () -> Stores.servers(EtcdStore.STORE).choose(Map.of("heartbeat-interval", 500L)))
        .hasMessage(
            "setting heartbeat-interval: found election-timeout 1s with heartbeat-interval 500ms,"
                + " expected an election timeout of at least five heartbeats, without which etcd"
                + " does not start");
    assertThatThrownBy(
            () -> Stores.servers(ZooKeeperStore.STORE).choose(Map.of("preAllocSize", 65_537L)))
        .hasMessage(
            "setting preAllocSize: found 65537, expected a size in whole KiB from 1KiB to 1GiB,"
                + " such as 64MiB");
  }
}
