// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.install.Installation;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores of which a version is asked for. */
class VersionsOfStoresTest {
  @TempDir Path home;

  @Test
  void a_version_is_a_store_of_its_own_that_has_all_else_of_its_base() {
    assertThat(Stores.versions())
        .extracting(Store::id)
        .containsExactly(
            "etcd@3.7.3",
            "etcd@3.6.16",
            "etcd@3.6.8",
            "etcd@3.5.35",
            "zookeeper@3.9.5",
            "zookeeper@3.9.3",
            "zookeeper@3.8.6",
            "zookeeper@3.7.2",
            "zookeeper@3.6.4",
            "zookeeper@3.5.10",
            "consul@1.22.7",
            "consul@1.16.3");
    Store old = Stores.byId("etcd@3.5.35").orElseThrow();
    assertThat(old.base()).isSameAs(EtcdStore.STORE);
    assertThat(old.title()).isEqualTo("etcd 3.5.35");
    assertThat(old.version()).hasValue("3.5.35");
    assertThat(Stores.servers(old).settings())
        .isEqualTo(Stores.servers(EtcdStore.STORE).settings());
    assertThat(old.clientOption()).isEqualTo("etcd.client");
    assertThat(Stores.servers(old).kinds()).hasSize(1);
    assertThat(EtcdStore.STORE.version()).isEmpty();
  }

  @Test
  void etcd_has_any_version_and_own_programs() {
    for (String id : List.of("etcd@3.5.16", "etcd@9.9.9", "etcd@3.8.0-alpha.0", "etcd@mine")) {
      Store store = Stores.byId(id).orElseThrow();
      assertThat(store.id()).isEqualTo(id);
      assertThat(Stores.servers(store).store()).isEqualTo(store).isNotEqualTo(EtcdStore.STORE);
      assertThat(Stores.program(id).orElseThrow().name()).isEqualTo(id);
    }
    assertThat(Stores.program("etcd@mine").orElseThrow().isOwn()).isTrue();
    assertThat(Stores.program("etcd@mine").orElseThrow().variable()).isEqualTo("QUORATE_ETCD_MINE");
    assertThat(Stores.program("etcd@3.5.16").orElseThrow().isOwn()).isFalse();
    assertThat(Stores.program("zetcd@mine").orElseThrow().name()).isEqualTo("zetcd@mine");
    assertThat(Stores.servers(Stores.byId("zetcd@mine").orElseThrow()).programs())
        .extracting(Program::name)
        .containsExactly("etcd", "zetcd@mine");
    for (String id :
        List.of(
            "zetcd@0.0.4",
            "cetcd@mine",
            "etcd@",
            "etcd@3.5",
            "etcd@../x",
            "etcd@A",
            "consul@mine")) {
      assertThat(Stores.byId(id)).as(id).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "etcd@3.5.35, etcd",
    "etcd@3.5.16, etcd",
    "etcd@mine, etcd",
    "etcd@3.5.16, etcd@3.5.16",
    "etcd@mine, etcd@mine",
  })
  void a_version_has_the_settings_of_its_entry_or_of_its_store(String version, String entry) {
    String yaml =
        """
        title: Settings
        operation: put
        requests: 10
        keys: {size: 8}
        values: {size: 8}
        load: {clients: 1}
        databases: {%s: {settings: {snapshot-count: 500}}}
        """
            .formatted(entry);
    StoreLoad load =
        ScenarioReader.read("s.yaml", yaml, 1).requireLoad(Stores.byId(version).orElseThrow());
    assertThat(load.database().id()).isEqualTo(version);
    assertThat(load.settings().texts()).containsExactly(Map.entry("snapshot-count", "500"));
  }

  @ParameterizedTest
  @CsvSource({
    "etcd@3.5.0, true",
    "etcd@3.5.21, true",
    "etcd@3.10.1, true",
    "etcd@3.4.34, false",
    "consul@1.16.0, true",
    "consul@1.21.4, true",
    "consul@1.15.9, false",
    "zookeeper@3.9.4, false",
    "etcd@3.5, false",
    "etcd@3.5.0-rc.1, true",
  })
  void other_releases_of_etcd_and_Consul_can_be_named(String id, boolean known) {
    assertThat(Stores.byId(id).isPresent()).isEqualTo(known);
    assertThat(Stores.program(id).isPresent()).isEqualTo(known);
    Stores.byId(id).ifPresent(store -> assertThat(Stores.servers(store).store()).isEqualTo(store));
  }

