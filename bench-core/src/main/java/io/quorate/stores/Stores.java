package io.quorate.stores;

import io.quorate.store.Store;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.server.Program;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists the stores that can be measured. A new store is its package and one line here. */
public final class Stores {
  private static final List<Store> ALL =
      List.of(
          EtcdStore.STORE,
          ZooKeeperStore.STORE,
          ConsulStore.STORE,
          ZetcdStore.STORE,
          CetcdStore.STORE,
          MemoryStore.STORE);

  private static final List<Store> VERSIONS =
      ALL.stream().flatMap(store -> store.versions().stream()).toList();

  private Stores() {}

  /** Returns the versions of stores that can be chosen, such as {@code etcd@3.5.35}. */
  public static List<Store> versions() {
    return VERSIONS;
  }

  /** Returns all stores in the order in which they are listed to a person. */
  public static List<Store> all() {
    return ALL;
  }

  /** Finds a store, or a version of one, by its id. */
  public static Optional<Store> byId(String id) {
    return Stream.concat(ALL.stream(), VERSIONS.stream())
        .filter(store -> store.id().equals(id))
        .findFirst();
  }

  /** Returns the stores that have servers of their own. */
  public static List<Store> withServers() {
    return ALL.stream().filter(Store::hasServers).toList();
  }

  /** Returns every program that a store needs, each once, and then the tools. */
  public static List<Program> programs() {
    return Stream.concat(
            ALL.stream().flatMap(store -> store.programs().stream()),
            ALL.stream().flatMap(store -> store.tools().stream()))
        .distinct()
        .toList();
  }

  /** Finds a program by its id, or by its id and version, such as {@code etcd@3.5.35}. */
  public static Optional<Program> program(String name) {
    return Stream.concat(
            programs().stream(), VERSIONS.stream().flatMap(store -> store.programs().stream()))
        .filter(each -> name.equals(each.name()) || name.equals(each.id() + "@" + each.version()))
        .findFirst();
  }

  /** Returns the programs that {@code ./quorate install} knows a source of. */
  public static List<Program> installable() {
    return programs().stream().filter(Program::isInstallable).toList();
  }
}
