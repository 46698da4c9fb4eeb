// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs on an existing cluster with TLS, the limits of connections that the store has by default,
 * and a user with rights below {@code quorate/} only: what is left of them, however they end.
 */
class NothingLeftBehindIT {
  private static final String PUTS =
      """
      title: Some puts
      operation: put
      requests: 10000000
      warm-up: 50
      cold-start: true
      keys: {size: 64}
      values: {size: 32}
      load: {clients: 4, max-rate: 200/s}
      databases: [etcd, zookeeper, consul]
      """;

  private static final String LOCKS =
      PUTS.replace("operation: put", "operation: lock")
          .replace("warm-up: 50", "sessions: {ttl: 10s, hold: 10ms}")
          .replace("{size: 64}", "{size: 64, count: 2}")
          .replace(", max-rate: 200/s", "");

  private static final String LEASES =
      PUTS.replace(
              "operation: put",
              """
              mix: {put: 1, lease-keepalive: 1}
              leases: {count: 5, ttl: 10s}\
              """)
          .replace("{size: 64}", "{size: 64, count: 100, distribution: uniform}")
          .replace("[etcd, zookeeper, consul]", "[etcd, consul]");

  /** A line of progress has values. */
  private static final String A_REQUEST_HAS_ENDED = " ms  0 errors";

  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** A store, and the limit of connections that it has by default, if it has one. */
  private record Tested(
      Store store,
      Map<String, Long> limits,
      BiFunction<Endpoint, Access, Administrator> administrator) {}

  private static final Tested ETCD = new Tested(EtcdStore.STORE, Map.of(), EtcdAdministrator::new);

  private static final Tested ZOOKEEPER =
      new Tested(ZooKeeperStore.STORE, Map.of("maxClientCnxns", 60L), ZooKeeperAdministrator::new);

  private static final Tested CONSUL =
      new Tested(
          ConsulStore.STORE, Map.of("http_max_conns_per_client", 200L), ConsulAdministrator::new);

