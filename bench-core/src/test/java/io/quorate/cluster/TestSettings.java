// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.install.Installation;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
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
    return withUsualEnd().withStopLimit(Duration.ZERO);
  }

  /** What this user has installed; servers have the time to end that the product gives them. */
  static ClusterSettings withUsualEnd() {
    return ClusterSettings.defaults(Installation.of(System.getenv(), System.getProperties()))
        .withStartLimit(START_LIMIT);
  }

  /** With a stand-in for cetcd; the rest is this user's. */
  static ClusterSettings withCetcd(Path executable) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("QUORATE_CETCD", executable.toString());
    return ClusterSettings.defaults(
        new Installation(
            environment,
            Path.of(System.getProperty("user.home")),
            JavaRuntime.of(System.getProperties())));
  }

  /** With a separate cache; the rest is this user's. */
  static ClusterSettings withCache(Path cache) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    for (Program program : Stores.programs()) {
      Installation.of(System.getenv(), System.getProperties())
          .find(program)
          .ifPresent(found -> environment.put(program.variable(), found.executable().toString()));
    }
    environment.put("QUORATE_CACHE", cache.toString());
    return ClusterSettings.defaults(
        new Installation(
            environment,
            Path.of(System.getProperty("user.home")),
            JavaRuntime.of(System.getProperties())));
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
