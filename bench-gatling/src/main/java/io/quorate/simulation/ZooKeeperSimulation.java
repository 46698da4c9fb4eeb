package io.quorate.simulation;

import io.quorate.store.Database;

/** The load of a scenario on ZooKeeper. */
public final class ZooKeeperSimulation extends DatabaseSimulation {
  public ZooKeeperSimulation() {
    super(Database.ZOOKEEPER);
  }
}
