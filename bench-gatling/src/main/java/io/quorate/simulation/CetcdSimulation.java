// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.cetcd.CetcdStore;

/** Runs the load of a scenario on cetcd, which speaks Consul's protocol in front of etcd. */
public final class CetcdSimulation extends DatabaseSimulation {
  public CetcdSimulation() {
    super(CetcdStore.STORE);
  }
}
