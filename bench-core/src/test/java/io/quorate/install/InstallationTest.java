// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Script;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.keeper.ClickHouseKeeperStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.Program;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
  private static final String MISSING =
      "etcd is not installed: run ./quorate install etcd (or put etcd on PATH, or set"
          + " QUORATE_ETCD)";

  @TempDir Path home;
  private final Map<String, String> environment = new HashMap<>();

  @Test
  void etcd_that_is_nowhere_is_an_obstacle_which_says_what_to_do() {
    assertThat(installation().find(EtcdServers.ETCD)).isEmpty();
    assertThat(installation().obstacle(EtcdStore.STORE)).contains(MISSING);
    assertThat(installation().obstacle(EtcdStore.STORE)).isPresent();
    assertThatThrownBy(() -> installation().require(EtcdServers.ETCD))
        .isInstanceOf(QuorateException.class)
        .hasMessage(MISSING);
  }

  @Test
  void a_shim_without_its_etcd_cannot_be_run() {
    script(".cache/quorate/zetcd/0.0.5/zetcd");
    assertThat(installation().find(ZetcdStore.ZETCD)).isPresent();
    assertThat(installation().obstacle(ZetcdStore.STORE)).contains(MISSING);
    script(".cache/quorate/etcd/3.7.3/etcd");
    assertThat(installation().obstacle(ZetcdStore.STORE)).isEmpty();
    assertThat(installation().obstacle(CetcdStore.STORE))
        .contains(
            "cetcd is missing: Quorate cannot install it; build it from "
                + "https://github.com/etcd-io/cetcd, then put it on PATH or set QUORATE_CETCD");
    environment.put("QUORATE_CETCD", script("mine/cetcd").toString());
    assertThat(installation().obstacle(CetcdStore.STORE)).isEmpty();
  }

  @Test
  void servers_that_are_never_started_are_an_obstacle_even_if_their_program_is_here() {
    script("bin/kine");
    environment.put("PATH", home.resolve("bin").toString());
    assertThat(installation().obstacle(ClickHouseKeeperStore.STORE))
        .contains(
            "Quorate does not start ClickHouse Keeper. Start it, for example with"
                + " 'clickhouse-keeper --config /etc/clickhouse-keeper/keeper_config.xml', and"
                + " pass its address with --endpoints HOST:PORT");
  }

  @Test
  void zookeeper_and_the_map_are_always_there() {
    assertThat(installation().obstacle(ZooKeeperStore.STORE)).isEmpty();
    assertThat(installation().obstacle(MemoryStore.STORE)).isEmpty();
  }

  @Test
  void the_variable_comes_before_the_cache_and_the_cache_before_PATH() {
    Path onPath = script("usr/bin/etcd");
    environment.put("PATH", "relative:" + home.resolve("empty") + ":" + onPath.getParent());
    assertThat(installation().find(EtcdServers.ETCD))
        .contains(new Installation.Found(onPath, Installation.Source.PATH));

    Path cached = script(".cache/quorate/etcd/3.7.3/etcd");
    assertThat(installation().find(EtcdServers.ETCD))
        .contains(new Installation.Found(cached, Installation.Source.CACHE));

    Path explicit = script("mine/etcd");
    environment.put("QUORATE_ETCD", explicit.toString());
    assertThat(installation().find(EtcdServers.ETCD))
        .contains(new Installation.Found(explicit, Installation.Source.VARIABLE));
  }

  @Test
  void a_program_of_the_user_is_asked_for_its_version_and_a_release_is_not() {
    String answer = "echo 'etcd Version: 3.5.9'\n";
    Program own = EtcdServers.ETCD.inVersion("mine");
    Script.write(home.resolve(".cache/quorate/etcd/mine/etcd"), answer);
    script(".cache/quorate/etcd/3.7.3/etcd");
    assertThat(installation().version(own)).isEqualTo("3.5.9");
    assertThat(installation().version(EtcdServers.ETCD)).isEqualTo("3.7.3");

    environment.put("QUORATE_ETCD", Script.write(home.resolve("etcd"), answer).toString());
    assertThat(installation().version(EtcdServers.ETCD)).isEqualTo("3.5.9");
  }

  @Test
  void a_variable_that_names_nothing_executable_is_an_error_and_not_passed_over() throws Exception {
    Path plain = Files.writeString(home.resolve("etcd"), "not executable");
    script(".cache/quorate/etcd/3.7.3/etcd");
    environment.put("QUORATE_ETCD", plain.toString());
    assertThatThrownBy(() -> installation().find(EtcdServers.ETCD))
        .isInstanceOf(QuorateException.class)
        .hasMessage("QUORATE_ETCD=" + plain + ": there is no executable file of that name");
  }

  @Test
  void the_cache_is_where_the_environment_wants_it() {
    assertThat(installation().cache()).isEqualTo(home.resolve(".cache/quorate"));
    environment.put("XDG_CACHE_HOME", "not/absolute");
    assertThat(installation().cache()).isEqualTo(home.resolve(".cache/quorate"));
    environment.put("XDG_CACHE_HOME", "/caches");
    assertThat(installation().cache()).isEqualTo(Path.of("/caches/quorate"));
    environment.put("QUORATE_CACHE", "/own");
    assertThat(installation().cache()).isEqualTo(Path.of("/own"));
  }

  private Path script(String path) {
    return Script.write(home.resolve(path), "exit 0\n");
  }

  private Installation installation() {
    return new Installation(environment, home, JavaRuntime.of(System.getProperties()));
  }
}
