// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.keeper.ClickHouseKeeperStore;

/** Runs the load of a scenario on ClickHouse Keeper, which speaks ZooKeeper's protocol. */
public final class ClickHouseKeeperSimulation extends DatabaseSimulation {
  public ClickHouseKeeperSimulation() {
    super(ClickHouseKeeperStore.STORE);
  }
}
