// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.install.Installation;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

final class TestSettings {
  /**
   * Time limit of a start. On a busy machine a member of ZooKeeper may miss a vote of an election,
   * and asks again after up to a minute (zookeeper.fastleader.maxNotificationInterval).
   */
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private TestSettings() {}

  /**
   * What this user has installed. Servers are killed as soon as they are to stop: otherwise each
   * cluster of etcd would take two seconds for that. {@link #withUsualEnd} does not.
   */
  static ClusterSettings ofThisUser() {
    return withUsualEnd().withLimits(START_LIMIT, Duration.ZERO);
  }

  /** What this user has installed; servers have the time to end that the product gives them. */
  static ClusterSettings withUsualEnd() {
    ClusterSettings usual =
        ClusterSettings.defaults(Installation.of(System.getenv(), System.getProperties()));
    return usual.withLimits(START_LIMIT, usual.limits().stop());
  }

  /** With an etcd that checks passwords with little CPU time, and has more options. */
  static ClusterSettings ofEtcd(String options) {
    Program etcd = Stores.servers(EtcdStore.STORE).programs().get(0);
    Path found =
        Installation.of(System.getenv(), System.getProperties())
            .find(etcd)
            .orElseThrow()
            .executable();
    Path script = temporaryDirectory().resolve("etcd");
    Script.write(script, "exec '%s' --bcrypt-cost 4 %s \"$@\"\n".formatted(found, options));
    script.toFile().deleteOnExit();
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put(etcd.variable(), script.toString());
    return with(environment).withLimits(START_LIMIT, Duration.ZERO);
  }

  /** Returns a directory where programs may be executed, unlike in a memory-backed one. */
  private static Path temporaryDirectory() {
    try {
      Path directory = Files.createTempDirectory("quorate-etcd-");
      directory.toFile().deleteOnExit();
      return directory;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static ClusterSettings with(Map<String, String> environment) {
    return ClusterSettings.defaults(
        new Installation(
            environment,
            Path.of(System.getProperty("user.home")),
            JavaRuntime.of(System.getProperties())));
  }

  /** With a stand-in for cetcd; the rest is this user's. */
  static ClusterSettings withCetcd(Path executable) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("QUORATE_CETCD", executable.toString());
    return with(environment);
  }

  /** With a separate cache; the rest is this user's. */
  static ClusterSettings withCache(Path cache) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.putAll(TestServers.variables(Stores.programs()));
    environment.put("QUORATE_CACHE", cache.toString());
    return with(environment);
  }

  /** With a stand-in for etcd. */
  static ClusterSettings withEtcd(Path executable) {
    return ClusterSettings.defaults(
        new Installation(
            Map.of("QUORATE_ETCD", executable.toString()),
            Path.of("/nowhere"),
            JavaRuntime.of(System.getProperties())));
  }
}
