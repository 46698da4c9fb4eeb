// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.zetcd.ZetcdStore;

/** Runs the load of a scenario on zetcd, which speaks ZooKeeper's protocol in front of etcd. */
public final class ZetcdSimulation extends DatabaseSimulation {
  public ZetcdSimulation() {
    super(ZetcdStore.STORE);
  }
}
