package io.quorate.simulation;

import io.quorate.store.Database;

/** The load of a scenario on zetcd, which speaks ZooKeeper's protocol in front of etcd. */
public final class ZetcdSimulation extends DatabaseSimulation {
  public ZetcdSimulation() {
    super(Database.ZETCD);
  }
}
