package io.quorate.store;

import io.quorate.store.consul.ConsulClient;
import io.quorate.store.consul.ConsulDriver;
import io.quorate.store.etcd.EtcdDriver;
import io.quorate.store.memory.MemoryDriver;
import io.quorate.store.zookeeper.NodeLayout;
import io.quorate.store.zookeeper.ZooKeeperDriver;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** The stores that can be measured, and how to open a connection to each. */
public enum Database {
  ETCD("etcd", "etcd", EtcdDriver.opener()),
  ZOOKEEPER("zookeeper", "ZooKeeper", ZooKeeperDriver.opener("zookeeper", NodeLayout.FLAT)),
  CONSUL("consul", "Consul", ConsulClient::open),
  /** ZooKeeper's protocol on top of etcd. */
  ZETCD("zetcd", "zetcd", ZooKeeperDriver.opener("zetcd", new NodeLayout.Directories())),
  /** Consul's protocol on top of etcd. */
  CETCD("cetcd", "cetcd", ConsulDriver.opener("cetcd", ConsulDriver.Probe.KEY)),
  /** A map in the load generator's own process: what the harness itself can do. */
  MEMORY("memory", "in-memory map", MemoryDriver.opener());

  private final String id;
  private final String title;
  private final Function<DriverSettings, KeyValueDriver> opener;

  Database(String id, String title, Function<DriverSettings, KeyValueDriver> opener) {
    this.id = id;
    this.title = title;
    this.opener = opener;
  }

  /** The name in scenarios, directories, tables and on the command line. */
  public String id() {
    return id;
  }

  /** The name in prose. */
  public String title() {
    return title;
  }

  /**
   * Opens one connection and waits until it can carry requests.
   *
   * @throws io.quorate.QuorateException if that takes longer than the connect timeout
   */
  public KeyValueDriver open(DriverSettings settings) {
    return opener.apply(settings);
  }

  public static Optional<Database> byId(String id) {
    return Arrays.stream(values()).filter(database -> database.id.equals(id)).findFirst();
  }

  @Override
  public String toString() {
    return id;
  }
}