  @Test
  void a_store_has_servers_if_its_members_consist_of_some() {
    assertThat(Stores.all())
        .allSatisfy(
            each ->
                assertThat(each.hasServers()).isEqualTo(!Stores.servers(each).kinds().isEmpty()));
  }

  @Test
  void another_version_is_found_where_it_was_installed_and_nowhere_else() throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    executable(bin.resolve("etcd"));
    Map<String, String> environment =
        Map.of("PATH", bin.toString(), "QUORATE_ETCD", bin.resolve("etcd").toString());
    Installation installation =
        new Installation(environment, home, new JavaRuntime(Path.of("java"), ""));
    Program old = Stores.program("etcd@3.5.35").orElseThrow();

    assertThat(installation.find(EtcdServers.ETCD)).isPresent();
    assertThatThrownBy(() -> installation.require(old))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "etcd@3.5.35 is not installed: run ./quorate install etcd@3.5.35 (or set"
                + " QUORATE_ETCD_3_5_35)");
    assertThat(installation.obstacle(Stores.byId("etcd@3.5.35").orElseThrow()))
        .hasValueSatisfying(why -> assertThat(why).startsWith("etcd@3.5.35 is not installed"));
    Path cached = home.resolve(".cache/quorate/etcd/3.5.35/etcd");
    Files.createDirectories(cached.getParent());
    executable(cached);
    assertThat(installation.require(old)).isEqualTo(cached);
    assertThat(Stores.program("etcd@3.7.3")).hasValue(EtcdServers.ETCD);
  }

  @Test
  void jars_of_another_version_are_found_by_the_one_with_the_main_class() throws IOException {
    Store old = Stores.byId("zookeeper@3.8.6").orElseThrow();
    Program jars = Stores.servers(old).programs().get(0);
    assertThat(Stores.servers(Stores.byId("zookeeper@3.9.5").orElseThrow()).programs()).isEmpty();
    assertThat(jars.variable()).isEqualTo("QUORATE_ZOOKEEPER_3_8_6");
    Installation none = new Installation(Map.of(), home, new JavaRuntime(Path.of("java"), ""));
    assertThat(none.obstacle(old))
        .hasValue(
            "zookeeper@3.8.6 is not installed: run ./quorate install zookeeper@3.8.6 (or set"
                + " QUORATE_ZOOKEEPER_3_8_6)");
    Path release = Files.createDirectories(home.resolve("apache-zookeeper-3.8.6-bin/lib"));
    Path jar = Files.createFile(release.resolve("zookeeper-3.8.6.jar"));
    Files.createFile(release.resolve("slf4j-api-2.0.13.jar"));
    Files.createFile(release.resolve("LICENSE.txt"));
    Installation given =
        new Installation(Map.of("QUORATE_ZOOKEEPER_3_8_6", jar.toString()), home, none.java());
    assertThat(given.require(jars)).isEqualTo(jar);
    assertThat(given.java().withJarsBeside(jar).classPath())
        .isEqualTo(release.resolve("slf4j-api-2.0.13.jar") + ":" + jar);
    Installation wrong =
        new Installation(Map.of("QUORATE_ZOOKEEPER_3_8_6", "/no/jar"), home, none.java());
    assertThatThrownBy(() -> wrong.require(jars))
        .hasMessage("QUORATE_ZOOKEEPER_3_8_6=/no/jar: there is no jar of that name");
  }

  private static void executable(Path file) throws IOException {
    Files.writeString(file, "#!/bin/sh\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void two_columns_of_a_scenario_may_be_two_versions_of_a_store() {
    String head =
        """
        title: Some writes
        operation: put
        requests: 1_000
        keys: {size: 256}
        values: {size: 1024}
        load: {clients: 10}
        """;
    assertThat(databases(head + "databases: [etcd@3.6.16, etcd@3.5.35, consul]\n"))
        .containsExactly("etcd@3.6.16 10", "etcd@3.5.35 10", "consul 10");
    assertThat(
            databases(
                head
                    + """
                    databases:
                      etcd@3.7.3: {clients: 20}
                      etcd: {version: 3.5.35, settings: {snapshot-count: 1_000}}
                      consul: {version: 1.16.3}
                    """))
        .containsExactly("etcd@3.7.3 20", "etcd@3.5.35 10 snapshot-count 1000", "consul@1.16.3 10");
  }

  private static List<String> databases(String yaml) {
    return ScenarioReader.read("x.yaml", yaml, 1).databases().stream()
        .map(VersionsOfStoresTest::shown)
        .toList();
  }

  private static String shown(StoreLoad load) {
    return (load.database() + " " + load.steps().get(0).clients() + " " + load.settings()).strip();
  }
}
