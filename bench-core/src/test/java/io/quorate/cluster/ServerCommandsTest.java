// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulServers;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.server.MemberKeys;
import io.quorate.store.server.Program;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperServers;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the commands that start servers. */
class ServerCommandsTest {
  @TempDir Path directory;

  @Test
  void servers_whose_log_can_be_blocked_log_every_request() throws IOException {
    for (boolean piped : new boolean[] {false, true}) {
      Files.deleteIfExists(directory.resolve("consul.json"));
      ServerPlan etcd = plan(EtcdStore.STORE, 1, List.of(11, 12), ServerSettings.NONE, piped);
      assertThat(new EtcdServers.Launcher(Path.of("/e"), "3.7.3").command(etcd, List.of(etcd)))
          .contains("--log-level", piped ? "debug" : "warn");
      ServerPlan consul =
          plan(ConsulStore.STORE, 1, List.of(11, 12, 13), ServerSettings.NONE, piped);
      new ConsulServers.Launcher(Path.of("/c")).command(consul, List.of(consul));
      assertThat(directory.resolve("consul.json"))
          .content()
          .contains("\"log_level\" : \"" + (piped ? "DEBUG" : "WARN") + "\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "snapshot-catchup-entries, 500, snapshot-catchup-entries=500",
    "compaction-batch-limit, 200, compaction-batch-limit=200",
    "compaction-sleep-interval, 5, compaction-sleep-interval=5ms"
  })
  void options_of_etcd_that_are_experiments_in_3_5(String setting, long value, String option)
      throws IOException {
    ServerPlan plan =
        plan(
            EtcdStore.STORE,
            1,
            List.of(11, 12),
            Stores.servers(EtcdStore.STORE).choose(Map.of(setting, value)),
            false);
    Path etcd = Path.of("/bin/etcd");
    assertThat(new EtcdServers.Launcher(etcd, "3.6.16").command(plan, List.of(plan)))
        .contains("--" + option);
    assertThat(new EtcdServers.Launcher(etcd, "3.5.35").command(plan, List.of(plan)))
        .contains("--experimental-" + option)
        .doesNotContain("--" + option);
  }

  @Test
  void the_first_releases_of_etcd_3_5_know_no_least_version_of_tls() throws IOException {
    Path keys = directory.resolve("keys");
    ServerPlan plain = plan(EtcdStore.STORE, 1, List.of(11, 12));
    ServerPlan etcd =
        new ServerPlan(
            plain.kind(),
            1,
            plain.address(),
            directory,
            plain.log(),
            Optional.empty(),
            ServerSettings.NONE,
            Optional.of(new MemberKeys(keys, keys, keys, Login.NONE, "any")),
            plain.clientHost(),
            plain.peerHost(),
            false);
    for (String version : List.of("3.5.0", "3.5.7", "3.5.8", "3.5.35", "3.7.3", "mine")) {
      assertThat(new EtcdServers.Launcher(Path.of("/e"), version).command(etcd, List.of(etcd)))
          .as(version)
          .containsOnlyOnce("--cert-file")
          .matches(
              all -> all.contains("--tls-min-version") != version.matches("3.5.[07]"), version);
    }
  }

  @Test
  void a_server_joins_a_cluster_that_exists() throws IOException {
    List<ServerPlan> etcd =
        List.of(
            plan(EtcdStore.STORE, 1, List.of(11, 12)), plan(EtcdStore.STORE, 4, List.of(41, 42)));
    EtcdServers.Launcher launcher = new EtcdServers.Launcher(Path.of("/bin/etcd"), "3.7.3");
    String everybody = "etcd-1=http://127.0.2.1:12,etcd-4=http://127.0.2.1:42";
    assertThat(launcher.joinCommand(etcd.get(1), etcd))
        .containsSubsequence("--initial-cluster", everybody, "--initial-cluster-state", "existing");
    assertThat(launcher.command(etcd.get(1), etcd))
        .containsSubsequence("--initial-cluster", everybody, "--initial-cluster-state", "new");

    List<ServerPlan> consul =
        List.of(
            plan(ConsulStore.STORE, 1, List.of(11, 12, 13)),
            plan(ConsulStore.STORE, 4, List.of(41, 42, 43)));
    new ConsulServers.Launcher(Path.of("/bin/consul")).joinCommand(consul.get(1), consul);
    assertThat(directory.resolve("consul.json"))
        .content()
        .contains("127.0.2.1:13", "127.0.2.1:43")
        .doesNotContain("bootstrap_expect");

    List<ServerPlan> zookeeper =
        List.of(
            plan(ZooKeeperStore.STORE, 1, List.of(11, 12, 13)),
            plan(ZooKeeperStore.STORE, 4, List.of(41, 42, 43)));
    new ZooKeeperServers.Launcher(Path.of("/bin/java"), "")
        .joinCommand(zookeeper.get(1), zookeeper);
    assertThat(directory.resolve("zoo.cfg"))
        .content()
        .contains(
            "server.1=zookeeper-1\\:12\\:13\n",
            "server.4=zookeeper-4\\:42\\:43\\:observer\n",
            "peerType=observer\n");
    assertThat(directory.resolve("hosts"))
        .content()
        .contains("127.0.2.1 zookeeper-1\n", "127.0.0.1 zookeeper-4\n");
  }

  @Test
  void consul_gets_a_file_of_settings() throws IOException {
    List<ServerPlan> peers =
        List.of(
            plan(ConsulStore.STORE, 1, List.of(11, 12, 13)),
            plan(ConsulStore.STORE, 2, List.of(21, 22, 23)),
            plan(ConsulStore.STORE, 3, List.of(31, 32, 33)));
    ConsulServers.Launcher launcher = new ConsulServers.Launcher(Path.of("/bin/consul"));
    Path file = directory.resolve("consul.json");
    assertThat(launcher.command(peers.get(1), peers))
        .containsExactly("/bin/consul", "agent", "-config-file=" + file);
    ObjectMapper json = new ObjectMapper();
    assertThat(json.readTree(file.toFile()))
        .isEqualTo(
            json.readTree(
                """
                {
                  "node_name": "consul-2",
                  "server": true,
                  "bootstrap_expect": 3,
                  "bind_addr": "127.0.0.1",
                  "advertise_addr": "127.0.2.1",
                  "client_addr": "127.0.0.1",
                  "ports": {
                    "http": 21, "server": 22, "serf_lan": 23,
                    "serf_wan": -1, "dns": -1, "grpc": -1, "grpc_tls": -1
                  },
                  "retry_join": ["127.0.2.1:13", "127.0.2.1:23", "127.0.2.1:33"],
                  "retry_interval": "1s",
                  "connect": {"enabled": false},
                  "performance": {"raft_multiplier": 1},
                  "limits": {"http_max_conns_per_client": -1},
                  "autopilot": {"cleanup_dead_servers": false},
                  "disable_update_check": true,
                  "telemetry": {"prometheus_retention_time": "60s", "disable_hostname": true},
                  "log_level": "WARN",
                  "data_dir": "%s"
                }
                """
                    .formatted(directory)));
    Map<String, String> environment =
        new HashMap<>(Map.of("CONSUL_HTTP_ADDR", "x", "PATH", "/bin"));
    launcher.clean(environment);
    assertThat(environment).containsOnlyKeys("PATH");
  }

  @Test
  void a_shim_gets_one_endpoint_of_etcd() throws IOException {
    ServerPlan zetcd = plan(ZetcdStore.STORE, 2, List.of(2181));
    assertThat(launcher(ZetcdStore.STORE).command(zetcd, List.of(zetcd)))
        .containsExactly(
            "/bin/zetcd",
            "--logtostderr",
            "--zkaddr",
            "127.0.0.1:2181",
            "--endpoints",
            "127.0.0.1:2379");
    ServerPlan cetcd = plan(CetcdStore.STORE, 2, List.of(8500));
    assertThat(launcher(CetcdStore.STORE).command(cetcd, List.of(cetcd)))
        .containsExactly(
            "/bin/cetcd", "-consuladdr", "127.0.0.1:8500", "-etcd", "http://127.0.0.1:2379");
  }

  private static ServerLauncher launcher(Store store) {
    return Stores.servers(store)
        .kinds()
        .get(0)
        .launcher()
        .apply(
            new ProgramLocator() {
              @Override
              public Path require(Program program) {
                return Path.of("/bin", program.id());
              }

              @Override
              public JavaRuntime java() {
                return new JavaRuntime(Path.of("/bin/java"), "");
              }
            });
  }

  private ServerPlan plan(Store store, int index, List<Integer> ports) {
    return plan(store, index, ports, ServerSettings.NONE, false);
  }

  private ServerPlan plan(
      Store store, int index, List<Integer> ports, ServerSettings settings, boolean piped) {
    return new ServerPlan(
        Stores.servers(store).kinds().get(0),
        index,
        new MemberAddress("127.0.0.1", ports),
        directory,
        directory.resolve("log"),
        Optional.of(new Endpoint("127.0.0.1", 2379)),
        settings,
        Optional.empty(),
        "127.0.0.1",
        "127.0.2.1",
        piped);
  }
}
