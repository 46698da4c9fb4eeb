// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import io.quorate.store.Store;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulServers;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.keeper.ClickHouseKeeperStore;
import io.quorate.store.kine.KineStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.StoreServers;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperServers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists the stores that can be measured. A new store needs its package and one line here. */
public final class Stores {
  private static final List<StoreServers> SERVERS =
      List.of(
          EtcdServers.SERVERS,
          ZooKeeperServers.SERVERS,
          ConsulServers.SERVERS,
          ZetcdStore.SERVERS,
          CetcdStore.SERVERS,
          KineStore.SERVERS,
          ClickHouseKeeperStore.SERVERS,
          MemoryStore.SERVERS);

  private static final List<StoreServers> VERSIONS =
      SERVERS.stream().flatMap(each -> each.versions().stream()).toList();

  private static final List<Store> ALL = SERVERS.stream().map(StoreServers::store).toList();

  private Stores() {}

  /** Returns the versions of stores that can be chosen, such as {@code etcd@3.5.35}. */
  public static List<Store> versions() {
    return VERSIONS.stream().map(StoreServers::store).toList();
  }

  /** Returns the versions of a store that can be chosen; empty if there is no choice. */
  public static List<Store> versions(Store base) {
    return versions().stream().filter(each -> each.base() == base).toList();
  }

  /** Returns all stores in the order in which they are shown. */
  public static List<Store> all() {
    return ALL;
  }

  /** Finds a store, one of its {@link #versions}, or any other release, such as etcd@3.5.16. */
  public static Optional<Store> byId(String id) {
    return allServers()
        .filter(each -> each.store().id().equals(id))
        .findFirst()
        .or(() -> release(id))
        .map(StoreServers::store);
  }

  public static StoreServers servers(Store store) {
    return allServers()
        .filter(each -> each.store().equals(store))
        .findFirst()
        .or(() -> release(store.id()))
        .orElseThrow();
  }

  /** Returns the servers of a release that no list contains. */
  private static Optional<StoreServers> release(String id) {
    String[] parts = id.split("@", 2);
    return parts.length < 2
        ? Optional.empty()
        : SERVERS.stream()
            .filter(each -> each.store().id().equals(parts[0]))
            .findFirst()
            .flatMap(each -> each.inVersion(parts[1]));
  }

  /** Returns what reports have to know about a store or one of its versions, by its id. */
  public static ServerKnowledge knowledge(String id) {
    return byId(id.replaceFirst("@.*", ""))
        .map(store -> servers(store).knowledge())
        .orElse(ServerKnowledge.NONE);
  }

  private static Stream<StoreServers> allServers() {
    return Stream.concat(SERVERS.stream(), VERSIONS.stream());
  }

  public static List<Store> withServers() {
    return ALL.stream().filter(Store::hasServers).toList();
  }

  /** Returns the stores whose servers Quorate can start. */
  public static List<Store> startable() {
    return withServers().stream().filter(each -> servers(each).external().isEmpty()).toList();
  }

  /** Returns every program that a store needs, each once, and then the tools. */
  public static List<Program> programs() {
    return Stream.concat(
            SERVERS.stream().flatMap(each -> each.programs().stream()),
            SERVERS.stream().flatMap(each -> each.tools().stream()))
        .distinct()
        .toList();
  }

  /** Finds a program by its id, or by its id and version, such as {@code etcd@3.5.35}. */
  public static Optional<Program> program(String name) {
    return Stream.concat(
            programs().stream(), VERSIONS.stream().flatMap(each -> each.programs().stream()))
        .filter(each -> name.equals(each.name()) || name.equals(each.id() + "@" + each.version()))
        .findFirst()
        .or(() -> release(name).flatMap(each -> each.programs().stream().findFirst()));
  }

  public static List<Program> installable() {
    return programs().stream().filter(Program::isInstallable).toList();
  }
}
