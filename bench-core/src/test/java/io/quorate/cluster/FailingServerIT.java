// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.QuorateException;
import io.quorate.install.Installation;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.SilentPort;
import io.quorate.store.Store;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that do not become ready, played by shell scripts in the place of etcd. */
class FailingServerIT {
  @TempDir Path directory;

  @Test
  void a_server_that_ends_at_once_fails_the_start_with_the_last_lines_of_its_log() {
    Path etcd =
        Script.write(
            directory.resolve("bin/etcd"),
            """
            echo $$ >>'%s/pids'
            case $2 in
              etcd-2) printf 'one\\ntwo\\nbad flag \\033[31m--nonsense\\n' >&2; exit 3 ;;
              *) exec sleep 600 ;;
            esac
            """
                .formatted(directory));
    assertThatThrownBy(
            () ->
                LocalCluster.start(
                    EtcdStore.STORE, 3, directory.resolve("run"), TestSettings.withEtcd(etcd)))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            etcd-2 ended with exit code 3 while it was starting. Last lines of %s:
              one
              two
              bad flag \\x1b[31m--nonsense"""
                .formatted(directory.resolve("run/logs/etcd-2.log")));
    assertThat(pids()).isNotEmpty().noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    assertThat(directory.resolve("run/data")).doesNotExist();
  }

  @Test
  void a_server_that_finds_its_device_full_is_said_to_in_one_line_without_a_trace() {
    Path etcd =
        Script.write(
            directory.resolve("bin/etcd"),
            """
            echo 'panic: write member/snap/db: no space left on device' >&2
            printf '\\ngoroutine 1 [running]:\\nmain.main()\\n\\tmain.go:31 +0x28\\n' >&2
            exit 2
            """);
    assertThatThrownBy(
            () ->
                LocalCluster.start(
                    EtcdStore.STORE, 1, directory.resolve("run"), TestSettings.withEtcd(etcd)))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(
            "etcd-1 ended with exit code 2 while it was starting: no space left on the device")
        .hasMessageEndingWith(
            "etcd-1.log says: panic: write member/snap/db: no space left on device");
  }

  @Test
  void a_server_that_hangs_fails_the_start_after_the_limit() {
    Path etcd =
        Script.write(
            directory.resolve("bin/etcd"),
            "echo $$ >'" + directory + "/pids'\necho waiting for nothing\nexec sleep 600\n");
    int seconds = 1;
    Throwable failure = failureWithin(seconds, etcd);
    // on a busy machine the limit may be over before the shell has begun
    while (!failure.getMessage().contains("waiting for nothing") && seconds < 100) {
      seconds *= 4;
      failure = failureWithin(seconds, etcd);
    }
    assertThat(failure)
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            etcd was not ready within %s s.
            etcd-1: Connection refused
            Last lines of %s:
              waiting for nothing""",
            seconds, directory.resolve("run/logs/etcd-1.log"));
    assertThat(pids()).hasSize(1).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
  }

  private Throwable failureWithin(int seconds, Path etcd) {
    ClusterSettings settings =
        TestSettings.withEtcd(etcd).withLimits(Duration.ofSeconds(seconds), Duration.ofSeconds(2));
    return catchThrowable(
        () -> LocalCluster.start(EtcdStore.STORE, 1, directory.resolve("run"), settings));
  }

  @Test
  void a_program_that_is_not_installed_is_said_before_anything_is_started() {
    ClusterSettings settings =
        ClusterSettings.defaults(
            new Installation(
                Map.of("PATH", ""), directory, JavaRuntime.of(System.getProperties())));
    assertThatThrownBy(
            () -> LocalCluster.start(EtcdStore.STORE, 1, directory.resolve("run"), settings))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "etcd is not installed: run ./quorate install etcd (or put etcd on PATH, or set"
                + " QUORATE_ETCD)");
    assertThat(directory.resolve("run")).doesNotExist();
  }

  @Test
  void variables_that_are_settings_to_etcd_do_not_reach_it() {
    Map<String, String> environment =
        new java.util.HashMap<>(Map.of("ETCD_DATA_DIR", "/x", "ETCDCTL_API", "2", "PATH", "/bin"));
    new EtcdServers.Launcher(Path.of("/bin/etcd"), "3.7.3").clean(environment);
    assertThat(environment).containsOnlyKeys("PATH");
  }

  @Test
  void given_endpoints_where_nobody_answers_are_a_clear_error() throws IOException {
    try (SilentPort one = new SilentPort();
        SilentPort other = new SilentPort()) {
      List<Endpoint> endpoints = List.of(one.endpoint(), other.endpoint());
      for (Store database :
          List.of(
              EtcdStore.STORE,
              ZooKeeperStore.STORE,
              ConsulStore.STORE,
              ZetcdStore.STORE,
              CetcdStore.STORE)) {
        assertThatThrownBy(() -> ExternalCluster.of(database, endpoints, Access.PLAIN))
            .isInstanceOf(QuorateException.class)
            .hasMessage(
                "no %s server answers: %s, %s (Connection refused)",
                database.title(), endpoints.get(0), endpoints.get(1));
      }
    }
  }

  private List<Long> pids() {
    try {
      return Files.readAllLines(directory.resolve("pids")).stream().map(Long::valueOf).toList();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
