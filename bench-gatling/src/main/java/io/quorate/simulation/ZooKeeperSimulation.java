// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.zookeeper.ZooKeeperStore;

/** Runs the load of a scenario on ZooKeeper. */
public final class ZooKeeperSimulation extends DatabaseSimulation {
  public ZooKeeperSimulation() {
    super(ZooKeeperStore.STORE);
  }
}
