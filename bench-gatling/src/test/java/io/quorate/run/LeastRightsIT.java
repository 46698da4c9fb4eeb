// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.store.Access;
import io.quorate.store.Administrator;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulAdministrator;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdAdministrator;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperAdministrator;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command that talks to an existing cluster, by a user with rights below {@code quorate/}
 * only; a search at night only, as its shortest takes a minute.
 */
class LeastRightsIT {
  private static final String REQUESTS =
      """
      title: Some requests
      %s
      requests: 100
      warm-up: 20
      cold-start: true
      keys: {size: 40, count: 10}
      values: {size: 32}
      load: {clients: 4}
      databases: [%s]
      """;

  private static final String LOCKS = "operation: lock\nsessions: {ttl: 10s, hold: 1ms}";

  private static final String ELECTIONS =
      """
      operation: elect
      sessions: {ttl: 10s, hold: 1ms}
      watch: {watchers: 2, streams: 1}\
      """;

  private static final String LEASES =
      "mix: {put: 1, lease-grant: 1, lease-keepalive: 1}\nleases: {count: 5, ttl: 10s}";

  private static final String RESULTS = "--results=results";
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void a_role_for_the_prefix_is_enough_for_etcd() throws Exception {
    isEnough(
        EtcdStore.STORE,
        EtcdAdministrator::new,
        "mix: {put: 3, get: 3, range: 1, delete: 1, txn: 1}\nrange: {keys: 10}\ntxn: {puts: 2}",
        "mix: {compare-and-set: 1, stm: 1, optimistic-create: 1, optimistic-update: 1}",
        LEASES);
  }

  @Nightly
  @Test
  void a_node_of_the_user_is_enough_for_zookeeper() throws Exception {
    isEnough(
        ZooKeeperStore.STORE,
        ZooKeeperAdministrator::new,
        "mix: {put: 3, get: 3, range: 1, delete: 1}\nrange: {keys: all, keys-only: true}",
        "mix: {compare-and-set: 1, stm: 1, txn: 1}\ntxn: {puts: 2}");
  }

  @Nightly
  @Test
  @RequiresDatabase("consul")
  void a_policy_for_the_prefix_is_enough_for_consul() throws Exception {
    isEnough(
        ConsulStore.STORE,
        ConsulAdministrator::new,
        "mix: {put: 3, get: 3, range: 1, delete: 1}\nrange: {keys: 10}",
        "mix: {compare-and-set: 1, stm: 1, txn: 1}\ntxn: {puts: 2}",
        LEASES);
  }

  private void isEnough(
      Store store, BiFunction<Endpoint, Access, Administrator> administrators, String... loads)
      throws Exception {
    try (Cluster cluster =
        TestServers.start(store, 1, directory.resolve("servers"), Security.TLS)) {
      Endpoint server = cluster.members().get(0).endpoint();
      Administrator administrator = administrators.apply(server, cluster.access());
      List<String> access = access(store, cluster, administrator.addUser());

      for (String load : Stream.concat(Stream.of(loads), Stream.of(LOCKS, ELECTIONS)).toList()) {
        run(store, load, access);
      }
      assertThatTheShownCommandRepeats(succeeds(access, "run", "load.yaml", "--maintain", RESULTS));
      assertThat(succeeds(access, "check", "load.yaml")).contains("nothing was started");
      succeeds(
          access,
          "run",
          "put",
          "--requests=20",
          "--clients=2",
          "--warm-up=0",
          RESULTS,
          "--run-name=kept",
          "--keep-keys");
      assertThat(succeeds(access, "clean", "--yes", "--all")).contains("removed quorate/kept/");
      if (NightlyRun.isOn()) {
        String[] search = {
          "capacity", "put", "--quick", RESULTS, "--scale=0.01", "--threshold=p99 < 1 us"
        };
        assertThat(InProcessRun.run(directory, with(access, search)).output())
            .contains(" were removed", ": no capacity was found");
      }
      observe(access, store == EtcdStore.STORE);
      String[] doctor = with(access, "doctor", "--duration=5s", RESULTS);
      assertThat(QuorateProcess.run(directory, Map.of(), doctor).output())
          .contains(" were removed")
          .containsPattern(" checks? ok, ");
      assertThat(administrator.left()).isEmpty();
    }
  }

  private void assertThatTheShownCommandRepeats(String output) {
    String shown =
        output.lines().filter(line -> line.startsWith("repeat  ")).findFirst().orElseThrow();
    assertThat(shown).contains(" --maintain");
    String[] command =
        shown.replaceFirst(" --repeats \\d+$", " --repeats 2 --canary off").split(" +");
    String[] words = Arrays.copyOfRange(command, 2, command.length);
    succeeds(List.of(RESULTS), words);
  }

  private void run(Store store, String load, List<String> access) throws IOException {
    String text = load.startsWith("operation") ? REQUESTS.replace("warm-up: 20\n", "") : REQUESTS;
    text = load.equals(ELECTIONS) ? text.replace("count: 10", "count: 1") : text;
    Files.writeString(directory.resolve("load.yaml"), text.formatted(load, store));

    assertThat(succeeds(access, "run", "load.yaml", RESULTS)).as(load).contains(" were removed");
  }

  /** Reads the metrics of a cluster during a load, which then ends early. */
  private void observe(List<String> access, boolean hasProfile) throws Exception {
    String[] command =
        with(
            access,
            "run",
            "put=50,get=50",
            "--rate=50",
            "--duration=1h",
            "--keys=100",
            "--warm-up=0",
            "--cold-start",
            RESULTS);
    try (QuorateProcess load = QuorateProcess.start(directory, Map.of(), command)) {
      load.awaitOutput(" ms  0 errors", LIMIT);
      String[] observation = with(access, "doctor", "--observe", "--duration=5s");
      assertThat(InProcessRun.run(directory, observation).output())
          .containsPattern(" checks? ok, ");
      if (hasProfile) {
        String plain = access.get(1);
        assertThat(InProcessRun.run(directory, "profile", "etcd", plain).output())
            .contains(": it speaks TLS: name the certificate of its authority with --tls-ca FILE");
        assertThat(succeeds(access.subList(1, access.size()), "profile", "etcd", "--duration=5s"))
            .containsPattern("  put: [1-9]");
      }
      load.handle().destroy();
      load.waitFor(LIMIT);
      assertThat(load.output()).contains(" were removed");
    }
  }

  private String succeeds(List<String> access, String... words) {
    InProcessRun run = InProcessRun.run(directory, with(access, words));
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run.output();
  }

  private static String[] with(List<String> access, String... words) {
    return Stream.concat(Stream.of(words), access.stream()).toArray(String[]::new);
  }

  private List<String> access(Store store, Cluster cluster, Login user) throws IOException {
    String text =
        user instanceof Login.Password password
            ? "user: " + password.user() + "\npassword: " + password.password()
            : "token: " + ((Login.Token) user).token();
    Path login = Files.writeString(directory.resolve("login"), text + "\n");
    Files.setPosixFilePermissions(login, PosixFilePermissions.fromString("rw-------"));
    TlsFiles files = cluster.access().tls().orElseThrow().files();
    TlsFiles.Identity own = files.identity().orElseThrow();
    return List.of(
        "--database=" + store,
        "--endpoints=" + cluster.members().get(0).endpoint(),
        "--tls-ca=" + files.authority(),
        "--tls-certificate=" + own.certificate(),
        "--tls-key=" + own.key(),
        "--credentials=" + login);
  }
}