  /** The ways in which a run can end. */
  private enum End {
    COMPLETE,
    INTERRUPTED,
    TERMINATED,
    LOAD_GENERATOR_KILLED,
    PARENT_KILLED,
    DEVICE_FULL,
    BOTH_KILLED
  }

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @AfterEach
  void endAll() {
    QuorateProcess.workingBelow(directory).forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void a_killed_load_generator_leaves_nothing_in_zookeeper() throws Exception {
    leavesNothing(ZOOKEEPER, List.of(LOCKS), End.LOAD_GENERATOR_KILLED);
  }

  @Test
  @RequiresDatabase("etcd")
  void a_full_device_leaves_nothing_in_etcd() throws Exception {
    leavesNothing(ETCD, List.of(LEASES), End.DEVICE_FULL);
  }

  @Nightly
  @Test
  void nothing_is_left_in_zookeeper() throws Exception {
    leavesNothing(ZOOKEEPER, List.of(PUTS, LOCKS), End.values());
  }

  @Nightly
  @Test
  @RequiresDatabase("etcd")
  void nothing_is_left_in_etcd() throws Exception {
    leavesNothing(ETCD, List.of(LEASES, LOCKS), End.values());
  }

  @Nightly
  @Test
  @RequiresDatabase("consul")
  void nothing_is_left_in_consul() throws Exception {
    leavesNothing(CONSUL, List.of(LEASES, LOCKS), End.values());
  }

  private void leavesNothing(Tested tested, List<String> loads, End... ends) throws Exception {
    Path servers = directory.resolve("servers");
    try (Cluster cluster =
        TestServers.start(tested.store, 1, servers, Security.TLS, tested.limits)) {
      Endpoint server = cluster.members().get(0).endpoint();
      Administrator administrator = tested.administrator.apply(server, cluster.access());
      Login user = administrator.addUser();
      for (End end : ends) {
        for (String load : loads) {
          Path place = directory.resolve(end + "-" + loads.indexOf(load));
          new Run(tested.store, server, new Access(cluster.access().tls(), user), place)
              .leavesNothing(load, end, administrator);
        }
      }
    }
  }

  /** A run whose results, cache and temporary files have a separate directory. */
  private record Run(Store store, Endpoint server, Access user, Path place) {
    void leavesNothing(String load, End end, Administrator administrator) throws Exception {
      Files.createDirectories(temporary());
      Files.writeString(
          place.resolve("load.yaml"),
          end == End.COMPLETE ? load.replace("requests: 10000000", "requests: 200") : load);
      try (MountedDevice device =
              end == End.DEVICE_FULL ? MountedDevice.at(place.resolve("results"), "8m") : null;
          QuorateProcess run = start()) {
        run.awaitOutput(end == End.COMPLETE ? "load complete" : A_REQUEST_HAS_ENDED, LIMIT);
        if (device != null) {
          device.fill();
        }
        end(run, end);
        QuorateProcess.await(
            () -> QuorateProcess.workingBelow(place).isEmpty(), LIMIT, run::output);
        assertThat(run.output()).doesNotContain("\tat ");
        if (end == End.BOTH_KILLED) {
          assertThat(administrator.left()).isNotEmpty();
          assertTheNextRunSaysHow();
          return;
        }
        if (end == End.COMPLETE) {
          assertThat(run.exitCode()).as(run.output()).isZero();
        }
        assertThat(run.output()).contains(" were removed").doesNotContain("may be left");
        if (end == End.LOAD_GENERATOR_KILLED && load.equals(LEASES)) {
          assertThat(run.output())
              .contains("the leases that are left expire by themselves within 10 s");
        }
        QuorateProcess.await(
            () -> left(administrator).isEmpty(),
            LIMIT,
            () -> left(administrator) + "\n" + run.output());
        assertThat(files()).as(run.output()).isEmpty();
      }
    }

    private Path temporary() {
      return place.resolve("temporary");
    }

    private QuorateProcess start() throws IOException {
      // as its own group, whose programs take the signal of a terminal
      return QuorateProcess.startBehind(
          List.of("setsid", "env", "--default-signal=INT"),
          place,
          environment(),
          arguments().toArray(String[]::new));
    }

    private Map<String, String> environment() {
      Map<String, String> login =
          user.login() instanceof Login.Password password
              ? Map.of("QUORATE_USER", password.user(), "QUORATE_PASSWORD", password.password())
              : Map.of("QUORATE_TOKEN", ((Login.Token) user.login()).token());
      Map<String, String> all = new HashMap<>(login);
      all.put("QUORATE_CACHE", place.resolve("cache").toString());
      all.put(
          "JAVA_TOOL_OPTIONS",
          "-Djava.io.tmpdir=" + temporary() + " -Dquorate.jvmArgs=-XX:TieredStopAtLevel=1");
      return all;
    }

    private List<String> arguments() {
      TlsFiles files = user.tls().orElseThrow().files();
      TlsFiles.Identity own = files.identity().orElseThrow();
      List<String> all = new ArrayList<>(List.of("run", "load.yaml", "--results", "results"));
      all.addAll(List.of("--database", store.id(), "--endpoints", server.toString()));
      all.addAll(List.of("--tls-ca", files.authority().toString()));
      all.addAll(List.of("--tls-certificate", own.certificate().toString()));
      all.addAll(List.of("--tls-key", own.key().toString()));
      return all;
    }

    private static void end(QuorateProcess run, End end) throws Exception {
      String parent = Long.toString(run.handle().pid());
      switch (end) {
        case COMPLETE, DEVICE_FULL -> {} // by itself
        case INTERRUPTED -> QuorateProcess.signal("INT", "-" + parent);
        case TERMINATED -> QuorateProcess.signal("TERM", parent);
        case LOAD_GENERATOR_KILLED -> run.loadGenerator().destroyForcibly();
        case PARENT_KILLED -> QuorateProcess.signal("KILL", parent);
        case BOTH_KILLED -> {
          String loadGenerator = Long.toString(run.loadGenerator().pid());
          // so that none sees the end of the other one
          QuorateProcess.signal("STOP", parent, loadGenerator);
          QuorateProcess.signal("KILL", parent, loadGenerator);
        }
      }
      run.waitFor(LIMIT);
    }

    private void assertTheNextRunSaysHow() throws Exception {
      Files.writeString(
          place.resolve("next.yaml"),
          PUTS.replaceAll("databases: .*", "databases: [memory]")
              .replace("requests: 10000000", "requests: 100"));
      Pattern reminder =
          Pattern.compile(
              "a run was killed \\([^)]*\\): "
                  + store
                  + ": keys below quorate/[a-z0-9]{6}/ may be left; remove them with: ");
      StringBuilder said = new StringBuilder();
      // the lock of a killed process ends with the last of its threads, which may take a moment
      QuorateProcess.await(
          () -> reminder.matcher(said.append(nextRun())).find(), LIMIT, said::toString);
    }

    private String nextRun() {
      return InProcessRun.run(place, "run", "next.yaml", "--results", "results").output();
    }

    private static List<String> left(Administrator administrator) {
      try {
        return administrator.left();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    /** Files in the cache and for temporary use, and those of the results that are not to stay. */
    private List<Path> files() throws IOException {
      try (Stream<Path> all = Files.walk(place)) {
        return all.filter(Files::isRegularFile)
            .filter(
                file ->
                    file.startsWith(place.resolve("cache"))
                        || file.startsWith(temporary())
                        || file.toString().matches(".*\\.(tmp|reserve)"))
            .toList();
      }
    }
  }
}
