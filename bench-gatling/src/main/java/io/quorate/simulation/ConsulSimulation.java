// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.quorate.store.consul.ConsulStore;

/** Runs the load of a scenario on Consul. */
public final class ConsulSimulation extends DatabaseSimulation {
  public ConsulSimulation() {
    super(ConsulStore.STORE);
  }
}
