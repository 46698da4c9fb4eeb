// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.etcd.EtcdStore;

/** Runs the load of a scenario on etcd. */
public final class EtcdSimulation extends DatabaseSimulation {
  public EtcdSimulation() {
    super(EtcdStore.STORE);
  }
}
