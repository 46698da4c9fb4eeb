package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Database;
import io.quorate.store.Program;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramTest {
  @Test
  void a_shim_needs_etcd_too() {
    assertThat(Program.ZETCD.withWhatItNeeds()).containsExactly(Program.ETCD, Program.ZETCD);
    assertThat(Program.CETCD.withWhatItNeeds()).containsExactly(Program.ETCD, Program.CETCD);
    assertThat(Program.CONSUL.withWhatItNeeds()).containsExactly(Program.CONSUL);
    assertThat(Program.programs(Database.ETCD)).containsExactly(Program.ETCD);
    assertThat(Program.programs(Database.ZOOKEEPER)).isEmpty();
    assertThat(Program.programs(Database.MEMORY)).isEmpty();
  }

  @Test
  void what_is_missing_comes_with_one_command_for_all_of_it() {
    assertThat(Program.missing(Program.ZETCD.withWhatItNeeds()))
        .isEqualTo(
            "etcd and zetcd are not installed: run ./quorate install etcd zetcd (or put them on"
                + " PATH, or set QUORATE_ETCD and QUORATE_ZETCD)");
    assertThat(Program.missing(List.of(Program.ZETCD)))
        .isEqualTo(
            "zetcd is not installed: run ./quorate install zetcd (or put zetcd on PATH, or set"
                + " QUORATE_ZETCD)");
    assertThat(Program.missing(Program.CETCD.withWhatItNeeds()))
        .isEqualTo(
            "etcd is not installed: run ./quorate install etcd (or put etcd on PATH, or set"
                + " QUORATE_ETCD); cetcd is not there: Quorate cannot install it; build it from"
                + " https://github.com/etcd-io/cetcd, then put it on PATH or set QUORATE_CETCD");
  }

  @Test
  void all_but_cetcd_can_be_installed() {
    assertThat(Program.installable())
        .containsExactly(Program.ETCD, Program.CONSUL, Program.ETCD_BENCHMARK, Program.ZETCD);
  }

  @ParameterizedTest
  @CsvSource({
    "1.16.3, MPL-2.0",
    "1.9.17, MPL-2.0",
    "1.16.4, BUSL-1.1",
    "1.16.4+ent, BUSL-1.1",
    "1.22.7, BUSL-1.1",
    "2.0.0, BUSL-1.1",
    "unheard of, BUSL-1.1"
  })
  void the_licence_of_consul_is_that_of_its_version(String version, String licence) {
    assertThat(Program.CONSUL.licence(version)).isEqualTo(licence);
    assertThat(Program.ETCD.licence(version)).isEqualTo("Apache-2.0");
  }

  @Test
  void the_version_is_found_in_what_each_program_prints() {
    assertThat(Program.ETCD.answer().matcher("etcd Version: 3.6.16\nGit SHA: x").results())
        .singleElement()
        .returns("3.6.16", match -> match.group(1));
    assertThat(Program.CONSUL.answer().matcher("Consul v1.22.7\nBuild Date 1970").results())
        .singleElement()
        .returns("1.22.7", match -> match.group(1));
    assertThat(Program.ZETCD.answer().matcher("...\nUsage of /x/zetcd:\n  -a").find()).isTrue();
  }
}
