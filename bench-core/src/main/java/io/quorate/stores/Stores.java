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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists the stores that can be measured. A new store needs its package and one line here. */
public final class Stores {
  /** The file system that can lose power. Its version is raised with each change of its source. */
  public static final Program POWER_CUT =
      new Program(
          "powercut",
          "1.2.0",
          Program.Licence.APACHE,
          "powercut (\\S+)",
          List.of(new Program.GoPackage("powercut", ".")),
          Optional.empty());

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

  /** The id of a store, and a version or the name of an own program. */
  private static final Pattern NOT_PINNED =
      Pattern.compile(
          "([a-z-]+)@([0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(?:-[a-z]{1,9}\\.[0-9]{1,3})?|[a-z][a-z0-9-]{0,30})");

  private static final List<Store> ALL = SERVERS.stream().map(StoreServers::store).toList();

  private Stores() {}

  /** Returns the versions of stores that can be chosen, such as {@code etcd@3.5.35}. */
  public static List<Store> versions() {
    return VERSIONS.stream().map(StoreServers::store).toList();
  }

  /** Returns the versions of a store that can be chosen; empty if there is no choice. */
  public static List<Store> versions(Store base) {
    return versions().stream().filter(each -> each.base().equals(base)).toList();
  }

  /** Returns all stores in the order in which they are shown. */
  public static List<Store> all() {
    return ALL;
  }

  /**
   * Returns a store, a pinned version of it, or any other version or own program of a store that
   * has a choice: {@code etcd}, {@code etcd@3.5.35}, {@code etcd@3.5.16}, {@code etcd@mine}.
   */
  public static Optional<Store> byId(String id) {
    return byName(id).map(StoreServers::store);
  }

  public static StoreServers servers(Store store) {
    return byName(store.id()).orElseThrow();
  }

  private static Optional<StoreServers> byName(String id) {
    return Stream.concat(SERVERS.stream(), VERSIONS.stream())
        .filter(each -> each.store().id().equals(id))
        .findFirst()
        .or(() -> notPinned(id));
  }

  private static Optional<StoreServers> notPinned(String id) {
    Matcher name = NOT_PINNED.matcher(id);
    return name.matches()
        ? SERVERS.stream()
            .filter(each -> each.store().id().equals(name.group(1)))
            .findFirst()
            .flatMap(each -> each.inVersion(name.group(2)))
        : Optional.empty();
  }

  /** Returns what reports have to know about a store or one of its versions, by its id. */
  public static ServerKnowledge knowledge(String id) {
    return byId(id.replaceFirst("@.*", ""))
        .map(store -> servers(store).knowledge())
        .orElse(ServerKnowledge.NONE);
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
    return Stream.of(
            SERVERS.stream().flatMap(each -> each.programs().stream()),
            SERVERS.stream().flatMap(each -> each.tools().stream()),
            Stream.of(POWER_CUT))
        .flatMap(each -> each)
        .distinct()
        .toList();
  }

  /** Finds a program by its id, or by its id and version, such as {@code etcd@3.5.35}. */
  public static Optional<Program> program(String name) {
    return Stream.concat(
            programs().stream(), VERSIONS.stream().flatMap(each -> each.programs().stream()))
        .filter(each -> name.equals(each.name()) || name.equals(each.id() + "@" + each.version()))
        .findFirst()
        .or(
            () ->
                notPinned(name).stream()
                    .flatMap(each -> each.programs().stream())
                    .filter(each -> name.equals(each.name()))
                    .findFirst());
  }

  public static List<Program> installable() {
    return programs().stream().filter(Program::isInstallable).toList();
  }
}
