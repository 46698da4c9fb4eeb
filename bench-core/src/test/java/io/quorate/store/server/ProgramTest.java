// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulServers;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.kine.KineStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramTest {
  @Test
  void a_shim_needs_etcd_too() {
    assertThat(Stores.servers(ZetcdStore.STORE).programs())
        .containsExactly(EtcdServers.ETCD, ZetcdStore.ZETCD);
    assertThat(Stores.servers(CetcdStore.STORE).programs())
        .containsExactly(EtcdServers.ETCD, CetcdStore.CETCD);
    assertThat(Stores.servers(ConsulStore.STORE).programs()).containsExactly(ConsulServers.CONSUL);
    assertThat(Stores.servers(EtcdStore.STORE).programs()).containsExactly(EtcdServers.ETCD);
    assertThat(Stores.servers(ZooKeeperStore.STORE).programs()).isEmpty();
    assertThat(Stores.servers(MemoryStore.STORE).programs()).isEmpty();
  }

  @Test
  void what_is_missing_comes_with_one_command_for_all_of_it() {
    assertThat(Program.missing(Stores.servers(ZetcdStore.STORE).programs()))
        .isEqualTo(
            "etcd and zetcd are not installed: run ./quorate install etcd zetcd (or put them on"
                + " PATH, or set QUORATE_ETCD and QUORATE_ZETCD)");
    assertThat(Program.missing(List.of(ZetcdStore.ZETCD)))
        .isEqualTo(
            "zetcd is not installed: run ./quorate install zetcd (or put zetcd on PATH, or set"
                + " QUORATE_ZETCD)");
    assertThat(Program.missing(Stores.servers(CetcdStore.STORE).programs()))
        .isEqualTo(
            "etcd is not installed: run ./quorate install etcd (or put etcd on PATH, or set "
                + "QUORATE_ETCD); cetcd is missing: Quorate cannot install it; build it from "
                + "https://github.com/etcd-io/cetcd, then put it on PATH or set QUORATE_CETCD");
  }

  @Test
  void all_but_cetcd_can_be_installed() {
    assertThat(Stores.installable())
        .containsExactly(
            EtcdServers.ETCD,
            ConsulServers.CONSUL,
            ZetcdStore.ZETCD,
            KineStore.KINE,
            EtcdServers.BENCHMARK,
            Stores.POWER_CUT);
  }

  /** The cache is by version: with the same one, an installed helper would stay as it was. */
  @Test
  void the_version_of_the_power_cut_helper_is_raised_with_its_source() throws Exception {
    Path source = Path.of(System.getProperty("quorate.home")).resolve("src/databases/powercut");
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String file : List.of("go.mod", "disk.go", "main.go", "mount.go")) {
      digest.update(Files.readAllBytes(source.resolve(file)));
    }
    assertThat(Stores.POWER_CUT.version() + " " + HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("1.2.0 04a5916614370bbef1fd665fd9ec2c2217ad6b8f8e4bcdfb44c39608e9a3983b");
  }

  @ParameterizedTest
  @CsvSource({
    "1.16.3, MPL-2.0",
    "1.16.3+ent, MPL-2.0",
    "1.15.10, MPL-2.0",
    "1.9.17, MPL-2.0",
    "1.16.4, BUSL-1.1",
    "1.16.4+ent, BUSL-1.1",
    "1.22.7, BUSL-1.1",
    "2.0.0, BUSL-1.1",
    "unheard of, BUSL-1.1"
  })
  void the_licence_of_consul_is_that_of_its_version(String version, String licence) {
    assertThat(ConsulServers.CONSUL.licence().of(version)).isEqualTo(licence);
    assertThat(EtcdServers.ETCD.licence().of(version)).isEqualTo("Apache-2.0");
  }

  @Test
  void the_version_is_found_in_what_each_program_prints() {
    assertThat(EtcdServers.ETCD.answer().matcher("etcd Version: 3.7.3\nGit SHA: x").results())
        .singleElement()
        .returns("3.7.3", match -> match.group(1));
    assertThat(ConsulServers.CONSUL.answer().matcher("Consul v1.22.7\nBuild Date 1970").results())
        .singleElement()
        .returns("1.22.7", match -> match.group(1));
    assertThat(ZetcdStore.ZETCD.answer().matcher("...\nUsage of /x/zetcd:\n  -a").find()).isTrue();
  }
}
