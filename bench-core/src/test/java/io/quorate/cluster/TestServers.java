// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.NightlyRun;
import io.quorate.install.Installation;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.Program;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Local clusters of what this user has installed, which end by KILL as soon as they are closed. */
public final class TestServers {
  private TestServers() {}

  /**
   * Returns a store for tests of what all stores share: etcd, because its servers start with a
   * tenth of the CPU time; at night, or if etcd is not installed, ZooKeeper.
   */
  public static Store anyStore() {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    return NightlyRun.isOn() || installation.obstacle(EtcdStore.STORE).isPresent()
        ? ZooKeeperStore.STORE
        : EtcdStore.STORE;
  }

  /** Returns the variables with the programs of this user, for commands with another cache. */
  public static Map<String, String> variables(Collection<Program> programs) {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    Map<String, String> variables = new HashMap<>();
    for (Program each : programs) {
      installation
          .find(each)
          .ifPresent(found -> variables.put(each.variable(), found.executable().toString()));
    }
    return variables;
  }

  /** Returns the program of servers that Quorate never starts. */
  public static Program externalProgram(Store database) {
    return Program.builtByHand(
        database.id(), Program.Licence.APACHE, "its source, as semantics.md in the guide says");
  }

  /** Starts one that speaks TLS, or does not. */
  public static Cluster start(Store database, int members, Path directory, Security security) {
    return start(database, members, directory, security, Map.of());
  }

  /** Starts one that speaks TLS, or does not, whose servers have other settings than usual. */
  public static Cluster start(
      Store database, int members, Path directory, Security security, Map<String, Long> servers) {
    ClusterSettings settings =
        database.equals(EtcdStore.STORE) && security != Security.NONE
            ? TestSettings.ofEtcd("")
            : TestSettings.ofThisUser();
    return LocalCluster.start(
        database,
        members,
        directory,
        settings.withSecurity(security).withServers(Stores.servers(database).choose(servers)));
  }

  /** Starts three members in plain text, and a fourth without a vote. */
  public static Cluster startWithNonVoter(Store database, Path directory) {
    return LocalCluster.start(database, 3, directory, TestSettings.ofThisUser().withNonVoter(true));
  }

  /** Starts a member of etcd that speaks TLS and has more options. */
  public static Cluster startEtcd(Path directory, String options) {
    return LocalCluster.start(
        EtcdStore.STORE, 1, directory, TestSettings.ofEtcd(options).withSecurity(Security.TLS));
  }

  /**
   * Returns a port of a local address on which nothing listens. It is outside the range of ports
   * for outgoing connections, so it stays free until a program has started.
   */
  public static int freePort(String host) {
    return Ports.free(host, new SecureRandom()).choose(1, 1).get(0).get(0);
  }

  /** Starts one in plain text, whose servers have other settings than usual. */
  public static Cluster start(
      Store database, int members, Path directory, Map<String, Long> settings) {
    return start(database, members, directory, Security.NONE, settings);
  }

  /** Starts one in plain text. */
  public static Cluster start(Store database, int members, Path directory) {
    return start(database, members, directory, Security.NONE);
  }
}
